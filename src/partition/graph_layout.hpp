// Where to draw the bodies of a model: two coordinates each.
//
// - Bodies that lie in a plane or in space: their initial places, seen along the axis in which
//   they spread least.
// - Chains: along a line, one below the other if there are several.
// - Anything else: a layout of the graph in which distances on paper follow distances on the graph (stress
//   majorisation; Gansner, Koren, North, "Graph drawing by stress majorization", 2004). Groups joined by
//   constraints are one point. Above 400 points a subset spread over the graph is laid out, and the others
//   settle between their neighbours.
//
// The same model gives the same picture; nothing is random.
#pragma once

#include <array>
#include <vector>

#include "partition/body_graph.hpp"

namespace cosimo {

using PicturePoint = std::array<double, 2>;

/// One point per body, scaled so that the longer side of the picture is 1, beginning at (0, 0).
std::vector<PicturePoint> graph_layout(const BodyGraph& model);

}  // namespace cosimo
