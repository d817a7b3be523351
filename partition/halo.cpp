#include "partition/halo.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>

#include "core/check.hpp"

namespace cosimo {

namespace {

/// A body that the halo may take next; the one with the most radius left comes first.
struct Candidate {
  double left = 0;
  HaloCopy copy;
  bool operator<(const Candidate& other) const {
    if (left != other.left) return left < other.left;
    return copy.body > other.copy.body;  // a definite order, whatever the queue does
  }
};

/// Shortest paths from the roots outwards. `enter` says whether a body may become a copy, `radius`
/// limits the growth (empty: no limit).
class Growth {
 public:
  Growth(const Surroundings& surroundings, const DecayAt& decay)
      : surroundings_(surroundings), decay_(decay) {}

  template <class Enter>
  std::vector<HaloCopy> grow(std::span<const HaloRoot> roots, bool limited, Enter enter) {
    std::vector<HaloCopy> copies;
    std::priority_queue<Candidate> open;
    const auto offer = [&](BodyId from, BodyId to, double left, double distance, int layer, int root) {
      if (to == ground || !enter(to) || taken_.contains(to.value)) return;
      const double step = std::min(theta(from), theta(to));
      open.push({left - step, {to, layer, distance + step, root}});
    };
    for (std::size_t r = 0; r < roots.size(); ++r) {
      const double radius = limited ? roots[r].radius : 0;
      if (!limited || radius > 0) offer(roots[r].own, roots[r].beyond, radius, 0, 1, static_cast<int>(r));
    }
    while (!open.empty()) {
      const Candidate next = open.top();
      open.pop();
      const HaloCopy& copy = next.copy;
      if (!taken_.emplace(copy.body.value, copies.size()).second) continue;
      copies.push_back(copy);
      if (limited && !(next.left > 0)) continue;
      for (const Incident& i : surroundings_.of(copy.body))
        offer(copy.body, i.other, next.left, copy.distance, copy.layer + 1, copy.root);
    }
    return copies;
  }

  bool taken(BodyId body) const { return taken_.contains(body.value); }

 private:
  double theta(BodyId body) {
    const auto [at, fresh] = theta_.try_emplace(body.value, 0.0);
    if (fresh) at->second = decay_(body);
    return at->second;
  }

