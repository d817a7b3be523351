#include "partition/body_graph.hpp"

#include <algorithm>

namespace cosimo {

BodyGraph::BodyGraph(const Model& model, std::span<const ElementId> without)
    : first_(model.bodies.count + 1, 0) {
  const SpringDampers& elements = model.elements;
  const auto for_edges = [&](auto visit) {
    std::size_t skip = 0;
    for (std::size_t e = 0; e < elements.count(); ++e) {
      if (skip < without.size() && without[skip].index() == e) {
        ++skip;
        continue;
      }
      if (joins_bodies(elements, e)) visit(elements.from[e], elements.to[e]);
    }
  };
  for_edges([&](BodyId a, BodyId b) {
    ++first_[a.index() + 1];
    ++first_[b.index() + 1];
  });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  neighbour_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_edges([&](BodyId a, BodyId b) {
    neighbour_[next[a.index()]++] = b.value;
    neighbour_[next[b.index()]++] = a.value;
  });
  for (std::size_t body = 0; body < size(); ++body)
    std::sort(neighbour_.begin() + static_cast<std::ptrdiff_t>(first_[body]),
              neighbour_.begin() + static_cast<std::ptrdiff_t>(first_[body + 1]));
}

Components components(const BodyGraph& graph) {
  Components result;
  result.of_body.assign(graph.size(), -1);
  std::vector<std::int32_t> open;
  for (std::size_t start = 0; start < graph.size(); ++start) {
    if (result.of_body[start] >= 0) continue;
    const auto number = static_cast<std::int32_t>(result.count++);
    result.of_body[start] = number;
    open.push_back(static_cast<std::int32_t>(start));
    while (!open.empty()) {
      const auto body = static_cast<std::size_t>(open.back());
      open.pop_back();
      for (const std::int32_t next : graph.neighbours(body)) {
        std::int32_t& component = result.of_body[static_cast<std::size_t>(next)];
        if (component >= 0) continue;
        component = number;
        open.push_back(next);
      }
    }
  }
  return result;
}

}  // namespace cosimo
