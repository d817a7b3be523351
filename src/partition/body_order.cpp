#include "partition/body_order.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace cosimo {

namespace {

/// So many elements must lie at regular distances for an order to be left as it is.
constexpr double regular_enough = 0.75;
/// Distances that fewer elements have are not regular.
constexpr std::size_t fewest_alike = 16;
/// Smaller parts stay in the cache whatever their order.
constexpr std::size_t worth_the_search = 64;
/// A new order must make elements so much shorter.
constexpr double worth_renumbering = 1.5;
/// Bodies with like numbers of elements are brought together within groups of this size: vectors of rows are
/// then full.
constexpr std::size_t sorted_together = 256;

std::size_t index(std::int32_t body) {
  return static_cast<std::size_t>(body);
}

}  // namespace

BodyOrder::BodyOrder(const Adjacency& graph, bool renumber)
    : graph_(graph),
      renumber_(renumber),
      cover_(graph),
      place_(graph.size(), none),
      level_(graph.size(), none) {}

std::vector<BodyId> BodyOrder::order(std::vector<BodyId> bodies) {
  const Layout given = judge(bodies);
  if (given.regular >= regular_enough) return bodies;
  std::vector<BodyId> covered = cover_.order(bodies);
  if (!renumber_ || bodies.size() < worth_the_search || judge(covered).regular >= regular_enough)
    return covered;
  std::vector<BodyId> anew = cuthill_mckee(bodies);
  return given.distance > worth_renumbering * judge(anew).distance ? anew : bodies;
}

BodyOrder::Layout BodyOrder::judge(const std::vector<BodyId>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) place_[bodies[i].index()] = static_cast<std::int32_t>(i);
  std::unordered_map<std::int32_t, std::size_t> count;
  std::size_t total = 0;
  double sum = 0;
  for (const BodyId body : bodies)
    for (const std::int32_t other : graph_.neighbours(body.index())) {
      const std::int32_t distance = place_[index(other)] - place_[body.index()];
      if (place_[index(other)] == none || distance <= 0) continue;
      ++count[distance];
      ++total;
      sum += distance;
    }
  for (const BodyId body : bodies) place_[body.index()] = none;
  if (total == 0) return {};
  std::size_t regular = 0;
  for (const auto& [distance, elements] : count)
    if (8 * elements >= bodies.size() && elements >= fewest_alike) regular += elements;
  return {static_cast<double>(regular) / static_cast<double>(total), sum / static_cast<double>(total)};
}

/// Breadth first, neighbours with few elements before those with many.
void BodyOrder::search(std::int32_t start, std::vector<std::int32_t>& found) {
  const std::size_t begin = found.size();
  found.push_back(start);
  level_[index(start)] = 0;
  for (std::size_t k = begin; k < found.size(); ++k) {
    const std::int32_t body = found[k];
    const std::size_t first = found.size();
    for (const std::int32_t next : graph_.neighbours(index(body))) {
      if (place_[index(next)] == none || level_[index(next)] != none) continue;
      level_[index(next)] = level_[index(body)] + 1;
      found.push_back(next);
    }
    std::stable_sort(
        found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
        [&](std::int32_t a, std::int32_t b) { return graph_.degree(index(a)) < graph_.degree(index(b)); });
  }
}

/// A body that lies as far from others as any: searches from it have many narrow levels.
std::int32_t BodyOrder::far_end(std::int32_t start) {
  std::vector<std::int32_t> found;
  for (std::int32_t depth = -1;;) {
    search(start, found);
    const std::int32_t reached = level_[index(found.back())];
    auto end = found.back();
    for (auto body = found.rbegin(); body != found.rend() && level_[index(*body)] == reached; ++body)
      if (graph_.degree(index(*body)) < graph_.degree(index(end))) end = *body;
    for (const std::int32_t body : found) level_[index(body)] = none;
    found.clear();
    if (reached <= depth) return start;
    depth = reached;
    start = end;
  }
}

std::vector<BodyId> BodyOrder::cuthill_mckee(const std::vector<BodyId>& bodies) {
  for (const BodyId body : bodies) place_[body.index()] = 0;
  std::vector<std::int32_t> found;
  found.reserve(bodies.size());
  for (const BodyId body : bodies)
    if (level_[body.index()] == none) search(far_end(static_cast<std::int32_t>(body.index())), found);
  for (const BodyId body : bodies) place_[body.index()] = level_[body.index()] = none;
  std::ranges::reverse(found);
  for (auto group = found.begin(); group != found.end();) {
    const auto end = group + std::min<std::ptrdiff_t>(sorted_together, found.end() - group);
    std::stable_sort(group, end, [&](std::int32_t a, std::int32_t b) {
      return graph_.degree(index(a)) > graph_.degree(index(b));
    });
    group = end;
  }
  std::vector<BodyId> out;
  out.reserve(found.size());
  for (const std::int32_t body : found) out.push_back(BodyId(index(body)));
  return out;
}

}  // namespace cosimo
