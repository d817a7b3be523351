#include "partition/cut_graph.hpp"

#include <numeric>

#include "core/check.hpp"
#include "partition/adjacency.hpp"

namespace cosimo {

namespace {

/// New number of every group, by its first appearance in the table of elements.
std::vector<std::int32_t> numbers_by_elements(const BodyGraph& model,
                                              std::span<const std::int32_t> group_of_body,
                                              std::size_t groups) {
  std::vector<std::int32_t> number(groups, -1);
  std::int32_t next = 0;
  const auto meet = [&](BodyId body) {
    if (body == ground) return;
    std::int32_t& mine = number[static_cast<std::size_t>(group_of_body[body.index()])];
    if (mine < 0) mine = next++;
  };
  for (std::size_t e = 0; e < model.elements(); ++e) {
    const ElementEnds ends = model.ends(ElementId{e});
    meet(ends.from);
    meet(ends.to);
  }
  for (std::int32_t& mine : number)
    if (mine < 0) mine = next++;
  return number;
}

struct Triple {
  std::int32_t from, to;
  double cost;
};

/// Fills the edges from a list with both directions of every one.
void set_edges(CutGraph& graph, std::vector<Triple> list) {
  // Stable: parallel elements add up in the order of their numbers.
  std::stable_sort(list.begin(), list.end(), [](const Triple& a, const Triple& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  graph.first.assign(1, 0);
  std::size_t next = 0;
  for (std::size_t vertex = 0; vertex < graph.size(); ++vertex) {
    for (; next < list.size() && list[next].from == static_cast<std::int32_t>(vertex); ++next) {
      const bool repeated = graph.edge.size() > graph.first.back() && graph.edge.back().to == list[next].to;
      if (repeated)
        graph.edge.back().cost += list[next].cost;
      else
        graph.edge.push_back({list[next].to, list[next].cost});
    }
    graph.first.push_back(graph.edge.size());
  }
}

}  // namespace

std::vector<std::int32_t> groups_of(const BodyGraph& model, std::span<const ElementId> kept_whole) {
  std::vector<std::int32_t> group = model.groups();
  if (kept_whole.empty()) return group;
  std::vector<std::int32_t> up(group.size());
  std::iota(up.begin(), up.end(), 0);
  const auto root = [&](std::int32_t g) {
    while (up[static_cast<std::size_t>(g)] != g) g = up[static_cast<std::size_t>(g)];
    return g;
  };
  for (const ElementId e : kept_whole) {
    const ElementEnds ends = model.ends(e);
    if (!joins_bodies(ends)) continue;
    const std::int32_t a = root(group[ends.from.index()]), b = root(group[ends.to.index()]);
    up[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }
  std::vector<std::int32_t> number(group.size(), -1);
  std::int32_t next = 0;
  for (std::int32_t& g : group) {
    std::int32_t& mine = number[static_cast<std::size_t>(root(g))];
    if (mine < 0) mine = next++;
    g = mine;
  }
  return group;
}

CutGraphOfModel make_cut_graph(const BodyGraph& model, const CutCosts& costs,
                               std::span<const std::int32_t> group_of_body,
                               std::span<const ElementId> without) {
  CutGraphOfModel result;
  CutGraph& graph = result.graph;
  std::size_t groups = 0;
  for (const std::int32_t g : group_of_body) groups = std::max(groups, static_cast<std::size_t>(g) + 1);
  const std::vector<std::int32_t> number = numbers_by_elements(model, group_of_body, groups);
  graph.freedoms.assign(groups, 0);
  graph.steps.assign(groups, 0);
  for (std::size_t i = 0; i < group_of_body.size(); ++i) {
    result.vertex_of.push_back(number[static_cast<std::size_t>(group_of_body[i])]);
    const auto vertex = static_cast<std::size_t>(result.vertex_of.back());
    graph.freedoms[vertex] += costs.body[i].freedoms;
    graph.steps[vertex] = std::max(graph.steps[vertex], costs.body[i].steps);
  }
  std::vector<Triple> list;
  std::size_t skip = 0;
  for (std::size_t e = 0; e < model.elements(); ++e) {
    if (skip < without.size() && without[skip].index() == e) {
      ++skip;
      continue;
    }
    const ElementEnds ends = model.ends(ElementId{e});
    if (!joins_bodies(ends)) continue;
    const std::int32_t a = result.vertex_of[ends.from.index()], b = result.vertex_of[ends.to.index()];
    if (a == b) continue;
    list.push_back({a, b, costs.element[e].cost});
    list.push_back({b, a, costs.element[e].cost});
  }
  set_edges(graph, std::move(list));
  return result;
}

CutGraph subgraph(const CutGraph& graph, std::span<const std::int32_t> vertices) {
  CutGraph result;
  std::vector<std::int32_t> place(graph.size(), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i)
    place[static_cast<std::size_t>(vertices[i])] = static_cast<std::int32_t>(i);
  for (const std::int32_t v : vertices) {
    const auto vertex = static_cast<std::size_t>(v);
    result.freedoms.push_back(graph.freedoms[vertex]);
    result.steps.push_back(graph.steps[vertex]);
    for (const CutEdge& edge : graph.edges(vertex)) {
      const std::int32_t to = place[static_cast<std::size_t>(edge.to)];
      if (to >= 0) result.edge.push_back({to, edge.cost});
    }
    result.first.push_back(result.edge.size());
  }
  return result;
}

}  // namespace cosimo
