#include "partition/path_cover.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace cosimo {

namespace {
std::size_t index(std::int32_t body) {
  return static_cast<std::size_t>(body);
}
}  // namespace

PathCover::PathCover(const Adjacency& graph) : graph_(graph), node_(graph.size()) {}

std::vector<BodyId> PathCover::order(std::vector<BodyId> bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    COSIMO_CHECK(i == 0 || bodies[i - 1] < bodies[i], "bodies must be ascending and distinct");
    node_[bodies[i].index()].position = static_cast<std::int32_t>(i);
  }
  std::vector<BodyId> result;
  if (already_path(bodies)) {
    result = bodies;
  } else {
    std::vector<std::int32_t> visited;
    visited.reserve(bodies.size());
    for (const BodyId body : bodies)
      if (!node_[body.index()].seen) search_depth_first(body.index(), visited);
    join_paths(visited);
    result.reserve(bodies.size());
    emit(bodies, result);
  }
  for (const BodyId body : bodies) node_[body.index()] = Node{};
  return result;
}

bool PathCover::already_path(std::span<const BodyId> bodies) const {
  for (const BodyId body : bodies) {
    const std::int32_t own = node_[body.index()].position;
    for (const std::int32_t next : graph_.neighbours(body.index())) {
      const std::int32_t other = node_[index(next)].position;
      if (other != none && other != own - 1 && other != own + 1) return false;
    }
  }
  return true;
}

/// Appends the bodies of one component in the order of their discovery: parents before children.
void PathCover::search_depth_first(std::size_t root, std::vector<std::int32_t>& visited) {
  struct Visit {
    std::size_t body;
    std::size_t next;  ///< which neighbour to look at
  };
  std::vector<Visit> stack{{root, 0}};
  node_[root].seen = true;
  visited.push_back(static_cast<std::int32_t>(root));
  while (!stack.empty()) {
    Visit& frame = stack.back();
    const auto neighbours = graph_.neighbours(frame.body);
    if (frame.next == neighbours.size()) {
      stack.pop_back();
      continue;
    }
    const std::int32_t body = neighbours[frame.next++];
    Node& node = node_[index(body)];
    if (node.position == none || node.seen) continue;
    node.seen = true;
    node.parent = static_cast<std::int32_t>(frame.body);
    visited.push_back(body);
    stack.push_back({index(body), 0});
  }
}

/// Children come first in reverse order of discovery, so a body meets its parent only after all
/// of its own children have offered it their paths.
void PathCover::join_paths(std::span<const std::int32_t> visited) {
  for (auto body = visited.rbegin(); body != visited.rend(); ++body) {
    Node& node = node_[index(*body)];
    if (node.parent == none || node.side[1] != none) continue;
    Node& parent = node_[index(node.parent)];
    if (parent.side[1] != none) continue;
    parent.side[parent.side[0] == none ? 0 : 1] = *body;
    node.side[node.side[0] == none ? 0 : 1] = node.parent;
  }
}

void PathCover::emit(std::span<const BodyId> bodies, std::vector<BodyId>& out) {
  const auto walk = [&](std::int32_t from, auto visit) {
    std::int32_t last = none;
    for (std::int32_t body = from; body != none;) {
      visit(body);
      const Node& node = node_[index(body)];
      const std::int32_t next = node.side[0] != last ? node.side[0] : node.side[1];
      last = body;
      body = next;
    }
  };
  for (const BodyId smallest : bodies) {
    if (node_[smallest.index()].emitted) continue;
    // From any body of the path to one of its ends, from there to the other.
    std::int32_t end = smallest.value;
    walk(smallest.value, [&](std::int32_t body) { end = body; });
    std::int32_t other = end;
    walk(end, [&](std::int32_t body) { other = body; });
    walk(std::min(end, other), [&](std::int32_t body) {
      node_[index(body)].emitted = true;
      out.push_back(BodyId(body));
    });
  }
}

}  // namespace cosimo
