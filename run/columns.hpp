// Which bodies a run records, and which rank fills which columns of the results.
#pragma once

#include "config/scenario.hpp"
#include "model/part.hpp"
#include "run/assembly.hpp"

namespace cosimo {

/// Fills what of the assembly concerns columns: layout.bodies, collected, recorded, own_columns,
/// part_of_body. `wanted` are the cuts of the file, which `auto` may have decided not to make. Throws Error
/// when a body to record does not exist.
void choose_columns(const config::Scenario& scenario, const Interface& wanted, Assembly& a);

}  // namespace cosimo
