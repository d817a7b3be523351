// Words for a run with classic cuts that struggled: which cut held it back and what is special about it,
// then what to write into the scenario instead. A healthy run gets none.
//
// A run struggles when it stopped at control.max_steps or with a vanishing macro step, when many of its
// steps were rejected, when its corrector failed or crept, when its macro steps stood at the stability limit
// of a strongly damped cut, or when they were no longer than its micro steps although a better cut is near.
// Every remedy is one that measurements confirmed in the situation in which it is given
// (docs/schemes.md, "When a run struggles").
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "cosimo/report.hpp"
#include "simulation/assembly.hpp"
#include "simulation/recording.hpp"

namespace cosimo {

/// Empty, or first the diagnosis and then one entry per remedy, the best first. `report` is complete but for
/// the advice; `cuts` has an entry per coupling; `grew`: Recording::grew().
std::vector<std::string> coupling_advice(const config::Scenario& scenario, const Assembly& assembly,
                                         const Report& report, std::span<const CutRecord> cuts, bool grew);

}  // namespace cosimo