  const Surroundings& surroundings_;
  const DecayAt& decay_;
  std::unordered_map<std::int32_t, std::size_t> taken_;
  std::unordered_map<std::int32_t, double> theta_;
};

/// What came out at each root: its layers, and the distance of its nearest far edge.
void describe_sides(std::size_t roots, const std::unordered_map<std::int32_t, std::size_t>& place,
                    Halo& halo) {
  halo.sides.assign(roots, {0, std::numeric_limits<double>::infinity()});
  for (const HaloCopy& copy : halo.copies) {
    HaloSide& side = halo.sides[static_cast<std::size_t>(copy.root)];
    side.layers = std::max(side.layers, copy.layer);
  }
  for (const FarEdge& edge : halo.edges) {
    const HaloCopy& copy = halo.copies[place.at(edge.copy.value)];
    HaloSide& side = halo.sides[static_cast<std::size_t>(copy.root)];
    side.distance = std::min(side.distance, copy.distance);
  }
}

std::unordered_map<std::int32_t, std::size_t> places(const Halo& halo) {
  std::unordered_map<std::int32_t, std::size_t> place;
  for (std::size_t i = 0; i < halo.copies.size(); ++i) place.emplace(halo.copies[i].body.value, i);
  return place;
}

/// Whether every element among the bodies (ascending) joins neighbours in the order.
bool is_path(const Surroundings& surroundings, const std::vector<BodyId>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (const Incident& incident : surroundings.of(bodies[i])) {
      if (incident.other == ground) continue;
      const bool next = (i > 0 && bodies[i - 1] == incident.other) ||
                        (i + 1 < bodies.size() && bodies[i + 1] == incident.other);
      if (!next && std::binary_search(bodies.begin(), bodies.end(), incident.other)) return false;
    }
  return true;
}

/// The copies that the solver's error norm watches: the nearer half of every side.
std::vector<BodyId> nearer_copies(const Halo& halo) {
  std::vector<BodyId> result;
  for (const HaloCopy& copy : halo.copies)
    if (2 * copy.layer <= halo.sides[static_cast<std::size_t>(copy.root)].layers + 1)
      result.push_back(copy.body);
  std::sort(result.begin(), result.end());
  return result;
}

/// Ascending order, if that is a path in which the own bodies keep their order and place.
bool order_as_path(const Surroundings& surroundings, const Part& core, std::span<const BodyId> nearer,
                   OverlappingPart& out) {
  std::vector<BodyId> all = out.part.bodies;
  std::sort(all.begin(), all.end());
  const auto own = std::search(all.begin(), all.end(), core.bodies.begin(), core.bodies.end());
  if (own == all.end() || !is_path(surroundings, all)) return false;
  const auto first = static_cast<std::size_t>(own - all.begin());
  out.part.owned = {first, first + core.bodies.size()};
  out.judged = out.part.owned;
  const auto near = [&](std::size_t i) { return std::binary_search(nearer.begin(), nearer.end(), all[i]); };
  while (out.judged.first > 0 && near(out.judged.first - 1)) --out.judged.first;
  while (out.judged.last < all.size() && near(out.judged.last)) ++out.judged.last;
  out.part.bodies = std::move(all);
  return true;
}

}  // namespace

Halo grow_halo(const Surroundings& surroundings, const std::function<bool(BodyId)>& owned,
               std::span<const HaloRoot> roots, const DecayAt& decay) {
  Halo halo;
  Growth growth(surroundings, decay);
  halo.copies = growth.grow(roots, true, [&](BodyId body) { return !owned(body); });
  for (const HaloCopy& copy : halo.copies)
    for (const Incident& i : surroundings.of(copy.body))
      if (i.other != ground && !owned(i.other) && !growth.taken(i.other))
        halo.edges.push_back({i.element, copy.body, i.other});
  describe_sides(roots.size(), places(halo), halo);
  return halo;
}

void measure_halo(const Surroundings& surroundings, std::span<const HaloRoot> roots, const DecayAt& decay,
                  Halo& halo) {
  const auto place = places(halo);
  Growth growth(surroundings, decay);
  const auto measured = growth.grow(roots, false, [&](BodyId body) { return place.contains(body.value); });
  for (const HaloCopy& copy : measured) {
    HaloCopy& known = halo.copies[place.at(copy.body.value)];
    known.distance = copy.distance;
    known.root = copy.root;
  }
  describe_sides(roots.size(), place, halo);
}

OverlappingPart carry(const Surroundings& surroundings, const Part& core, const Halo& halo) {
  COSIMO_CHECK(core.owned.size() == core.bodies.size(), "a halo grows around a part without copies");
  OverlappingPart result;
  result.edges = halo.edges;
  Part& part = result.part;
  part.bodies = core.bodies;
  for (const HaloCopy& copy : halo.copies) part.bodies.push_back(copy.body);
  const std::vector<BodyId> nearer = nearer_copies(halo);
  if (!order_as_path(surroundings, core, nearer, result)) {
    const auto near = [&](BodyId body) { return std::binary_search(nearer.begin(), nearer.end(), body); };
    const auto copies = part.bodies.begin() + static_cast<std::ptrdiff_t>(core.bodies.size());
    std::sort(copies, part.bodies.end(),
              [&](BodyId a, BodyId b) { return near(a) != near(b) ? near(a) : a < b; });
    part.owned = {0, core.bodies.size()};
    result.judged = {0, core.bodies.size() + nearer.size()};
  }
  part.elements = core.elements;
  const auto place = places(halo);
  const auto carried = [&](BodyId body) { return body == ground || place.contains(body.value); };
  const std::vector<BodyId> own = [&] {
    std::vector<BodyId> sorted = core.bodies;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }();
  for (const HaloCopy& copy : halo.copies)
    for (const Incident& i : surroundings.of(copy.body)) {
      const bool to_own = i.other != ground && std::binary_search(own.begin(), own.end(), i.other);
      const bool once = i.other == ground || to_own || copy.body < i.other;  // not from both of its ends
      if (once && (to_own || carried(i.other))) part.elements.push_back(i.element);
    }
  std::sort(part.elements.begin(), part.elements.end());
  part.elements.erase(std::unique(part.elements.begin(), part.elements.end()), part.elements.end());
  return result;
}

}  // namespace cosimo
