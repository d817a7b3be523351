// METIS divides the graph of bodies; partition/place.cpp gives it the graph of parts.
#include <metis.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/check.hpp"
#include "numerics/metis_turn.hpp"
#include "partition/assignment.hpp"
#include "partition/path_cover.hpp"

namespace cosimo {

namespace {

/// The graph as METIS wants it: no edge twice, parallel elements as one heavier edge.
struct MetisGraph {
  std::vector<idx_t> first, neighbour, weight;

  explicit MetisGraph(const Adjacency& graph) : first{0} {
    for (std::size_t body = 0; body < graph.size(); ++body) {
      for (const std::int32_t other : graph.neighbours(body)) {
        const bool repeated =
            neighbour.size() > static_cast<std::size_t>(first.back()) && neighbour.back() == other;
        if (repeated) {
          ++weight.back();
        } else {
          neighbour.push_back(other);
          weight.push_back(1);
        }
      }
      first.push_back(static_cast<idx_t>(neighbour.size()));
    }
  }
};

/// Whole numbers for METIS in the proportions of `values`, at least 1 each, their sum far from overflow.
std::vector<idx_t> whole_numbers(std::span<const double> values) {
  double sum = 0, smallest = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    sum += value;
    smallest = std::min(smallest, value);
  }
  constexpr double most = 1 << 29;
  const double fine = 100 / std::max(smallest, sum / (1000.0 * static_cast<double>(values.size())));
  const double scale = sum > 0 ? std::min(fine, most / sum) : 0;
  std::vector<idx_t> result;
  result.reserve(values.size());
  for (const double value : values)
    result.push_back(std::max<idx_t>(1, static_cast<idx_t>(std::lround(scale * value))));
  return result;
}

/// A graph in the arrays of METIS.
struct KwayGraph {
  std::vector<idx_t>& first;
  std::vector<idx_t>& neighbour;
  std::vector<idx_t>& edge_weight;
  std::vector<idx_t>* vertex_weight = nullptr;
  bool connected = true;
};

std::vector<std::int32_t> kway(const KwayGraph& graph, std::size_t parts, idx_t tries) {
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_NCUTS] = tries;
  // METIS refuses to promise connected parts of a graph that is not connected itself.
  options[METIS_OPTION_CONTIG] = graph.connected ? 1 : 0;
  auto vertices = static_cast<idx_t>(graph.first.size() - 1);
  idx_t balances = 1;
  auto wanted = static_cast<idx_t>(parts);
  idx_t cut = 0;
  std::vector<idx_t> part(graph.first.size() - 1, 0);
  const MetisTurn turn;
  const int status =
      METIS_PartGraphKway(&vertices, &balances, graph.first.data(), graph.neighbour.data(),
                          graph.vertex_weight == nullptr ? nullptr : graph.vertex_weight->data(), nullptr,
                          graph.edge_weight.data(), &wanted, nullptr, nullptr, options, &cut, part.data());
  COSIMO_CHECK(status == METIS_OK, "METIS returned " + std::to_string(status));
  return {part.begin(), part.end()};
}

/// METIS may leave a part empty when there are few bodies per part. Such a part takes the second half
/// of the largest one, cut along its natural order.
void fill_empty_parts(Assignment& assignment, const Adjacency& graph) {
  std::vector<std::size_t> size(assignment.parts, 0);
  for (const std::int32_t part : assignment.part_of) ++size[static_cast<std::size_t>(part)];
  if (std::find(size.begin(), size.end(), 0) == size.end()) return;
  PathCover cover(graph);
  for (std::size_t empty = 0; empty < size.size(); ++empty) {
    if (size[empty] != 0) continue;
    const auto largest = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
    std::vector<BodyId> bodies;
    for (std::size_t i = 0; i < assignment.part_of.size(); ++i)
      if (assignment.part_of[i] == static_cast<std::int32_t>(largest)) bodies.push_back(BodyId(i));
    bodies = cover.order(std::move(bodies));
    const std::size_t kept = (bodies.size() + 1) / 2;
    for (std::size_t i = kept; i < bodies.size(); ++i)
      assignment.part_of[bodies[i].index()] = static_cast<std::int32_t>(empty);
    size[empty] = bodies.size() - kept;
    size[largest] = kept;
  }
}

