#include "partition/halo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "model/equations.hpp"
#include "model/graphs.hpp"
#include "model/testing.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;

constexpr double infinite = std::numeric_limits<double>::infinity();

BodyId body(std::size_t i) {
  return BodyId(i);
}

double one(BodyId) {
  return 1.0;
}

/// A model, its parts, and halos around them.
class Scene {
 public:
  Scene(Model given, Partition parts) : model(std::move(given)), partition(std::move(parts)) {
    for (std::size_t p = 0; p < partition.parts.size(); ++p)
      for (const BodyId b : partition.parts[p].bodies) part_of[b.index()] = p;
  }
  Scene(const Scene&) = delete;
  Scene(const Model& given, const PartitionRequest& request) : Scene(given, make_partition(given, request)) {}

  /// One root per cut of the part, in the order of the cuts.
  std::vector<HaloRoot> roots(std::size_t part, double radius) const {
    std::vector<HaloRoot> result;
    for (const Coupling& c : partition.interface.couplings) {
      if (c.from.part == PartId(part)) result.push_back({c.from.body, c.to.body, radius});
      if (c.to.part == PartId(part)) result.push_back({c.to.body, c.from.body, radius});
    }
    return result;
  }
  bool owns(std::size_t part, BodyId b) const { return part_of[b.index()] == part; }
  Halo grow(std::size_t part, std::span<const HaloRoot> from, const DecayAt& decay) const {
    return grow_halo(
        *graph, [&](BodyId b) { return owns(part, b); }, from, decay);
  }
  OverlappingPart carried(std::size_t part, const Halo& halo) const {
    return carry(*graph, partition.parts[part], halo);
  }

  Model model;
  Partition partition;
  std::unique_ptr<BodyGraph> graph = make_graph(model);
  std::vector<std::size_t> part_of = std::vector<std::size_t>(model.bodies.count);
};

Scene chain(std::size_t masses, std::int64_t parts) {
  return {samples::chain(masses), PartitionRequest{.parts = parts}};
}

std::set<std::int32_t> carried_labels(const Halo& halo) {
  std::set<std::int32_t> result;
  for (const HaloCopy& copy : halo.copies) result.insert(copy.body.label());
  return result;
}

/// What is left of the radius at every body, by relaxation until nothing changes: the slow and obvious way.
/// Growth goes on from bodies where something is left, over bodies that may be entered.
template <class Enter>
std::vector<double> left_by_relaxation(const Scene& scene, std::span<const HaloRoot> roots,
                                       const DecayAt& decay, Enter enter) {
  std::vector<double> left(scene.model.bodies.count, -infinite);
  const auto& elements = scene.model.elements;
  for (const HaloRoot& root : roots)
    if (root.radius > 0)
      left[root.beyond.index()] =
          std::max(left[root.beyond.index()], root.radius - std::min(decay(root.own), decay(root.beyond)));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t e = 0; e < elements.count(); ++e)
      for (const auto& [a, b] :
           {std::pair(elements.from[e], elements.to[e]), std::pair(elements.to[e], elements.from[e])}) {
        if (a == ground || b == ground || !enter(a) || !enter(b)) continue;
        if (!(left[a.index()] > 0)) continue;
        const double offered = left[a.index()] - std::min(decay(a), decay(b));
        if (offered > left[b.index()]) {
          left[b.index()] = offered;
          changed = true;
        }
      }
  }
  return left;
}

/// Carried are exactly the bodies of the slow way, at the same distance when all radii are equal.
void expect_all_within_radius(const Scene& scene, std::size_t part, std::span<const HaloRoot> roots,
                              const DecayAt& decay, const Halo& halo) {
  const std::vector<double> left =
      left_by_relaxation(scene, roots, decay, [&](BodyId b) { return !scene.owns(part, b); });
  std::vector<bool> carried(left.size());
  const bool equal_radii =
      std::all_of(roots.begin(), roots.end(), [&](const HaloRoot& r) { return r.radius == roots[0].radius; });
  for (const HaloCopy& copy : halo.copies) {
    const std::size_t i = copy.body.index();
    EXPECT_FALSE(carried[i]) << "body " << copy.body.label() << " twice";
    EXPECT_FALSE(scene.owns(part, copy.body));
    carried[i] = true;
    if (!equal_radii) continue;
    EXPECT_NEAR(copy.distance, roots[0].radius - left[i], 1e-12 * roots[0].radius);
  }
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(carried[i], std::isfinite(left[i])) << "body " << i;
}

