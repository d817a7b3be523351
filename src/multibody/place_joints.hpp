// Joints of a scenario: constraints, springs in their place, and motors that hold them where they start.
//
// Both markers of a joint have the same axes as placed, so that its angle begins at zero.
#pragma once

#include <memory>
#include <vector>

#include "mechanics/mechanism.hpp"
#include "multibody/placement.hpp"

namespace cosimo {

/// Of a joint that is not compliant. Throws Error, which names the motor, for a motion that cannot be
/// integrated.
std::unique_ptr<Constraint> place_joint(const Placement& at, const config::Joint& joint);

std::unique_ptr<ForceElement> place_compliant_joint(const Placement& at, const config::Joint& joint);

/// Motors that keep the start values of the joint, which are given.
std::vector<std::unique_ptr<Constraint>> hold_start(const Placement& at, const config::Joint& joint);

}  // namespace cosimo
