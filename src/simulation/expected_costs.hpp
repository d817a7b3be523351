// What every part of a cut model is expected to cost, for placing parts on ranks.
//
// Bodies times the rate of the fastest, as micro steps follow it: max over the elements of the part of
// sqrt(k/m) + d/m (partition/body_graph.hpp). Every rank looks at the parts whose bodies it has been
// given.
#pragma once

#include <vector>

#include "parallel/exchange.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

/// The same on all ranks. Collective.
std::vector<double> expected_costs(const BodyGraph& graph, const Partition& partition, Exchange& exchange);

}  // namespace cosimo