/// Elements, edges and order of what a part carries, whatever its shape.
void expect_consistent(const Scene& scene, std::size_t part, const Halo& halo, const OverlappingPart& out) {
  const Part& core = scene.partition.parts[part];
  const auto& elements = scene.model.elements;
  const std::set<BodyId> bodies(out.part.bodies.begin(), out.part.bodies.end());
  EXPECT_EQ(bodies.size(), out.part.bodies.size()) << "no body twice";
  EXPECT_EQ(bodies.size(), core.bodies.size() + halo.copies.size());
  ASSERT_LE(out.part.owned.last, out.part.bodies.size());
  EXPECT_TRUE(std::equal(core.bodies.begin(), core.bodies.end(),
                         out.part.bodies.begin() + static_cast<std::ptrdiff_t>(out.part.owned.first),
                         out.part.bodies.begin() + static_cast<std::ptrdiff_t>(out.part.owned.last)))
      << "the part's own bodies stand together in their order";
  EXPECT_LE(out.judged.first, out.part.owned.first);
  EXPECT_GE(out.judged.last, out.part.owned.last);
  EXPECT_LE(out.judged.last, out.part.bodies.size());

  std::vector<ElementId> inside;
  std::set<std::tuple<ElementId, BodyId, BodyId>> leaving, listed;
  for (std::size_t e = 0; e < elements.count(); ++e) {
    const BodyId a = elements.from[e], b = elements.to[e];
    const auto in = [&](BodyId end) { return end == ground || bodies.contains(end); };
    if (in(a) && in(b)) inside.emplace_back(e);
    const auto copy = [&](BodyId end) {
      return end != ground && bodies.contains(end) && !scene.owns(part, end);
    };
    if (copy(a) && !in(b)) leaving.insert({ElementId(e), a, b});
    if (copy(b) && !in(a)) leaving.insert({ElementId(e), b, a});
  }
  EXPECT_EQ(out.part.elements, inside) << "complete, unique, ascending";
  for (const FarEdge& edge : out.edges)
    EXPECT_TRUE(listed.insert({edge.element, edge.copy, edge.beyond}).second) << "an edge twice";
  EXPECT_EQ(listed, leaving);
  EXPECT_NO_THROW(Equations(scene.model, out.part));
}

/// Distances of the sides: from the root through the copies to the nearest far edge, root by root.
void expect_sides(const Scene& scene, std::span<const HaloRoot> roots, const DecayAt& decay,
                  const Halo& halo) {
  std::set<BodyId> copies, edges;
  for (const HaloCopy& copy : halo.copies) copies.insert(copy.body);
  for (const FarEdge& edge : halo.edges) edges.insert(edge.copy);
  for (std::size_t r = 0; r < roots.size(); ++r) {
    HaloRoot alone = roots[r];
    if (alone.radius <= 0) continue;
    alone.radius = 1e6;
    const std::vector<double> left = left_by_relaxation(scene, std::span(&alone, 1), decay,
                                                        [&](BodyId body) { return copies.contains(body); });
    double nearest = infinite;
    for (const BodyId edge : edges)
      if (std::isfinite(left[edge.index()])) nearest = std::min(nearest, alone.radius - left[edge.index()]);
    if (std::isinf(nearest))
      EXPECT_TRUE(std::isinf(halo.sides[r].distance));
    else
      EXPECT_NEAR(halo.sides[r].distance, nearest, 1e-9 * alone.radius);
    EXPECT_GE(halo.sides[r].layers, 1);
  }
}

