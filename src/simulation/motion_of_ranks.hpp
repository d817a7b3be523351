// The typical motion of a model (partition/body_graph.hpp) of which every rank may know a window.
#pragma once

#include "parallel/exchange.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

/// BodyGraph::motion() of the whole, to the bit. Ranks that do not know all bodies list those of their own
/// parts in the partition, and know both ends of every cut. Collective.
TypicalMotion motion_of_ranks(const BodyGraph& graph, const Partition& partition, Exchange& exchange);

}  // namespace cosimo
