// Ropes of a scenario: stations on bodies as placed, and whether a rope is softer than its rounding errors.
#pragma once

#include <memory>

#include "mechanics/mechanism.hpp"
#include "multibody/placement.hpp"

namespace cosimo {

/// Throws Error with file and line for a path that is none, and for a stiffness that makes noise of rounding.
std::unique_ptr<ForceGroup> place_rope(const Placement& at, const config::Rope& given);

}  // namespace cosimo
