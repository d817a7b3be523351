// The graph that is cut: a vertex for every group of bodies that no cut may part, an edge for all elements
// between two groups, with what it costs to cut them.
//
// Vertices are numbered by their first appearance in the table of elements, never by body numbers: whatever
// works on this graph alone gives the same cuts when bodies are renumbered. Bodies without elements come
// last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "partition/body_graph.hpp"
#include "partition/cut_cost.hpp"

namespace cosimo {

struct CutEdge {
  std::int32_t to = 0;
  double cost = 0;  ///< of all elements between the two together
};

struct CutGraph {
  std::vector<std::size_t> first{0};
  std::vector<CutEdge> edge;     ///< of every vertex, ascending by `to`, no vertex twice
  std::vector<double> freedoms;  ///< of every vertex
  std::vector<double> steps;     ///< of its fastest body

  std::size_t size() const { return freedoms.size(); }
  std::span<const CutEdge> edges(std::size_t vertex) const {
    return std::span(edge).subspan(first[vertex], first[vertex + 1] - first[vertex]);
  }
  double cost(std::size_t vertex) const { return freedoms[vertex] * steps[vertex]; }
};

/// The groups of BodyGraph::groups(), with the ends of every element of `kept_whole` in one group as well.
std::vector<std::int32_t> groups_of(const BodyGraph& model, std::span<const ElementId> kept_whole);

struct CutGraphOfModel {
  CutGraph graph;
  std::vector<std::int32_t> vertex_of;  ///< of every body
};

/// `without` (ascending) names elements that count as cut already.
CutGraphOfModel make_cut_graph(const BodyGraph& model, const CutCosts& costs,
                               std::span<const std::int32_t> group_of_body,
                               std::span<const ElementId> without = {});

/// The graph among some vertices (ascending), numbered by their place there.
CutGraph subgraph(const CutGraph& graph, std::span<const std::int32_t> vertices);

/// Connected components, numbered by their smallest vertex, over the edges that `passes(from, edge)` lets
/// through.
template <class Passes>
std::vector<std::vector<std::int32_t>> pieces_of(const CutGraph& graph, Passes passes) {
  std::vector<std::vector<std::int32_t>> pieces;
  std::vector<bool> seen(graph.size());
  for (std::size_t start = 0; start < graph.size(); ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    std::vector<std::int32_t> piece{static_cast<std::int32_t>(start)};
    for (std::size_t next = 0; next < piece.size(); ++next) {
      const auto at = static_cast<std::size_t>(piece[next]);
      for (const CutEdge& edge : graph.edges(at)) {
        const auto to = static_cast<std::size_t>(edge.to);
        if (seen[to] || !passes(at, edge)) continue;
        seen[to] = true;
        piece.push_back(edge.to);
      }
    }
    std::sort(piece.begin(), piece.end());
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace cosimo
