// Sensors of the model as a component between the bodies and whoever listens: it takes the coordinates of the
// bodies that they look at, and their rates, and gives what they measure, at once.
//
//   add_sensors(scenario, wiring);   connections from sensors begin at this component from now on
//
// Turns of joints are counted from macro point to macro point.
#pragma once

#include "config/scenario.hpp"
#include "simulation/wiring.hpp"

namespace cosimo {

/// What counts as an ordinary value of one that has shown no larger one yet.
inline constexpr double sensor_nominal = 1e-3;

void add_sensors(const config::Scenario& scenario, Wiring& wiring);

}  // namespace cosimo
