// Sensors of the model as a component between the bodies and whoever listens: it takes the coordinates of the
// bodies that they look at, and their rates, and gives what they measure, at once.
//
// Turns of joints are counted from macro point to macro point.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/scenario.hpp"
#include "network/component_spec.hpp"

namespace cosimo {

/// What counts as an ordinary value of one that has shown no larger one yet.
inline constexpr double sensor_nominal = 1e-3;

bool is_sensor(const config::Scenario& scenario, std::string_view name);

struct SensorSignals {
  std::shared_ptr<const ComponentSpec> component;  ///< its outputs have the names of the sensors
  std::vector<std::string> sources;                ///< the signal behind each input
};
SensorSignals sensor_signals(const config::Scenario& scenario, const std::set<std::string>& names);

}  // namespace cosimo
