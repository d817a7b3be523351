// The section `model.curves`: courses over time from columns of CSV files.
#pragma once

#include <span>
#include <vector>

#include "config/check.hpp"
#include "config/faults.hpp"
#include "numerics/curve.hpp"

namespace cosimo::config {

/// One for every entry, without a curve where the entry or its file is at fault.
///
/// A file holds one point per line, in columns that are separated by commas, by semicolons, or by white
/// space. Lines that are empty or begin with # or % are left out, and so is a line of names before the first
/// point.
std::vector<NamedCurve> read_curves(const Value& root, Faults& faults);

/// Motors must not outlast their curves.
void check_motions(const Value& root, std::span<const NamedCurve> curves, Faults& faults);

}  // namespace cosimo::config
