#include "partition/halo.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
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

/// Paths from the roots outwards, until no radius is left.
class Growth {
 public:
  Growth(const BodyGraph& graph, const std::function<bool(BodyId)>& owned, const DecayAt& decay)
      : graph_(graph), owned_(owned), decay_(decay) {}

  std::vector<HaloCopy> grow(std::span<const HaloRoot> roots) {
    std::vector<HaloCopy> copies;
    std::priority_queue<Candidate> open;
    const auto offer = [&](BodyId from, BodyId to, double left, double distance, int layer, int root) {
      if (to == ground || owned_(to) || taken(to)) return;
      const double step = std::min(theta(from), theta(to));
      open.push({left - step, {to, layer, distance + step, root}});
    };
    for (std::size_t r = 0; r < roots.size(); ++r)
      if (roots[r].radius > 0)
        offer(roots[r].own, roots[r].beyond, roots[r].radius, 0, 1, static_cast<int>(r));
    while (!open.empty()) {
      const Candidate next = open.top();
      open.pop();
      const HaloCopy& copy = next.copy;
      if (!taken_.insert(copy.body, copies.size()).second) continue;
      copies.push_back(copy);
      // What constraints hold together comes along whole, at no distance.
      for (const BodyId mate : graph_.group(copy.body))
        if (!owned_(mate) && !taken(mate))
          open.push({next.left, {mate, copy.layer, copy.distance, copy.root}});
      if (!(next.left > 0)) continue;
      for (const Incident& i : graph_.around(copy.body))
        offer(copy.body, i.other, next.left, copy.distance, copy.layer + 1, copy.root);
    }
    return copies;
  }

  bool taken(BodyId body) const { return taken_.find(body) != nullptr; }

  double theta(BodyId body) {
    const auto [value, fresh] = theta_.insert(body, 0.0);
    if (fresh) *value = decay_(body);
    return *value;
  }

 private:
  const BodyGraph& graph_;
  const std::function<bool(BodyId)>& owned_;
  const DecayAt& decay_;
  BodyTable<std::size_t> taken_;
  BodyTable<double> theta_;
};

BodyTable<std::size_t> places(const Halo& halo) {
  BodyTable<std::size_t> place(halo.copies.size());
  for (std::size_t i = 0; i < halo.copies.size(); ++i) place.insert(halo.copies[i].body, i);
  return place;
}

std::span<const std::int32_t> row(const std::vector<std::int32_t>& first,
                                  const std::vector<std::int32_t>& all, std::size_t i) {
  if (first.empty()) return {};
  const auto begin = static_cast<std::size_t>(first[i]), end = static_cast<std::size_t>(first[i + 1]);
  return std::span(all).subspan(begin, end - begin);
}

/// Shortest paths over the copies. Whoever offers a copy a shorter one has noted that.
template <class Offer>
class Front {
 public:
  explicit Front(const HaloRows& rows, Offer offer) : rows_(rows), offer_(offer) {}

  void put(double distance, std::int32_t copy) { open_.push({distance, copy}); }

  /// offer(from, to, beside): `to` is reached from `from`, over an element or as its mate; returns the
  /// distance if that is shorter than what was known, otherwise a negative number. now(copy): the distance
  /// known.
  template <class Now>
  void run(Now now) {
    while (!open_.empty()) {
      const auto [distance, copy] = open_.top();
      open_.pop();
      const auto from = static_cast<std::size_t>(copy);
      if (distance > now(from)) continue;
      reach(from, row(rows_.first, rows_.next, from), true);
      reach(from, row(rows_.first_mate, rows_.mate, from), false);
    }
  }

 private:
  void reach(std::size_t from, std::span<const std::int32_t> others, bool beside) {
    for (const std::int32_t to : others) {
      const double distance = offer_(from, static_cast<std::size_t>(to), beside);
      if (distance >= 0) put(distance, to);
    }
  }

