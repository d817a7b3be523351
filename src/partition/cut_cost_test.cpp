#include "partition/cut_cost.hpp"
#include "mechanics/mechanism.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/graphs.hpp"
#include "model/testing.hpp"
#include "partition/testing.hpp"

namespace cosimo {
namespace {

/// Five bodies in a row with linear elements of order one, free at both ends of the tables' reach.
ChainSpec linear_chain() {
  ChainSpec spec;
  spec.masses = 5;
  spec.mass = 2.0;
  spec.c = 8.0;
  spec.d = 0.0;
  return spec;
}

TEST(ElementRates, AreStiffnessAndDampingOverMass) {
  ChainSpec spec = linear_chain();
  spec.d = 0.5;
  const auto rates = make_graph(make_chain(spec))->element_rates();
  EXPECT_DOUBLE_EQ(rates[2].from.stiffness, 4);
  EXPECT_DOUBLE_EQ(rates[2].to.damping, 0.25);
  EXPECT_EQ(rates[0].from.stiffness, 0) << "the ground";
  EXPECT_DOUBLE_EQ(rates[0].to.stiffness, 4);
}

TEST(ElementRates, DoNotDependOnOneSampleOfTheInitialState) {
  const auto rates = make_graph(samples::chain(50))->element_rates();
  for (std::size_t e = 1; e < 49; ++e) EXPECT_EQ(rates[e].from.stiffness, rates[1].from.stiffness);
}

TEST(ElementRates, OfBodiesInSpace) {
  samples::MechanismBuilder build;
  const BodyId point = build.body("p", BodyKind::point3, 2, {0, 0, 0});
  const BodyId rigid = build.body("r", BodyKind::rigid, 4, {1, 0, 0});
  // At a lever of 3 a force of k turns the body (inertia 4) with 9 k / 4 and moves it with k / 4; about the
  // two axes across the lever both act together.
  build.add(std::make_unique<samples::LinearElement>("e", Marker{point, Vec3::Zero(), Mat3::Identity()},
                                                     Marker{rigid, Vec3(3, 0, 0), Mat3::Identity()}, 6, 2));
  const auto rates = make_graph(build.finish())->element_rates();
  EXPECT_NEAR(rates[0].from.stiffness, 3, 1e-12);
  EXPECT_NEAR(rates[0].from.damping, 1, 1e-12);
  EXPECT_NEAR(rates[0].to.stiffness, 6 * (1 + 9) / 4.0, 1e-12);
  EXPECT_NEAR(rates[0].to.damping, 2 * (1 + 9) / 4.0, 1e-12);
}

TEST(CutCost, IsOneForTheTypicalElement) {
  const Model model = make_chain(linear_chain());
  const CutCosts costs = measure_cuts(*make_graph(model));
  EXPECT_FALSE(costs.element[0].possible) << "at the wall";
  EXPECT_FALSE(costs.element[5].possible);
  for (std::size_t e = 1; e < 5; ++e) {
    EXPECT_TRUE(costs.element[e].possible);
    EXPECT_DOUBLE_EQ(costs.element[e].rate, std::sqrt(8.0));
    EXPECT_DOUBLE_EQ(costs.element[e].cost, 1);
  }
  EXPECT_DOUBLE_EQ(costs.body[2].rate, std::sqrt(16.0));
  EXPECT_DOUBLE_EQ(costs.body[2].steps, 1);
  EXPECT_DOUBLE_EQ(costs.body[0].rate, std::sqrt(12.0)) << "the wall holds it with half as much";
}

TEST(CutCost, GrowsWithStiffnessDampingAndUnequalMasses) {
  ChainSpec spec = linear_chain();
  spec.masses = 9;
  const double plain = 8;
  spec.c = std::vector<double>{plain, plain, plain, 4 * plain, plain, plain, plain, plain, plain, plain};
  spec.d = std::vector<double>{0, 0, 0, 0, 0, 3, 0, 0, 0, 0};
  std::vector<double> mass(9, 2.0);
  mass[8] = 200;
  spec.mass = mass;
  const CutCosts costs = measure_cuts(*make_graph(make_chain(spec)));
  EXPECT_DOUBLE_EQ(costs.element[3].cost, 2) << "four times as stiff";
  EXPECT_DOUBLE_EQ(costs.element[5].cost, (std::sqrt(8.0) + 3) / std::sqrt(8.0)) << "damped";
  EXPECT_NEAR(costs.element[8].mass_ratio, 100, 1e-9);
  EXPECT_NEAR(costs.element[8].cost, std::sqrt(4 + 0.04) / std::sqrt(8.0) * 3, 1e-9);
}

TEST(CutCost, GrowsTowardsLoadsAndContacts) {
  ChainSpec spec = linear_chain();
  spec.masses = 40;
  spec.loads.push_back({std::vector<std::int64_t>{10}, Sign::plus, HarmonicSpec{1.0, 1.0, 0.0}});
  spec.loads.push_back({std::vector<std::int64_t>{30}, Sign::plus, ContactSpec{1e-3, 2.0}});
  const CutCosts costs = measure_cuts(*make_graph(make_chain(spec)));
  EXPECT_EQ(costs.body[9].exposure, 1);
  EXPECT_EQ(costs.body[8].exposure, 0.5);
  EXPECT_EQ(costs.body[3].exposure, 1.0 / 64);
  EXPECT_EQ(costs.body[2].exposure, 0);
  EXPECT_EQ(costs.body[29].exposure, 2);
  EXPECT_DOUBLE_EQ(costs.element[9].cost / costs.element[1].cost, 4);
  EXPECT_DOUBLE_EQ(costs.element[29].cost / costs.element[1].cost, 7);
  EXPECT_LT(costs.element[8].cost, costs.element[9].cost);
}

TEST(CutCost, ContactsAreAsFastAsWhatTheyStop) {
  ChainSpec spec = linear_chain();
  spec.masses = 21;
  spec.v = 3.0;
  spec.loads.push_back({std::vector<std::int64_t>{10}, Sign::plus, ContactSpec{1e-3, 1e4}});
  const CutCosts costs = measure_cuts(*make_graph(make_chain(spec)));
  EXPECT_DOUBLE_EQ(costs.body[9].rate, 3e4 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(costs.body[9].steps, std::pow(costs.body[9].rate / costs.bulk_rate, 0.6));
  EXPECT_DOUBLE_EQ(costs.body[4].steps, 1);
}

TEST(CutCost, CountsComponentsAndSparesJoints) {
  samples::MechanismBuilder build;
  const BodyId a = build.body("a", BodyKind::point3, 1, {0, 0, 0});
  const BodyId b = build.body("b", BodyKind::point3, 1, {1, 0, 0});
  const BodyId c = build.body("c", BodyKind::point3, 1, {2, 0, 0});
  const BodyId d = build.body("d", BodyKind::point3, 1, {3, 0, 0});
  build.spring("ab", a, b, 4);
  build.spring("bc", b, c, 4);
  build.spring("cd", c, d, 4);
  build.load("wind", d);
  build.join("bar", {b, c});
  const CutCosts costs = measure_cuts(*make_graph(build.finish()));
  EXPECT_TRUE(costs.element[0].possible);
  EXPECT_FALSE(costs.element[1].possible) << "inside a group";
  EXPECT_TRUE(costs.element[2].possible);
  EXPECT_FALSE(costs.element[3].possible);
  EXPECT_EQ(costs.element[0].components, 3U);
  EXPECT_EQ(costs.body[0].freedoms, 3);
  EXPECT_DOUBLE_EQ(costs.element[2].exposure, 1) << "a load of a mechanism is an element";
  EXPECT_DOUBLE_EQ(costs.element[2].cost, 4 * std::sqrt(3.0));
}

}  // namespace
}  // namespace cosimo
