#include "model/lattice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "mechanics/dynamics.hpp"
#include "model/chain.hpp"

namespace cosimo {
namespace {

/// Elements between bodies, and to the ground.
struct Counts {
  std::size_t inner = 0, walls = 0;
};
Counts counts(const Model& model) {
  Counts out;
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const ElementEnds ends = ends_of(model, ElementId{e});
    ++(ends.from == ground || ends.to == ground ? out.walls : out.inner);
  }
  return out;
}

TEST(Lattice, JoinsNeighboursAlongTheAxes) {
  const Counts flat = counts(make_lattice({.size = {4, 3}, .c = 1.0}));
  EXPECT_EQ(flat.inner, 3U * 3 + 4 * 2);
  EXPECT_EQ(flat.walls, 2U * 3);
  const Counts cube = counts(make_lattice({.size = {4, 3, 2}, .c = 1.0, .fixed_ends = false}));
  EXPECT_EQ(cube.inner, 3U * 3 * 2 + 4 * 2 * 2 + 4 * 3 * 1);
  EXPECT_EQ(cube.walls, 0U);
}

TEST(Lattice, DiagonalsCrossEverySquareTwice) {
  LatticeSpec spec{.size = {4, 3, 2}, .space = true, .c = 1.0};
  const std::size_t without = element_count(make_lattice(spec));
  spec.diagonals = true;
  const std::size_t squares = 3 * 2 * 2 + 3 * 3 * 1 + 4 * 2 * 1;
  EXPECT_EQ(element_count(make_lattice(spec)), without + 2 * squares);
}

TEST(Lattice, OfOneDimensionIsAChain) {
  const Model lattice = make_lattice({.size = {5}, .mass = 2.0, .c = 3.0, .d = 0.1, .C = 4.0});
  const Model chain = make_chain({.masses = 5, .mass = 2.0, .c = 3.0, .d = 0.1, .C = 4.0});
  EXPECT_EQ(hash(lattice), hash(chain));
}

/// At rest as it stands, and a displaced mass is drawn back along the axes alone.
TEST(Lattice, InSpaceIsUnstretchedAsPlaced) {
  for (const bool diagonals : {false, true}) {
    const Model model =
        make_lattice({.size = {3, 3}, .space = true, .spacing = 0.5, .diagonals = diagonals, .c = 100.0});
    std::vector<BodyId> bodies;
    std::vector<ElementId> elements;
    for (std::size_t i = 0; i < model.bodies.count; ++i) bodies.emplace_back(i);
    for (std::size_t i = 0; i < element_count(model); ++i) elements.emplace_back(i);
    const Dynamics dynamics(*model.mechanism, bodies, elements);
    const auto work = dynamics.make_workspace();
    std::vector<double> q(model.bodies.x.begin(), model.bodies.x.end()), a(dynamics.size());
    ASSERT_TRUE(dynamics.acceleration(0, q.data(), model.bodies.v.data(), {}, a.data(), nullptr, *work));
    EXPECT_LT(std::fabs(*std::max_element(a.begin(), a.end())), 1e-12);
    constexpr double small = 1e-6;
    q[8] += small;  // the middle one along x
    ASSERT_TRUE(dynamics.acceleration(0, q.data(), model.bodies.v.data(), {}, a.data(), nullptr, *work));
    EXPECT_NEAR(a[8] / small, diagonals ? -400 : -200, 1e-2);
    EXPECT_NEAR(a[9] / small, 0, 1e-2);
  }
}

TEST(Lattice, LoadsInSpaceAreThoseOfTheScalarOne) {
  LatticeSpec spec{.size = {2}, .mass = 1.0};
  spec.loads.push_back({.kind = HarmonicSpec{.amplitude = 3.0, .omega = 5.0, .phase = 0.4}});
  spec.space = true;
  const Model model = make_lattice(spec);
  const auto& loads = model.mechanism->elements;
  std::size_t found = 0;
  for (const auto& load : loads) {
    if (load->kind() != "applied") continue;
    ++found;
    Effort effort;
    ASSERT_TRUE(load->effort(0.7, Frame{}, Frame{}, effort));
    EXPECT_NEAR(effort.force.norm(), std::fabs(3 * std::sin(5 * 0.7 + 0.4)), 1e-12);
    EXPECT_EQ(effort.force[1], 0);
  }
  EXPECT_EQ(found, 2U);
}

TEST(Lattice, RefusesNoSizeAndNoMass) {
  EXPECT_THROW(make_lattice({.size = {}}), Error);
  EXPECT_THROW(make_lattice({.size = {3, 0}}), Error);
  EXPECT_THROW(make_lattice({.size = {3}, .mass = 0.0}), Error);
}

}  // namespace
}  // namespace cosimo