void expect_same(const Halo& a, const Halo& b) {
  ASSERT_EQ(a.copies.size(), b.copies.size());
  for (std::size_t i = 0; i < a.copies.size(); ++i) {
    EXPECT_EQ(a.copies[i].body, b.copies[i].body);
    EXPECT_EQ(a.copies[i].root, b.copies[i].root);
    EXPECT_EQ(a.copies[i].layer, b.copies[i].layer);
    EXPECT_EQ(a.copies[i].distance, b.copies[i].distance);
  }
  ASSERT_EQ(a.sides.size(), b.sides.size());
  for (std::size_t r = 0; r < a.sides.size(); ++r) {
    EXPECT_EQ(a.sides[r].layers, b.sides[r].layers);
    EXPECT_EQ(a.sides[r].distance, b.sides[r].distance);
  }
}

TEST(HaloOfAChain, AWholeRadiusIsANumberOfLayers) {
  const Scene scene = chain(100, 5);
  for (const int n : {1, 2, 7, 20}) {
    const auto roots = scene.roots(2, n);
    const Halo halo = scene.grow(2, roots, one);
    ASSERT_EQ(halo.copies.size(), 2U * static_cast<std::size_t>(n));
    for (const HaloSide& side : halo.sides) {
      EXPECT_EQ(side.layers, n);
      EXPECT_EQ(side.distance, n);
    }
    for (const HaloCopy& copy : halo.copies) EXPECT_EQ(copy.distance, copy.layer);
    ASSERT_EQ(halo.edges.size(), 2U);
    const OverlappingPart out = scene.carried(2, halo);
    expect_consistent(scene, 2, halo, out);
    EXPECT_EQ(out.part.bodies.front().label(), 41 - n);
    EXPECT_EQ(out.part.bodies.back().label(), 60 + n);
  }
}

TEST(HaloOfAChain, RadiiMayDiffer) {
  const Scene scene = chain(60, 3);
  auto roots = scene.roots(1, 0);
  ASSERT_EQ(roots.size(), 2U);
  roots[0].radius = 3;
  roots[1].radius = 9;
  const Halo halo = scene.grow(1, roots, one);
  EXPECT_EQ(halo.sides[0].layers, 3);
  EXPECT_EQ(halo.sides[1].layers, 9);
  EXPECT_EQ(carried_labels(halo), (std::set<std::int32_t>{18, 19, 20, 41, 42, 43, 44, 45, 46, 47, 48, 49}));
  const OverlappingPart out = scene.carried(1, halo);
  expect_consistent(scene, 1, halo, out);
  EXPECT_EQ(out.part.owned.first, 3U);
  EXPECT_EQ(out.part.owned.last, 23U);
  // The nearer half: 2 of 3, 5 of 9.
  EXPECT_EQ(out.judged.first, 1U);
  EXPECT_EQ(out.judged.last, 28U);
}

TEST(HaloOfAChain, OneSideMayBeCarriedWhole) {
  const Scene scene = chain(30, 3);
  auto roots = scene.roots(1, 0);
  roots[0].radius = 20;
  roots[1].radius = 4;
  const Halo halo = scene.grow(1, roots, one);
  EXPECT_EQ(halo.sides[0].layers, 10) << "all there are";
  EXPECT_EQ(halo.sides[0].distance, infinite);
  EXPECT_EQ(halo.sides[1].layers, 4);
  EXPECT_EQ(halo.sides[1].distance, 4);
  const OverlappingPart out = scene.carried(1, halo);
  expect_consistent(scene, 1, halo, out);
  // The nearer half: 5 of 10, 2 of 4.
  EXPECT_EQ(out.judged.first, 5U);
  EXPECT_EQ(out.judged.last, 22U);
}

TEST(HaloOfAChain, ARootWithoutRadiusCarriesNothing) {
  const Scene scene = chain(30, 3);
  auto roots = scene.roots(1, 4);
  roots[1].radius = 0;
  const Halo halo = scene.grow(1, roots, one);
  EXPECT_EQ(carried_labels(halo), (std::set<std::int32_t>{7, 8, 9, 10}));
  EXPECT_EQ(halo.sides[1].layers, 0);
  EXPECT_EQ(halo.sides[1].distance, infinite) << "no edge is listed there";
  EXPECT_EQ(halo.edges.size(), 1U);
  expect_consistent(scene, 1, halo, scene.carried(1, halo));
}

