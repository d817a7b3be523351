// The only file that knows METIS.
#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "core/check.hpp"
#include "partition/assignment.hpp"
#include "partition/path_cover.hpp"

namespace cosimo {

namespace {

/// The graph as METIS wants it: no edge twice, parallel elements as one heavier edge.
struct MetisGraph {
  std::vector<idx_t> first, neighbour, weight;

  explicit MetisGraph(const BodyGraph& graph) : first{0} {
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

/// METIS may leave a part empty when there are few bodies per part. Such a part takes the second half
/// of the largest one, cut along its natural order.
void fill_empty_parts(Assignment& assignment, const BodyGraph& graph) {
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

}  // namespace

Assignment assign_metis(const BodyGraph& graph, std::size_t parts) {
  Assignment result{std::vector<std::int32_t>(graph.size(), 0), parts};
  if (parts == 1) return result;
  if (parts == graph.size()) {
    std::iota(result.part_of.begin(), result.part_of.end(), 0);
    return result;
  }
  MetisGraph metis(graph);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  // METIS refuses to promise connected parts of a graph that is not connected itself.
  options[METIS_OPTION_CONTIG] = components(graph).count == 1 ? 1 : 0;
  auto vertices = static_cast<idx_t>(graph.size());
  idx_t balances = 1;
  auto wanted = static_cast<idx_t>(parts);
  idx_t cut = 0;
  std::vector<idx_t> part(graph.size(), 0);
  const int status =
      METIS_PartGraphKway(&vertices, &balances, metis.first.data(), metis.neighbour.data(), nullptr, nullptr,
                          metis.weight.data(), &wanted, nullptr, nullptr, options, &cut, part.data());
  COSIMO_CHECK(status == METIS_OK, "METIS returned " + std::to_string(status));
  for (std::size_t i = 0; i < part.size(); ++i) result.part_of[i] = static_cast<std::int32_t>(part[i]);
  fill_empty_parts(result, graph);
  renumber(result);
  return result;
}

}  // namespace cosimo
