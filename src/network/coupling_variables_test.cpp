#include "network/coupling_variables.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace cosimo {
namespace {

Interface interface_of(const std::vector<std::pair<Drive, Drive>>& cuts) {
  Interface interface;
  for (std::size_t i = 0; i < cuts.size(); ++i)
    interface.couplings.push_back({ElementId{i},
                                   {PartId{i}, BodyId{i}, cuts[i].first},
                                   {PartId{i + 1}, BodyId{i + 1}, cuts[i].second}});
  return interface;
}

void expect_variable(const CouplingVariable& variable, std::size_t coupling, Quantity quantity,
                     CutSide of = CutSide::from) {
  EXPECT_EQ(variable.coupling, CouplingId{coupling});
  EXPECT_EQ(variable.quantity, quantity);
  if (quantity != Quantity::force) {
    EXPECT_EQ(variable.of, of);
  }
}

TEST(CouplingVariables, ForceForceHasOneVariableForBothEnds) {
  const CouplingVariables u(interface_of(std::vector(3, std::pair{Drive::force, Drive::force})));
  ASSERT_EQ(u.size(), 3U);
  EXPECT_EQ(u.couplings(), 3U);
  for (std::size_t c = 0; c < 3; ++c) {
    expect_variable(u[c], c, Quantity::force);
    EXPECT_EQ(u.driving(CouplingId{c}, CutSide::from), c);
    EXPECT_EQ(u.driving(CouplingId{c}, CutSide::to), c);
  }
}

TEST(CouplingVariables, ForceDisplacement) {
  const CouplingVariables u(interface_of({{Drive::force, Drive::motion}}));
  ASSERT_EQ(u.size(), 3U);
  expect_variable(u[0], 0, Quantity::force);
  expect_variable(u[1], 0, Quantity::position, CutSide::from);
  expect_variable(u[2], 0, Quantity::velocity, CutSide::from);
  EXPECT_EQ(u.driving(CouplingId{0}, CutSide::from), 0U);
  EXPECT_EQ(u.driving(CouplingId{0}, CutSide::to), 1U);
}

TEST(CouplingVariables, DisplacementForce) {
  const CouplingVariables u(interface_of({{Drive::motion, Drive::force}}));
  ASSERT_EQ(u.size(), 3U);
  expect_variable(u[0], 0, Quantity::position, CutSide::to);
  expect_variable(u[1], 0, Quantity::velocity, CutSide::to);
  expect_variable(u[2], 0, Quantity::force);
  EXPECT_EQ(u.driving(CouplingId{0}, CutSide::from), 0U);
  EXPECT_EQ(u.driving(CouplingId{0}, CutSide::to), 2U);
}

TEST(CouplingVariables, DisplacementDisplacementAsIn28) {
  const CouplingVariables u(interface_of({{Drive::motion, Drive::motion}}));
  ASSERT_EQ(u.size(), 4U);
  expect_variable(u[0], 0, Quantity::position, CutSide::to);
  expect_variable(u[1], 0, Quantity::velocity, CutSide::to);
  expect_variable(u[2], 0, Quantity::position, CutSide::from);
  expect_variable(u[3], 0, Quantity::velocity, CutSide::from);
  EXPECT_EQ(u.driving(CouplingId{0}, CutSide::from), 0U);
  EXPECT_EQ(u.driving(CouplingId{0}, CutSide::to), 2U);
}

TEST(CouplingVariables, MixedCutsFollowEachOther) {
  const CouplingVariables u(interface_of({{Drive::motion, Drive::motion},
                                          {Drive::force, Drive::force},
                                          {Drive::force, Drive::motion},
                                          {Drive::motion, Drive::force}}));
  ASSERT_EQ(u.size(), 11U);
  EXPECT_EQ(u.driving(CouplingId{1}, CutSide::from), 4U);
  EXPECT_EQ(u.driving(CouplingId{1}, CutSide::to), 4U);
  EXPECT_EQ(u.driving(CouplingId{2}, CutSide::from), 5U);
  EXPECT_EQ(u.driving(CouplingId{2}, CutSide::to), 6U);
  EXPECT_EQ(u.driving(CouplingId{3}, CutSide::from), 8U);
  EXPECT_EQ(u.driving(CouplingId{3}, CutSide::to), 10U);
  // What drives an end is a force, or a position of the other end with its velocity behind.
  for (std::size_t c = 0; c < u.couplings(); ++c)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const std::size_t first = u.driving(CouplingId{c}, side);
      EXPECT_EQ(u[first].coupling, CouplingId{c});
      if (u[first].quantity == Quantity::force) continue;
      const CutSide other = side == CutSide::from ? CutSide::to : CutSide::from;
      expect_variable(u[first], c, Quantity::position, other);
      expect_variable(u[first + 1], c, Quantity::velocity, other);
    }
}

TEST(CouplingVariables, NoCuts) {
  EXPECT_EQ(CouplingVariables(Interface{}).size(), 0U);
  EXPECT_EQ(CouplingVariables().couplings(), 0U);
}

}  // namespace
}  // namespace cosimo