TEST(HaloOfAChain, ReachesPastThinNeighbours) {
  const Scene scene = chain(30, 15);  // two bodies each
  const Halo halo = scene.grow(7, scene.roots(7, 7), one);
  EXPECT_EQ(halo.copies.size(), 14U);
  for (const HaloSide& side : halo.sides) EXPECT_EQ(side.layers, 7);
  expect_consistent(scene, 7, halo, scene.carried(7, halo));
}

TEST(HaloOfAChain, NothingIsLeftOutsideWhenTheWholeModelIsCarried) {
  const Scene scene = chain(20, 4);
  for (const std::size_t part : {0, 1, 3}) {
    const Halo halo = scene.grow(part, scene.roots(part, 500), one);
    EXPECT_EQ(halo.copies.size(), 15U);
    EXPECT_TRUE(halo.edges.empty());
    for (const HaloSide& side : halo.sides) EXPECT_EQ(side.distance, infinite);
    const OverlappingPart out = scene.carried(part, halo);
    expect_consistent(scene, part, halo, out);
    EXPECT_EQ(out.part.bodies, samples::whole(scene.model).bodies);
    EXPECT_EQ(out.part.elements, samples::whole(scene.model).elements);
    EXPECT_EQ(out.part.owned.first, 5 * part);
  }
}

TEST(HaloOfAChain, HeavyBodiesCountMore) {
  ChainSpec spec = samples::chain_spec(40);
  std::vector<double> mass(40, 1.0);
  for (std::size_t i = 25; i < 40; ++i) mass[i] = 100;
  spec.mass = mass;
  const Scene scene(make_chain(spec), {.parts = 2});
  // Travel time over an element: sqrt(m / k) of the faster end.
  const DecayAt time = [&](BodyId b) { return std::sqrt(scene.model.bodies.mass[b.index()]); };
  const Halo halo = scene.grow(0, scene.roots(0, 17), time);
  // Bodies 21 to 25 are light, and so is the element from 25 to 26: 6 layers of 1, then 10 each.
  ASSERT_EQ(halo.copies.size(), 8U);
  EXPECT_EQ(halo.copies[5].distance, 6);
  EXPECT_EQ(halo.copies[6].distance, 16);
  EXPECT_EQ(halo.copies[7].distance, 26);
  EXPECT_EQ(halo.sides[0].distance, 26);
  expect_all_within_radius(scene, 0, scene.roots(0, 17), time, halo);
}

TEST(HaloOfAChain, ElementsThatDoNothingLeadNowhere) {
  ChainSpec spec = samples::chain_spec(20);
  std::vector<double> c(21, 1.0), zero(21, 0.0);
  c[13] = 0;
  spec.c = c;
  spec.d = spec.C = spec.D = zero;
  const Scene scene(make_chain(spec), {.parts = 2});
  const Halo halo = scene.grow(0, scene.roots(0, 9), one);
  EXPECT_EQ(carried_labels(halo), (std::set<std::int32_t>{11, 12, 13}));
  EXPECT_EQ(halo.sides[0].distance, infinite);
}

TEST(HaloOfAChain, AnInfiniteDecayEndsTheGrowth) {
  const Scene scene = chain(30, 2);
  const DecayAt decay = [](BodyId b) { return b.label() >= 20 ? infinite : 1.0; };
  const Halo halo = scene.grow(0, scene.roots(0, 12), decay);
  EXPECT_EQ(carried_labels(halo), (std::set<std::int32_t>{16, 17, 18, 19, 20, 21}));
  EXPECT_EQ(halo.sides[0].distance, infinite) << "nothing comes through";
}

