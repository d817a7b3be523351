#include "partition/halo.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "core/check.hpp"
#include "partition/body_table.hpp"

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
  Growth(const BodyGraph& graph, const DecayAt& decay) : graph_(graph), decay_(decay) {}

  template <class Enter>
  std::vector<HaloCopy> grow(std::span<const HaloRoot> roots, bool limited, Enter enter) {
    std::vector<HaloCopy> copies;
    std::priority_queue<Candidate> open;
    const auto offer = [&](BodyId from, BodyId to, double left, double distance, int layer, int root) {
      if (to == ground || !enter(to) || taken_.find(to) != nullptr) return;
      const double step = std::min(theta(from), theta(to));
      open.push({left - step, {to, layer, distance + step, root}});
    };
    for (std::size_t r = 0; r < roots.size(); ++r) {
      const double radius = limited ? roots[r].radius : 0;
      if (roots[r].radius > 0) offer(roots[r].own, roots[r].beyond, radius, 0, 1, static_cast<int>(r));
    }
    while (!open.empty()) {
      const Candidate next = open.top();
      open.pop();
      const HaloCopy& copy = next.copy;
      if (!taken_.insert(copy.body, copies.size()).second) continue;
      copies.push_back(copy);
      // What constraints hold together comes along whole, at no distance.
      for (const BodyId mate : graph_.group(copy.body))
        if (enter(mate) && taken_.find(mate) == nullptr)
          open.push({next.left, {mate, copy.layer, copy.distance, copy.root}});
      if (limited && !(next.left > 0)) continue;
      for (const Incident& i : graph_.around(copy.body))
        offer(copy.body, i.other, next.left, copy.distance, copy.layer + 1, copy.root);
    }
    return copies;
  }

  bool taken(BodyId body) const { return taken_.find(body) != nullptr; }

  /// What an error loses between two neighbours.
  double loss(BodyId a, BodyId b) { return std::min(theta(a), theta(b)); }

 private:
  double theta(BodyId body) {
    const auto [value, fresh] = theta_.insert(body, 0.0);
    if (fresh) *value = decay_(body);
    return *value;
  }

  const BodyGraph& graph_;
  const DecayAt& decay_;
  BodyTable<std::size_t> taken_;
  BodyTable<double> theta_;
};

BodyTable<std::size_t> places(const Halo& halo) {
  BodyTable<std::size_t> place(halo.copies.size());
  for (std::size_t i = 0; i < halo.copies.size(); ++i) place.insert(halo.copies[i].body, i);
  return place;
}

/// How far every copy is from the nearest far edge, and over how many elements.
struct FromEdge {
  double distance = std::numeric_limits<double>::infinity();
  int elements = 0;
};

std::vector<FromEdge> distances_from_edges(const BodyGraph& graph, Growth& growth,
                                           const BodyTable<std::size_t>& place, const Halo& halo) {
  std::vector<FromEdge> found(halo.copies.size());
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto offer = [&](std::size_t copy, FromEdge from) {
    if (!(from.distance < found[copy].distance)) return;
    found[copy] = from;
    open.push({from.distance, copy});
  };
  for (const FarEdge& edge : halo.edges) offer(*place.find(edge.copy), {0, 0});
  while (!open.empty()) {
    const auto [distance, copy] = open.top();
    open.pop();
    if (distance > found[copy].distance) continue;
    const BodyId body = halo.copies[copy].body;
    for (const Incident& i : graph.around(body)) {
      const std::size_t* const next = i.other == ground ? nullptr : place.find(i.other);
      if (next != nullptr) offer(*next, {distance + growth.loss(body, i.other), found[copy].elements + 1});
    }
    for (const BodyId mate : graph.group(body))
      if (const std::size_t* const next = place.find(mate); next != nullptr) offer(*next, found[copy]);
  }
  return found;
}

/// What came out at each root: its layers, and the distance of its nearest far edge.
void describe_sides(const BodyGraph& graph, std::span<const HaloRoot> roots, Growth& growth,
                    const BodyTable<std::size_t>& place, Halo& halo) {
  halo.sides.assign(roots.size(), {0, std::numeric_limits<double>::infinity()});
  const auto from_edge = distances_from_edges(graph, growth, place, halo);
  for (std::size_t r = 0; r < roots.size(); ++r) {
    const std::size_t* const beyond = place.find(roots[r].beyond);
    if (beyond == nullptr) continue;
    const FromEdge& edge = from_edge[*beyond];
    halo.sides[r] = {edge.elements + 1, edge.distance + growth.loss(roots[r].own, roots[r].beyond)};
  }
  // Where everything behind a cut is carried: as many layers as there are.
  for (const HaloCopy& copy : halo.copies) {
    HaloSide& side = halo.sides[static_cast<std::size_t>(copy.root)];
    if (std::isinf(side.distance)) side.layers = std::max(side.layers, copy.layer);
  }
}

