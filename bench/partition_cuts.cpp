// Random division of a model into connected parts.
#include <algorithm>
#include <utility>

#include "bench/partition_models.hpp"
#include "core/random.hpp"
#include "model/graphs.hpp"

namespace cosimo::bench {

namespace {

constexpr std::int32_t none = -1;

/// A number below n, the next of a stream.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : stream_(seed, 0) {}
  std::size_t below(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(stream_.uniform(count_++) * static_cast<double>(n)));
  }

 private:
  RandomStream stream_;
  std::uint64_t count_ = 0;
};

/// Neighbours of every group of bodies that joints hold together.
std::vector<std::vector<std::int32_t>> group_graph(const Model& model, std::span<const std::int32_t> group) {
  std::vector<std::vector<std::int32_t>> graph(
      static_cast<std::size_t>(*std::max_element(group.begin(), group.end())) + 1);
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const ElementEnds ends = ends_of(model, ElementId(e));
    if (!joins_bodies(ends)) continue;
    const std::int32_t a = group[ends.from.index()], b = group[ends.to.index()];
    if (a == b) continue;
    graph[static_cast<std::size_t>(a)].push_back(b);
    graph[static_cast<std::size_t>(b)].push_back(a);
  }
  return graph;
}

std::vector<std::int32_t> grow(const std::vector<std::vector<std::int32_t>>& graph, std::size_t parts,
                               Dice& dice) {
  std::vector<std::int32_t> part_of(graph.size(), none);
  std::vector<std::pair<std::int32_t, std::int32_t>> frontier;  // a group, and the part that may take it
  const auto take = [&](std::size_t group, std::int32_t part) {
    part_of[group] = part;
    for (const std::int32_t next : graph[group]) frontier.emplace_back(next, part);
  };
  for (std::int32_t part = 0; part < static_cast<std::int32_t>(parts);) {
    const std::size_t group = dice.below(graph.size());
    if (part_of[group] == none) take(group, part++);
  }
  while (!frontier.empty()) {
    std::swap(frontier[dice.below(frontier.size())], frontier.back());
    const auto [group, part] = frontier.back();
    frontier.pop_back();
    if (part_of[static_cast<std::size_t>(group)] == none) take(static_cast<std::size_t>(group), part);
  }
  return part_of;
}

}  // namespace

std::vector<std::int64_t> random_cuts(const Model& model, std::size_t parts, std::uint64_t seed) {
  const std::vector<std::int32_t> group = make_graph(model)->groups();
  Dice dice(seed);
  const auto part_of = grow(group_graph(model, group), parts, dice);
  const auto part = [&](BodyId body) { return part_of[static_cast<std::size_t>(group[body.index()])]; };
  std::vector<std::int64_t> cuts;
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const ElementEnds ends = ends_of(model, ElementId(e));
    if (joins_bodies(ends) && part(ends.from) != part(ends.to)) cuts.push_back(ElementId(e).label());
  }
  return cuts;
}

}  // namespace cosimo::bench