/// Every shape of graph and partition, several radii.
class AnyGraph : public ::testing::TestWithParam<int> {
 protected:
  static Scene scene() {
    std::vector<double> mass(144);
    for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = 1 + static_cast<double>(i % 7) * 3;
    const PartitionRequest five{.parts = 5, .method = CutMethod::metis};
    switch (GetParam()) {
      case 0:
        return {samples::lattice({.columns = 12, .rows = 12, .mass = Field(mass)}), five};
      case 1:
        return {samples::lattice({.columns = 12, .rows = 12, .neighbours = 8, .mass = Field(mass)}), five};
      case 2:
        return {samples::random_tree(150, 3), five};
      case 3:
        return {samples::random_tree(150, 4), PartitionRequest{.parts = 9}};
      case 4:
        return {samples::ring(80, 5), five};
      case 5:
        return {samples::shuffled(samples::chain(120), 6), five};
      case 6:
        return {samples::shuffled(samples::chain(120), 6), PartitionRequest{.parts = 6}};
      default:
        return {samples::chain(120), PartitionRequest{.parts = 40}};
    }
  }
};

TEST_P(AnyGraph, CarriesEveryBodyWithinTheRadius) {
  const Scene s = scene();
  const DecayAt weighted = [&](BodyId b) {
    return std::sqrt(s.model.bodies.mass[b.index()]) * (1 + 0.1 * (b.label() % 5));
  };
  for (std::size_t part = 0; part < s.partition.parts.size(); ++part)
    for (const DecayAt& decay : {DecayAt(one), weighted})
      for (const double radius : {0.5, 1.0, 3.0, 8.5}) {
        const auto roots = s.roots(part, radius);
        const Halo halo = s.grow(part, roots, decay);
        expect_all_within_radius(s, part, roots, decay, halo);
        expect_consistent(s, part, halo, s.carried(part, halo));
        expect_sides(s, roots, decay, halo);
      }
}

TEST_P(AnyGraph, RadiiMayDiffer) {
  const Scene s = scene();
  for (std::size_t part = 0; part < s.partition.parts.size(); ++part) {
    auto roots = s.roots(part, 0);
    for (std::size_t r = 0; r < roots.size(); ++r) roots[r].radius = static_cast<double>(r % 4) * 1.7;
    const Halo halo = s.grow(part, roots, one);
    expect_all_within_radius(s, part, roots, one, halo);
    expect_consistent(s, part, halo, s.carried(part, halo));
    expect_sides(s, roots, one, halo);
  }
}

TEST_P(AnyGraph, DistancesAreThoseOfTheNearestRoot) {
  const Scene s = scene();
  for (std::size_t part = 0; part < s.partition.parts.size(); ++part) {
    auto roots = s.roots(part, 0);
    for (std::size_t r = 0; r < roots.size(); ++r) roots[r].radius = 1 + static_cast<double>(r % 3) * 3;
    const Halo halo = s.grow(part, roots, one);
    for (HaloRoot& root : roots) root.radius = 1000;  // distance = radius - left
    const auto carried = carried_labels(halo);
    const std::vector<double> left =
        left_by_relaxation(s, roots, one, [&](BodyId b) { return carried.contains(b.label()); });
    for (const HaloCopy& copy : halo.copies)
      EXPECT_NEAR(copy.distance, 1000 - left[copy.body.index()], 1e-9) << "body " << copy.body.label();
  }
}

TEST_P(AnyGraph, MeasuringRepeatsWhatGrowingFound) {
  const Scene s = scene();
  const double radius = 4.0;
  const DecayAt decay = [](BodyId b) { return 0.5 + 0.07 * (b.label() % 11); };
  const DecayAt twice = [&](BodyId b) { return 2 * decay(b); };
  const auto nearest = [](const Halo& halo) {
    double result = infinite;
    for (const HaloSide& side : halo.sides) result = std::min(result, side.distance);
    return result;
  };
  for (std::size_t part = 0; part < s.partition.parts.size(); ++part) {
    const auto roots = s.roots(part, radius);
    const Halo grown = s.grow(part, roots, decay);
    Halo measured = grown;
    measure_halo(roots, decay, measured);
    ASSERT_EQ(measured.copies.size(), grown.copies.size());
    for (std::size_t i = 0; i < grown.copies.size(); ++i) {
      const double was = grown.copies[i].distance, is = measured.copies[i].distance;
      // Growing does not go on from the outermost copies, so between them there may be shorter ways.
      EXPECT_LE(is, was + 1e-12);
      EXPECT_GE(is, std::min(was, radius) - 1e-12);
    }
    EXPECT_TRUE(nearest(measured) == infinite || nearest(measured) >= radius - 1e-12);
    expect_sides(s, roots, decay, measured);
    Halo doubled = measured;
    measure_halo(roots, twice, doubled);
    for (std::size_t i = 0; i < grown.copies.size(); ++i)
      EXPECT_NEAR(doubled.copies[i].distance, 2 * measured.copies[i].distance, 1e-12);
    measure_halo(roots, decay, doubled);
    expect_same(doubled, measured);
  }
}