/// Whether every element among the bodies (ascending) joins neighbours in the order.
bool is_path(const BodyGraph& graph, const std::vector<BodyId>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (const Incident& incident : graph.around(bodies[i])) {
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
bool order_as_path(const BodyGraph& graph, const Part& core, std::span<const BodyId> nearer,
                   OverlappingPart& out) {
  if (!std::is_sorted(core.bodies.begin(), core.bodies.end())) return false;
  std::vector<BodyId> all = out.part.bodies;
  const auto copies = all.begin() + static_cast<std::ptrdiff_t>(core.bodies.size());
  std::sort(copies, all.end());
  std::inplace_merge(all.begin(), copies, all.end());
  const auto own = std::search(all.begin(), all.end(), core.bodies.begin(), core.bodies.end());
  if (own == all.end() || !is_path(graph, all)) return false;
  const auto first = static_cast<std::size_t>(own - all.begin());
  out.part.owned = {first, first + core.bodies.size()};
  out.judged = out.part.owned;
  const auto near = [&](std::size_t i) { return std::binary_search(nearer.begin(), nearer.end(), all[i]); };
  while (out.judged.first > 0 && near(out.judged.first - 1)) --out.judged.first;
  while (out.judged.last < all.size() && near(out.judged.last)) ++out.judged.last;
  out.part.bodies = std::move(all);
  return true;
}

/// The part's own elements, and those of the copies that lead to the ground or to a carried body.
void add_elements(const BodyGraph& graph, const Part& core, const Halo& halo, Part& part) {
  const BodyTable<std::size_t> copies = places(halo);
  BodyTable<bool> beyond(halo.edges.size());  // not carried
  for (const FarEdge& edge : halo.edges) beyond.insert(edge.beyond, true);
  part.elements = core.elements;
  const auto first = static_cast<std::ptrdiff_t>(part.elements.size());
  for (const HaloCopy& copy : halo.copies)
    for (const Incident& i : graph.around(copy.body)) {
      if (i.other != ground && beyond.find(i.other) != nullptr) continue;
      // An element between two copies is met from both of its ends.
      if (i.other != ground && copies.find(i.other) != nullptr && i.other < copy.body) continue;
      part.elements.push_back(i.element);
    }
  const auto added = part.elements.begin() + first;
  std::sort(added, part.elements.end());
  std::inplace_merge(part.elements.begin(), added, part.elements.end());
}

/// Whether roots of different radius share a region of copies. A copy then belongs to the root that had the
/// most radius left there, which need not be the nearest one.
bool roots_meet(const BodyGraph& graph, std::span<const HaloRoot> roots, const BodyTable<std::size_t>& place,
                const Halo& halo) {
  const auto same_radius = [&](const HaloRoot& root) { return root.radius == roots.front().radius; };
  if (std::all_of(roots.begin(), roots.end(), same_radius)) return false;
  const auto of_another = [&](BodyId body, std::size_t root) {
    const std::size_t* const copy = body == ground ? nullptr : place.find(body);
    return copy != nullptr && halo.copies[*copy].root != static_cast<int>(root);
  };
  for (std::size_t r = 0; r < roots.size(); ++r)
    if (of_another(roots[r].beyond, r)) return true;
  return std::any_of(halo.copies.begin(), halo.copies.end(), [&](const HaloCopy& copy) {
    const auto incident = graph.around(copy.body);
    return std::any_of(incident.begin(), incident.end(), [&](const Incident& i) {
      return of_another(i.other, static_cast<std::size_t>(copy.root));
    });
  });
}

}  // namespace

Halo grow_halo(const BodyGraph& graph, const std::function<bool(BodyId)>& owned,
               std::span<const HaloRoot> roots, const DecayAt& decay) {
  Halo halo;
  Growth growth(graph, decay);
  halo.copies = growth.grow(roots, true, [&](BodyId body) { return !owned(body); });
  for (const HaloCopy& copy : halo.copies)
    for (const Incident& i : graph.around(copy.body))
      if (i.other != ground && !owned(i.other) && !growth.taken(i.other))
        halo.edges.push_back({i.element, copy.body, i.other});
  const auto place = places(halo);
  if (roots_meet(graph, roots, place, halo))
    measure_halo(graph, roots, decay, halo);
  else
    describe_sides(graph, roots, growth, place, halo);
  return halo;
}

void measure_halo(const BodyGraph& graph, std::span<const HaloRoot> roots, const DecayAt& decay, Halo& halo) {
  const auto place = places(halo);
  Growth growth(graph, decay);
  const auto measured = growth.grow(roots, false, [&](BodyId body) { return place.find(body) != nullptr; });
  for (const HaloCopy& copy : measured) {
    HaloCopy& known = halo.copies[*place.find(copy.body)];
    known.distance = copy.distance;
    known.root = copy.root;
  }
  describe_sides(graph, roots, growth, place, halo);
}

OverlappingPart carry(const BodyGraph& graph, const Part& core, const Halo& halo) {
  COSIMO_CHECK(core.owned.size() == core.bodies.size(), "a halo grows around a part without copies");
  OverlappingPart result;
  result.edges = halo.edges;
  Part& part = result.part;
  part.bodies = core.bodies;
  for (const HaloCopy& copy : halo.copies) part.bodies.push_back(copy.body);
  const std::vector<BodyId> nearer = nearer_copies(halo);
  if (!order_as_path(graph, core, nearer, result)) {
    const auto near = [&](BodyId body) { return std::binary_search(nearer.begin(), nearer.end(), body); };
    const auto copies = part.bodies.begin() + static_cast<std::ptrdiff_t>(core.bodies.size());
    std::sort(copies, part.bodies.end(),
              [&](BodyId a, BodyId b) { return near(a) != near(b) ? near(a) : a < b; });
    part.owned = {0, core.bodies.size()};
    result.judged = {0, core.bodies.size() + nearer.size()};
  }
  add_elements(graph, core, halo, part);
  return result;
}

}  // namespace cosimo
