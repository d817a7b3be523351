// How many derivatives of its inputs an FMU of FMI 2.0 takes. Its description does not say it: many take the
// first only, and some cannot be used any more after they have refused a higher one.
#pragma once

#include "fmi/prepared.hpp"
#include "fmi/wires.hpp"

namespace cosimo::fmi {

/// Asks an instance that is made for this alone. Zero: none after all; otherwise 1, or more than anybody has.
/// Throws Error where the FMU cannot be started.
int input_orders(const Prepared& prepared, const Wires& wires);

}  // namespace cosimo::fmi
