// Bodies at the start values of their joints. As the file places them all joints stand at zero; from the
// ground outwards each joint with a start value moves what is beyond it, with its speed. Where joints close a
// loop, those with start values are the ones that hold there; the others give way, and the loop is closed as
// every start is, with the start values as conditions of their own (mechanics/start.hpp).
//
//   Placement X_to = X_from J(angle, displacement), X the rigid motion of a body from where the file has it.
#pragma once

#include <functional>

#include "config/mechanism.hpp"
#include "mechanics/builder.hpp"

namespace cosimo {

bool has_start_values(const config::Mechanism& model);

/// `held`: the same mechanism with a motor for each start value. Throws Error (field `model.joints...`) where
/// start values contradict each other or the loops.
void apply_start_values(const config::Mechanism& model, PlacedMechanism& placed,
                        const std::function<PlacedMechanism()>& held);

}  // namespace cosimo