TEST_P(AnyGraph, IsReproducible) {
  const Scene s = scene(), again = scene();
  const auto roots = s.roots(1, 5);
  expect_same(s.grow(1, roots, one), again.grow(1, again.roots(1, 5), one));
}

INSTANTIATE_TEST_SUITE_P(Shapes, AnyGraph, ::testing::Range(0, 8));

TEST(OrderOfCopies, IsAPathWhereverAscendingNumbersAreOne) {
  const Scene scene = chain(40, 4);
  const Halo halo = scene.grow(1, scene.roots(1, 4), one);
  const OverlappingPart out = scene.carried(1, halo);
  EXPECT_TRUE(std::is_sorted(out.part.bodies.begin(), out.part.bodies.end()));
  EXPECT_EQ(out.part.owned.first, 4U);
  EXPECT_EQ(out.judged.first, 2U);
  EXPECT_EQ(out.judged.last, 16U);
  EXPECT_EQ(Equations(scene.model, out.part).reach(), 1U);
}

TEST(OrderOfCopies, OwnBodiesComeFirstOtherwise) {
  const Scene scene(samples::lattice({.columns = 8, .rows = 8}), PartitionRequest{.parts = 4});
  const Halo halo = scene.grow(1, scene.roots(1, 2), one);
  const OverlappingPart out = scene.carried(1, halo);
  EXPECT_EQ(out.part.owned.first, 0U);
  EXPECT_EQ(out.part.owned.last, 16U);
  EXPECT_EQ(out.judged.first, 0U);
  // Two rows on each side, of which the nearer ones are judged.
  ASSERT_EQ(out.part.bodies.size(), 48U);
  EXPECT_EQ(out.judged.last, 32U);
  for (std::size_t i = 16; i < 32; ++i) {
    const std::size_t row = out.part.bodies[i].index() / 8;
    EXPECT_TRUE(row == 1 || row == 4) << "row " << row;
  }
}

TEST(OrderOfCopies, AStarWithAscendingNumbersIsNoPath) {
  samples::Builder builder(6, 1);
  for (std::size_t i = 1; i < 6; ++i) builder.join(body(0), body(i));
  const Scene scene(builder.finish(), PartitionRequest{.parts = 3});
  const Halo halo = scene.grow(1, scene.roots(1, 2), one);
  const OverlappingPart out = scene.carried(1, halo);
  EXPECT_EQ(out.part.owned.first, 0U);
  EXPECT_EQ(out.part.owned.last, 2U);
  EXPECT_EQ(out.part.bodies.size(), 6U);
  expect_consistent(scene, 1, halo, out);
}

TEST(BodyGraph, ListsElementsByBody) {
  samples::Builder builder(3, 1);
  builder.join(ground, body(0));
  builder.join(body(1), body(0));
  builder.join(body(1), body(1));  // to itself
  builder.join(body(0), body(1));  // a second one
  const Model model = builder.finish();
  const auto graph = make_graph(model);
  ASSERT_EQ(graph->bodies(), 3U);
  std::vector<std::pair<int, int>> seen;
  for (const Incident& i : graph->around(body(0))) seen.emplace_back(i.element.label(), i.other.label());
  EXPECT_THAT(seen, ElementsAre(std::pair(1, 0), std::pair(2, 2), std::pair(4, 2)));
  EXPECT_EQ(graph->around(body(1)).size(), 2U);
  EXPECT_TRUE(graph->around(body(2)).empty());
}

}  // namespace
}  // namespace cosimo
