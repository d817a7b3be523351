// Force elements of a scenario: from the numbers of a file to a law between two markers.
//
// Laws that name values in brackets follow sensors, and sensors follow bodies and joints: those elements come
// after the sensors.
#pragma once

#include <memory>
#include <span>

#include "mechanics/builder.hpp"
#include "multibody/placement.hpp"

namespace cosimo {

/// One that does not follow sensors. The builder is that of `at`; tyres leave in it what makes the model
/// another one. Throws Error with file and line for what is wrong with a user's library, a tyre's file or a
/// size.
std::unique_ptr<ForceElement> place_element(const Placement& at, const config::Element& e,
                                            MechanismBuilder& builder);

bool follows_sensors(const config::Element& e);

/// One that does. `made`: with all bodies and joints; `sensors`: all of them.
std::unique_ptr<ForceGroup> place_sensed(const Placement& at, const config::Element& e, const Mechanism& made,
                                         std::span<const Sensor> sensors);

}  // namespace cosimo
