// Which bodies a run records, and which rank fills which columns of the results.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/scenario.hpp"
#include "partition/part.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {

/// Fills what of the assembly concerns columns: layout.bodies, collected, recorded, own_columns,
/// part_of_body. `wanted` are the cuts of the file, which `auto` may have decided not to make. Throws Error
/// when a body to record does not exist.
void choose_columns(const config::Scenario& scenario, const Interface& wanted, Assembly& a);

/// Subsystems, from 1, of bodies with these labels.
std::vector<std::int32_t> parts_of(const Assembly& a, std::span<const std::int64_t> labels);

/// Fills what of a layout tells which bodies, subsystems, cuts and variables belong together. Links on the
/// rank that writes only.
void describe_layout(const Assembly& a, ResultsLayout& layout);

}  // namespace cosimo