/// The same for a cut graph: the half that is farther from the part's first vertex.
void fill_empty_parts(const CutGraph& graph, std::size_t parts, std::vector<std::int32_t>& part_of) {
  std::vector<std::size_t> size(parts, 0);
  for (const std::int32_t part : part_of) ++size[static_cast<std::size_t>(part)];
  for (std::size_t empty = 0; empty < parts; ++empty) {
    if (size[empty] != 0) continue;
    const auto largest = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
    const auto pieces = pieces_of(graph, [&](std::size_t from, const CutEdge& edge) {
      return part_of[from] == part_of[static_cast<std::size_t>(edge.to)];
    });
    std::vector<std::int32_t> order;  // breadth first, piece after piece
    for (const auto& piece : pieces)
      if (part_of[static_cast<std::size_t>(piece[0])] == static_cast<std::int32_t>(largest)) {
        const std::size_t begin = order.size();
        std::vector<bool> seen(graph.size());
        order.push_back(piece[0]);
        seen[static_cast<std::size_t>(piece[0])] = true;
        for (std::size_t next = begin; next < order.size(); ++next)
          for (const CutEdge& edge : graph.edges(static_cast<std::size_t>(order[next]))) {
            const auto to = static_cast<std::size_t>(edge.to);
            if (seen[to] || part_of[to] != static_cast<std::int32_t>(largest)) continue;
            seen[to] = true;
            order.push_back(edge.to);
          }
      }
    const std::size_t kept = (order.size() + 1) / 2;
    for (std::size_t i = kept; i < order.size(); ++i)
      part_of[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(empty);
    size[empty] = order.size() - kept;
    size[largest] = kept;
  }
}

/// Few vertices for every part: shares of equal cost along a depth-first walk from an end of the graph.
/// METIS coarsens such graphs to nothing and complains on the terminal.
std::vector<std::int32_t> divide_along_walk(const CutGraph& graph, std::size_t parts) {
  std::vector<bool> seen(graph.size());
  std::vector<std::int32_t> order, open;
  const auto walk = [&](std::size_t start) {
    order.clear();
    seen.assign(graph.size(), false);
    for (std::size_t k = 0; k < graph.size(); ++k) {
      open.push_back(static_cast<std::int32_t>((start + k) % graph.size()));
      while (!open.empty()) {
        const auto v = static_cast<std::size_t>(open.back());
        open.pop_back();
        if (seen[v]) continue;
        seen[v] = true;
        order.push_back(static_cast<std::int32_t>(v));
        for (const CutEdge& edge : graph.edges(v)) open.push_back(edge.to);
      }
    }
  };
  walk(0);
  walk(static_cast<std::size_t>(order.back()));
  double total = 0, before = 0;
  for (std::size_t v = 0; v < graph.size(); ++v) total += graph.cost(v);
  std::vector<std::int32_t> part_of(graph.size());
  std::size_t part = 0, in_part = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto v = static_cast<std::size_t>(order[i]);
    const double end = total * static_cast<double>(part + 1) / static_cast<double>(parts);
    const bool needed = order.size() - i < parts - part;
    if (in_part > 0 && part + 1 < parts && (needed || before + 0.5 * graph.cost(v) > end))
      ++part, in_part = 0;
    part_of[v] = static_cast<std::int32_t>(part);
    before += graph.cost(v);
    ++in_part;
  }
  return part_of;
}

}  // namespace

Assignment assign_metis(const Adjacency& graph, std::size_t parts) {
  Assignment result{std::vector<std::int32_t>(graph.size(), 0), parts};
  if (parts == 1) return result;
  if (parts == graph.size()) {
    std::iota(result.part_of.begin(), result.part_of.end(), 0);
    return result;
  }
  MetisGraph metis(graph);
  result.part_of =
      kway({metis.first, metis.neighbour, metis.weight, nullptr, components(graph).count == 1}, parts, 1);
  fill_empty_parts(result, graph);
  renumber(result);
  return result;
}

std::vector<std::int32_t> divide(const CutGraph& graph, std::size_t parts) {
  std::vector<std::int32_t> part_of(graph.size(), 0);
  if (parts == 1) return part_of;
  constexpr std::size_t few = 8;
  if (graph.size() < few * parts) return divide_along_walk(graph, parts);
  std::vector<idx_t> first(graph.first.begin(), graph.first.end()), neighbour;
  std::vector<double> edge_cost, vertex_cost;
  for (const CutEdge& edge : graph.edge) {
    neighbour.push_back(edge.to);
    edge_cost.push_back(edge.cost);
  }
  for (std::size_t v = 0; v < graph.size(); ++v) vertex_cost.push_back(graph.cost(v));
  std::vector<idx_t> edge_weight = whole_numbers(edge_cost), vertex_weight = whole_numbers(vertex_cost);
  constexpr std::size_t large = 200'000;
  const bool connected = pieces_of(graph, [](std::size_t, const CutEdge&) { return true; }).size() == 1;
  part_of = kway({first, neighbour, edge_weight, &vertex_weight, connected}, parts,
                 graph.size() < large ? idx_t{8} : idx_t{1});
  fill_empty_parts(graph, parts, part_of);
  return part_of;
}

}  // namespace cosimo
