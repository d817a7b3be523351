#include "model/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "mechanics/dynamics.hpp"

namespace cosimo {
namespace {

NetworkSpec forty() {
  return {.masses = 40, .neighbours = 5, .radius = 2, .c = 100.0, .d = 0.3, .v = {}, .fixed = 3, .seed = 7};
}

TEST(Network, HasTheSpringsAskedForAndHangsTogether) {
  const Model model = make_network(forty());
  ASSERT_EQ(model.bodies.count, 40U);
  std::vector<std::size_t> up(40);
  for (std::size_t i = 0; i < 40; ++i) up[i] = i;
  const auto root = [&](std::size_t i) {
    while (up[i] != i) i = up[i];
    return i;
  };
  std::size_t inner = 0, walls = 0;
  std::set<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const ElementEnds ends = ends_of(model, ElementId{e});
    if (ends.from == ground || ends.to == ground) {
      ++walls;
      continue;
    }
    ++inner;
    EXPECT_NE(ends.from, ends.to);
    EXPECT_TRUE(pairs.insert(std::minmax(ends.from.label(), ends.to.label())).second);
    up[root(ends.from.index())] = root(ends.to.index());
  }
  EXPECT_EQ(inner, 40U * 5 / 2);
  EXPECT_EQ(walls, 3U);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(root(i), root(0));
  for (const double x : model.bodies.x) EXPECT_LE(std::fabs(x), 2);
}

/// Springs are unstretched, and dampers act across their line too (003, Section 3.2).
TEST(Network, StandsStillAndDampsAllMotion) {
  const Model model = make_network(forty());
  std::vector<BodyId> bodies;
  std::vector<ElementId> elements;
  for (std::size_t i = 0; i < model.bodies.count; ++i) bodies.emplace_back(i);
  for (std::size_t i = 0; i < element_count(model); ++i) elements.emplace_back(i);
  const Dynamics dynamics(*model.mechanism, bodies, elements);
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size());
  ASSERT_TRUE(
      dynamics.acceleration(0, model.bodies.x.data(), model.bodies.v.data(), {}, a.data(), nullptr, *work));
  for (const double x : a) EXPECT_NEAR(x, 0, 1e-10);

  std::size_t springs = 0;
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const ElementEnds ends = ends_of(model, ElementId{e});
    if (ends.from == BodyId{0} || ends.to == BodyId{0}) ++springs;
  }
  std::vector<double> v(dynamics.size());
  v[1] = 1;
  ASSERT_TRUE(dynamics.acceleration(0, model.bodies.x.data(), v.data(), {}, a.data(), nullptr, *work));
  EXPECT_NEAR(a[1], -0.3 * static_cast<double>(springs), 1e-12);
  EXPECT_NEAR(a[0], 0, 1e-12);
}

/// The nearest of every mass, found among all, is joined to it, wherever the cubes of the search end.
TEST(Network, JoinsTheNearest) {
  for (const std::size_t dimensions : {2U, 3U}) {
    const Model model = make_network({.masses = 700, .dimensions = dimensions, .neighbours = 8, .seed = 5});
    const auto& x = model.bodies.x;
    const auto distance2 = [&](std::size_t i, std::size_t j) {
      double sum = 0;
      for (std::size_t d = 0; d < dimensions; ++d)
        sum += std::pow(x[i * dimensions + d] - x[j * dimensions + d], 2);
      return sum;
    };
    std::set<std::pair<std::size_t, std::size_t>> springs;
    for (std::size_t e = 0; e < element_count(model); ++e) {
      const ElementEnds ends = ends_of(model, ElementId{e});
      if (ends.from != ground && ends.to != ground)
        springs.insert(std::minmax(ends.from.index(), ends.to.index()));
    }
    for (std::size_t i = 0; i < 700; ++i) {
      std::size_t nearest = i == 0 ? 1 : 0;
      for (std::size_t j = 0; j < 700; ++j)
        if (j != i && distance2(i, j) < distance2(i, nearest)) nearest = j;
      EXPECT_TRUE(springs.contains(std::minmax(i, nearest))) << i;  // part of every shortest connection
    }
  }
}

/// Looking at every pair of masses would take minutes.
TEST(Network, OfManyMassesIsMadeAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(make_network({.masses = 100'000}).bodies.count, 100'000U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Network, IsTheSameForTheSameSeedAlone) {
  NetworkSpec spec = forty();
  const auto first = hash(make_network(spec));
  EXPECT_EQ(hash(make_network(spec)), first);
  spec.seed = 8;
  EXPECT_NE(hash(make_network(spec)), first);
}

TEST(Network, InThePlaneFallsAlongY) {
  const Model model = make_network({.masses = 6, .dimensions = 2, .gravity = 3});
  EXPECT_EQ(model.coordinate_count(), 12U);
  EXPECT_EQ(model.mechanism->gravity, Vec3(0, -3, 0));
}

}  // namespace
}  // namespace cosimo
