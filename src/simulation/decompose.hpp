// Who drives whom at every cut: the `couple.decomposition` of the scenario put into the interface.
#pragma once

#include <string>

#include "config/scenario.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

/// Throws Error when the scenario names an element that is no cut.
void decompose(const config::Scenario& scenario, const BodyGraph& graph, Interface& interface);

/// In the words of the scenario file; "mixed" when the cuts differ.
std::string decomposition_name(const Interface& interface);

}  // namespace cosimo
