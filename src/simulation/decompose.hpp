// Who drives whom at every classic cut, as `couple.decomposition` says.
#pragma once

#include <vector>

#include "config/scenario.hpp"
#include "partition/body_graph.hpp"
#include "scheme/coupling_plan.hpp"

namespace cosimo {

/// Of every coupling, and put into the interface. Throws Error when the scenario names an element that is no
/// cut.
std::vector<CouplingPlan::Cut> decompose(const config::Scenario& scenario, const BodyGraph& graph,
                                         Interface& interface);

}  // namespace cosimo