  using Entry = std::pair<double, std::int32_t>;
  const HaloRows& rows_;
  Offer offer_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

/// Distances of all copies from the part, and the roots that they are nearest to.
void measure_copies(std::span<const HaloRoot> roots, const Decays& at, Halo& halo) {
  auto& copies = halo.copies;
  for (HaloCopy& copy : copies) copy.distance = std::numeric_limits<double>::infinity();
  const auto reach = [&](std::size_t to, double distance, int root) {
    if (!(distance < copies[to].distance)) return -1.0;
    copies[to].distance = distance;
    copies[to].root = root;
    return distance;
  };
  Front front(halo.rows, [&](std::size_t from, std::size_t to, bool beside) {
    const double loss = beside ? std::min(at.copies[from], at.copies[to]) : 0;
    return reach(to, copies[from].distance + loss, copies[from].root);
  });
  for (std::size_t r = 0; r < roots.size(); ++r) {
    const std::int32_t beyond = halo.rows.behind[r];
    if (!(roots[r].radius > 0) || beyond < 0) continue;
    const auto to = static_cast<std::size_t>(beyond);
    const double distance = reach(to, std::min(at.roots[r], at.copies[to]), static_cast<int>(r));
    if (distance >= 0) front.put(distance, beyond);
  }
  front.run([&](std::size_t copy) { return copies[copy].distance; });
}

/// How far every copy is from the nearest far edge, and over how many elements.
struct FromEdge {
  double distance = std::numeric_limits<double>::infinity();
  int elements = 0;
};

std::vector<FromEdge> distances_from_edges(const Decays& at, const Halo& halo) {
  std::vector<FromEdge> found(halo.copies.size());
  Front front(halo.rows, [&](std::size_t from, std::size_t to, bool beside) {
    const double loss = beside ? std::min(at.copies[from], at.copies[to]) : 0;
    const FromEdge next{found[from].distance + loss, found[from].elements + (beside ? 1 : 0)};
    if (!(next.distance < found[to].distance)) return -1.0;
    found[to] = next;
    return next.distance;
  });
  for (const std::int32_t copy : halo.rows.outermost) {
    found[static_cast<std::size_t>(copy)] = {0, 0};
    front.put(0, copy);
  }
  front.run([&](std::size_t copy) { return found[copy].distance; });
  return found;
}

/// What came out at each root: its layers, and the distance of its nearest far edge.
void describe_sides(std::span<const HaloRoot> roots, const Decays& at, Halo& halo) {
  halo.sides.assign(roots.size(), {0, std::numeric_limits<double>::infinity()});
  const auto from_edge = distances_from_edges(at, halo);
  for (std::size_t r = 0; r < roots.size(); ++r) {
    if (halo.rows.behind[r] < 0) continue;
    const auto beyond = static_cast<std::size_t>(halo.rows.behind[r]);
    const FromEdge& edge = from_edge[beyond];
    halo.sides[r] = {edge.elements + 1, edge.distance + std::min(at.roots[r], at.copies[beyond])};
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

/// The copies, each half ascending: the nearer half of every side, which the solver's error norm watches, and
/// the others.
struct Halves {
  explicit Halves(const Halo& halo) {
    for (const HaloCopy& copy : halo.copies) {
      const int layers = halo.sides[static_cast<std::size_t>(copy.root)].layers;
      (2 * copy.layer <= layers + 1 ? nearer : farther).push_back(copy.body);
    }
    std::sort(nearer.begin(), nearer.end());
    std::sort(farther.begin(), farther.end());
  }
  std::vector<BodyId> nearer, farther;
};

/// Ascending order, if that is a path in which the own bodies keep their order and place.
bool order_as_path(const BodyGraph& graph, const Part& core, const Halves& copies, OverlappingPart& out) {
  if (!std::is_sorted(core.bodies.begin(), core.bodies.end())) return false;
  const auto& [nearer, farther] = copies;
  std::vector<BodyId> carried, all;
  std::merge(nearer.begin(), nearer.end(), farther.begin(), farther.end(), std::back_inserter(carried));
  std::merge(core.bodies.begin(), core.bodies.end(), carried.begin(), carried.end(), std::back_inserter(all));
  const auto own = std::search(all.begin(), all.end(), core.bodies.begin(), core.bodies.end());
  if (own == all.end() || !is_path(graph, all)) return false;
  const auto first = static_cast<std::size_t>(own - all.begin());
  out.part.owned = {first, first + core.bodies.size()};
  out.judged = out.part.owned;
  const auto near = [&](std::size_t i) {
    return std::binary_search(copies.nearer.begin(), copies.nearer.end(), all[i]);
  };
  while (out.judged.first > 0 && near(out.judged.first - 1)) --out.judged.first;
  while (out.judged.last < all.size() && near(out.judged.last)) ++out.judged.last;
  out.part.bodies = std::move(all);
  return true;
}

/// The part's own elements, and those of the copies that lead to the ground or to a carried body. Far edges
/// and rows list what is around the copies in the same order.
void add_elements(const BodyGraph& graph, const Part& core, const Halo& halo, Part& part) {
  part.elements = core.elements;
  const auto first = static_cast<std::ptrdiff_t>(part.elements.size());
  std::size_t edge = 0, next = 0;
  for (const HaloCopy& copy : halo.copies)
    for (const Incident& i : graph.around(copy.body)) {
      if (edge < halo.edges.size() && halo.edges[edge].copy == copy.body &&
          halo.edges[edge].element == i.element) {
        ++edge;
        continue;
      }
      const bool copied = next < halo.rows.next.size() && i.other != ground &&
                          halo.copies[static_cast<std::size_t>(halo.rows.next[next])].body == i.other;
      if (copied) ++next;
      // An element between two copies is met from both of its ends.
      if (!copied || !(i.other < copy.body)) part.elements.push_back(i.element);
    }
  COSIMO_CHECK(edge == halo.edges.size() && next == halo.rows.next.size(), "the rows of another halo");
  const auto added = part.elements.begin() + first;
  std::sort(added, part.elements.end());
  std::inplace_merge(part.elements.begin(), added, part.elements.end());
}

/// Whether roots of different radius share a region of copies. A copy then belongs to the root that had the
/// most radius left there, which need not be the nearest one.
bool roots_meet(std::span<const HaloRoot> roots, const Halo& halo) {
  const auto same_radius = [&](const HaloRoot& root) { return root.radius == roots.front().radius; };
  if (std::all_of(roots.begin(), roots.end(), same_radius)) return false;
  const auto of_another = [&](std::int32_t copy, int root) {
    return copy >= 0 && halo.copies[static_cast<std::size_t>(copy)].root != root;
  };
  for (std::size_t r = 0; r < roots.size(); ++r)
    if (of_another(halo.rows.behind[r], static_cast<int>(r))) return true;
  for (std::size_t i = 0; i < halo.copies.size(); ++i)
    for (const std::int32_t next : row(halo.rows.first, halo.rows.next, i))
      if (of_another(next, halo.copies[i].root)) return true;
  return false;
}

/// The decays that a function gives.
struct DecayTable {
  template <class At>
  DecayTable(std::span<const HaloRoot> roots, const Halo& halo, At decay) {
    for (const HaloCopy& copy : halo.copies) copies.push_back(decay(copy.body));
    for (const HaloRoot& root : roots) own.push_back(decay(root.own));
  }
  operator Decays() const { return {copies, own}; }

  std::vector<double> copies, own;
};

}  // namespace

Halo grow_halo(const BodyGraph& graph, const std::function<bool(BodyId)>& owned,
               std::span<const HaloRoot> roots, const DecayAt& decay) {
  Halo halo;
  Growth growth(graph, owned, decay);
  halo.copies = growth.grow(roots);
  for (const HaloCopy& copy : halo.copies)
    for (const Incident& i : graph.around(copy.body))
      if (i.other != ground && !owned(i.other) && !growth.taken(i.other))
        halo.edges.push_back({i.element, copy.body, i.other});
  number_rows(graph, roots, halo);
  const DecayTable decays(roots, halo, [&](BodyId body) { return growth.theta(body); });
  if (roots_meet(roots, halo)) measure_copies(roots, decays, halo);
  describe_sides(roots, decays, halo);
  return halo;
}

void number_rows(const BodyGraph& graph, std::span<const HaloRoot> roots, Halo& halo) {
  const auto place = places(halo);
  const auto number = [&](BodyId body) {
    const std::size_t* const found = body == ground ? nullptr : place.find(body);
    return found != nullptr ? static_cast<std::int32_t>(*found) : -1;
  };
  HaloRows& rows = halo.rows;
  rows = {};
  const auto end_row = [](std::vector<std::int32_t>& first, const std::vector<std::int32_t>& all) {
    first.push_back(static_cast<std::int32_t>(all.size()));
  };
  rows.first.push_back(0);
  rows.first_mate.push_back(0);
  for (std::size_t i = 0; i < halo.copies.size(); ++i) {
    const BodyId body = halo.copies[i].body;
    for (const Incident& incident : graph.around(body))
      if (const std::int32_t next = number(incident.other); next >= 0) rows.next.push_back(next);
    for (const BodyId mate : graph.group(body))
      if (const std::int32_t next = number(mate); next >= 0 && mate != body) rows.mate.push_back(next);
    end_row(rows.first, rows.next);
    end_row(rows.first_mate, rows.mate);
  }
  if (rows.mate.empty()) rows.first_mate.clear();
  for (const HaloRoot& root : roots) rows.behind.push_back(number(root.beyond));
  // Edges come copy by copy.
  for (const FarEdge& edge : halo.edges) {
    const std::int32_t copy = number(edge.copy);
    COSIMO_CHECK(copy >= 0, "a far edge begins at a copy");
    if (rows.outermost.empty() || rows.outermost.back() != copy) rows.outermost.push_back(copy);
  }
}

void measure_halo(std::span<const HaloRoot> roots, const Decays& decays, Halo& halo) {
  measure_copies(roots, decays, halo);
  describe_sides(roots, decays, halo);
}

void measure_halo(std::span<const HaloRoot> roots, const DecayAt& decay, Halo& halo) {
  measure_halo(roots, DecayTable(roots, halo, decay), halo);
}

OverlappingPart carry(const BodyGraph& graph, const Part& core, const Halo& halo) {
  COSIMO_CHECK(core.owned.size() == core.bodies.size(), "a halo grows around a part without copies");
  OverlappingPart result;
  result.edges = halo.edges;
  Part& part = result.part;
  const Halves copies(halo);
  if (!order_as_path(graph, core, copies, result)) {
    part.bodies = core.bodies;
    part.bodies.insert(part.bodies.end(), copies.nearer.begin(), copies.nearer.end());
    part.bodies.insert(part.bodies.end(), copies.farther.begin(), copies.farther.end());
    part.owned = {0, core.bodies.size()};
    result.judged = {0, core.bodies.size() + copies.nearer.size()};
  }
  add_elements(graph, core, halo, part);
  return result;
}

}  // namespace cosimo
