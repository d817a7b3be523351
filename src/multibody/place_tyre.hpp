// Tyres of a scenario: their coefficients, their road, their axle.
#pragma once

#include <memory>

#include "config/scenario.hpp"
#include "mechanics/builder.hpp"

namespace cosimo {

/// `centre`: of the wheel, in space as placed. The builder has the wheel already, and gets what makes the
/// model another one when coefficients change. Throws Error for what is wrong with a file or the ground.
std::unique_ptr<ForceElement> place_tyre(const config::Scenario& scenario, const config::Element& element,
                                         const Vec3& centre, MechanismBuilder& builder);

}  // namespace cosimo
