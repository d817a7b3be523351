#include "partition/adjacency.hpp"

#include <algorithm>
#include <numeric>

namespace cosimo {

Adjacency::Adjacency(const BodyGraph& model, std::span<const ElementId> without)
    : first_(model.bodies() + 1, 0) {
  const std::size_t elements = model.elements();
  const auto for_edges = [&](auto visit) {
    std::size_t skip = 0;
    for (std::size_t e = 0; e < elements; ++e) {
      if (skip < without.size() && without[skip].index() == e) {
        ++skip;
        continue;
      }
      const ElementEnds ends = model.ends(ElementId(e));
      if (joins_bodies(ends)) visit(ends.from, ends.to);
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

Components components(const Adjacency& graph) {
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

Components joined_components(const BodyGraph& model, std::span<const std::int32_t> group_of_body,
                             std::span<const ElementId> removed) {
  Components result = components(Adjacency(model, removed));
  // Components that share a group are one.
  std::vector<std::int32_t> up(result.count), first_of_group(group_of_body.size(), -1);
  std::iota(up.begin(), up.end(), 0);
  const auto root = [&](std::int32_t c) {
    while (up[static_cast<std::size_t>(c)] != c) c = up[static_cast<std::size_t>(c)];
    return c;
  };
  for (std::size_t i = 0; i < group_of_body.size(); ++i) {
    std::int32_t& first = first_of_group[static_cast<std::size_t>(group_of_body[i])];
    if (first < 0) first = result.of_body[i];
    const std::int32_t a = root(first), b = root(result.of_body[i]);
    up[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }
  std::vector<std::int32_t> number(result.count, -1);
  result.count = 0;
  for (std::int32_t& component : result.of_body) {
    std::int32_t& mine = number[static_cast<std::size_t>(root(component))];
    if (mine < 0) mine = static_cast<std::int32_t>(result.count++);
    component = mine;
  }
  return result;
}

}  // namespace cosimo
