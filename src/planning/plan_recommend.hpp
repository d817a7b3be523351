// What to do, from what was tried: the scheme and the number of parts that are expected to be fastest on the
// cores of this machine, at an error that is not more than twice the one aimed at.
//
// The file's own scheme stays unless another is expected to be at least 15 % faster. A number of parts that
// the file gives stays; a better one is a remark. Cuts are worth it from a speed-up of 1.1 on.
#pragma once

#include <cstddef>

#include "config/scenario.hpp"
#include "cosimo/plan.hpp"
#include "planning/plan_proposal.hpp"

namespace cosimo {

/// Place in plan.schemes of the fastest acceptable way to run the model cut; plan.schemes.size() when there
/// is none.
std::size_t best_scheme(const CutPlan& plan);

/// Place in plan.part_counts of a number of parts that is clearly faster than `best` of plan.schemes;
/// plan.part_counts.size() when there is none.
std::size_t better_parts(const CutPlan& plan, std::size_t best);

/// Sets `recommended`, `recommendation` and `worth_cutting`. `chosen`: null when nothing could be tried cut.
void recommend(const Proposal& proposal, const SchemeTrial* chosen, bool parts_open, CutPlan& plan);

}  // namespace cosimo
