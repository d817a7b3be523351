// Moves every cut to the cheapest place nearby: what finds the cut one mass further.
//
// For two neighbouring parts a and b, vertices of a beside b go over to b one after the other, each time the
// one whose move lowers the cost of the cuts most or raises it least, until b has all it may have. The best
// state on that way is kept: cheap cuts behind dear ones are found too. Then the same from b to a, for all
// pairs, until nothing improves. (Fiduccia and Mattheyses' pass, in one direction at a time so that a cut
// walks along a chain without leaving holes.)
//
// States are compared by how far parts exceed their limits, then by the cost of the cuts, then by what both
// parts cost together (slow bodies leave stiff parts), then by the larger part. A move never leaves a part
// empty or in more pieces. The result depends on the graph and the numbers of the parts alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partition/cut_graph.hpp"

namespace cosimo {

/// `limit`: what the vertices of each part may cost together (freedoms times the steps of the fastest).
void refine(const CutGraph& graph, std::span<const double> limit, std::span<std::int32_t> part_of);

}  // namespace cosimo
