#include "simulation/unsupported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

namespace cosimo {

namespace {

/// Bodies that hang together, the ground one of them.
class Connected {
 public:
  explicit Connected(std::size_t bodies) : up_(bodies + 1) {
    std::iota(up_.begin(), up_.end(), std::size_t{0});
  }

  std::size_t of(BodyId body) { return root(place(body)); }
  void join(BodyId a, BodyId b) {
    const std::size_t u = of(a), w = of(b);
    up_[std::max(u, w)] = std::min(u, w);
  }

 private:
  std::size_t place(BodyId body) const { return body == ground ? up_.size() - 1 : body.index(); }
  std::size_t root(std::size_t i) {
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }

  std::vector<std::size_t> up_;
};

}  // namespace

std::vector<std::string> unsupported_bodies(const BodyGraph& graph) {
  if (!graph.complete()) return {};  // a chain of which stretches are filled is connected
  Connected connected(graph.bodies());
  for (std::size_t e = 0; e < graph.elements(); ++e) {
    if (!graph.holds(ElementId{e})) continue;
    const ElementEnds ends = graph.ends(ElementId{e});
    connected.join(ends.from, ends.to);
  }
  for (const std::span<const BodyId> bodies : graph.joints()) {
    if (bodies.size() == 1) connected.join(bodies[0], ground);
    for (std::size_t i = 1; i < bodies.size(); ++i) connected.join(bodies[0], bodies[i]);
  }
  // Contacts and ropes may lead anywhere.
  for (const std::span<const BodyId> bodies : graph.together())
    for (const BodyId body : bodies) connected.join(body, ground);

  std::map<std::size_t, std::vector<BodyId>> adrift;  // by their first body
  for (std::size_t i = 0; i < graph.bodies(); ++i)
    if (const std::size_t set = connected.of(BodyId{i}); set != connected.of(ground))
      adrift[set].push_back(BodyId{i});
  const bool falls = graph.has_gravity();
  std::vector<std::string> lines;
  for (const auto& [set, bodies] : adrift) {
    if (!falls && bodies.size() == graph.bodies()) break;  // all of it flies freely
    const std::string others = bodies.size() > 1 ? fmt::format(" and {} more", bodies.size() - 1) : "";
    lines.push_back(fmt::format("{}{}: no joint and no element leads to the ground{}", graph.name(bodies[0]),
                                others, falls ? ", and gravity pulls" : ""));
  }
  return lines;
}

}  // namespace cosimo
