#include "coupling/conditions.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "coupling/testing.hpp"

namespace cosimo {
namespace {

using samples::Cuts;

// Variables of samples::mixed_cuts(), by number.
enum : std::size_t {
  ff_force,
  fd_force,  // drives `from` of cut 1
  fd_x,      // of `from`, drives `to`
  fd_v,
  df_x,  // of `to` of cut 2, drives `from`
  df_v,
  df_force,
  dd_to_x,
  dd_to_v,
  dd_from_x,
  dd_from_v,
  mixed_count
};

double law(const Cuts& cuts, std::size_t c, double dx, double dv) {
  const SpringLaw s = cuts.model.elements.law(ElementId{c});
  return s.c * dx + s.d * dv + s.C * dx * dx * dx + s.D * dv * dv * dv;
}

double consistent(const Cuts& cuts, const CutStates& y, std::size_t c) {
  return law(cuts, c, y.to_x[c] - y.from_x[c], y.to_v[c] - y.from_v[c]);
}

TEST(CouplingConditions, ConsistentValuesOfAllDecompositions) {
  const Cuts cuts(samples::mixed_cuts(), true);
  const CutStates y = cuts.random_states(1);
  ASSERT_EQ(cuts.conditions.size(), mixed_count);
  std::vector<double> u(mixed_count);
  cuts.conditions.evaluate(0, y, u);
  EXPECT_NEAR(u[ff_force], consistent(cuts, y, 0), 1e-14);
  EXPECT_NEAR(u[fd_force], consistent(cuts, y, 1), 1e-14);
  EXPECT_EQ(u[fd_x], y.from_x[1]);
  EXPECT_EQ(u[fd_v], y.from_v[1]);
  EXPECT_EQ(u[df_x], y.to_x[2]);
  EXPECT_EQ(u[df_v], y.to_v[2]);
  EXPECT_NEAR(u[df_force], consistent(cuts, y, 2), 1e-14);
  EXPECT_EQ(u[dd_to_x], y.to_x[3]);
  EXPECT_EQ(u[dd_to_v], y.to_v[3]);
  EXPECT_EQ(u[dd_from_x], y.from_x[3]);
  EXPECT_EQ(u[dd_from_v], y.from_v[3]);
}

TEST(CouplingConditions, ReportedForcesUseTheMotionThatWasGiven) {
  const Cuts cuts(samples::mixed_cuts(), true);
  const CutStates y = cuts.random_states(1);
  const std::vector<double> used = cuts.random_variables(2);
  std::vector<double> u(mixed_count), reported(mixed_count);
  cuts.conditions.evaluate(0, y, u);
  cuts.conditions.evaluate_reported(0, y, used, reported);
  EXPECT_NEAR(reported[fd_force], law(cuts, 1, y.to_x[1] - used[fd_x], y.to_v[1] - used[fd_v]), 1e-14);
  EXPECT_NEAR(reported[df_force], law(cuts, 2, used[df_x] - y.from_x[2], used[df_v] - y.from_v[2]), 1e-14);
  for (std::size_t i = 0; i < mixed_count; ++i) {
    if (i == fd_force || i == df_force) continue;
    EXPECT_EQ(reported[i], u[i]) << i;
  }
}

TEST(CouplingConditions, ReportedIsConsistentWhenTheMotionWasRight) {
  const Cuts cuts(samples::mixed_cuts(), true);
  const CutStates y = cuts.random_states(3);
  std::vector<double> u(mixed_count), reported(mixed_count);
  cuts.conditions.evaluate(0, y, u);
  cuts.conditions.evaluate_reported(0, y, u, reported);
  EXPECT_EQ(reported, u);
}

TEST(CouplingConditions, OnlyForceDisplacementCutsFeedThrough) {
  const auto feeds = [](Drive from, Drive to) {
    return Cuts({{0, 1, from, to}}, false).conditions.can_feed_through();
  };
  EXPECT_FALSE(feeds(Drive::force, Drive::force));
  EXPECT_TRUE(feeds(Drive::force, Drive::motion));
  EXPECT_TRUE(feeds(Drive::motion, Drive::force));
  EXPECT_FALSE(feeds(Drive::motion, Drive::motion));
}

/// Central differences of phi in one number.
std::vector<double> slope(double& number, std::size_t n, const std::function<void(std::span<double>)>& phi) {
  const double h = 1e-5, middle = number;
  std::vector<double> above(n), below(n);
  number = middle + h;
  phi(above);
  number = middle - h;
  phi(below);
  number = middle;
  for (std::size_t i = 0; i < n; ++i) above[i] = (above[i] - below[i]) / (2 * h);
  return above;
}

void expect_gradients(bool reported) {
  const Cuts cuts(samples::mixed_cuts(), true);
  CutStates y = cuts.random_states(5);
  std::vector<double> used = cuts.random_variables(6);
  const auto phi = [&](std::span<double> u) {
    if (reported)
      cuts.conditions.evaluate_reported(0, y, used, u);
    else
      cuts.conditions.evaluate(0, y, u);
  };
  ConditionGradients gradients(cuts.conditions.variables());
  cuts.conditions.gradients(0, y, reported ? used : std::vector<double>{}, gradients);

  const double close = 1e-8;
  for (std::size_t c = 0; c < cuts.couplings(); ++c) {
    const std::vector<double> from_x = slope(y.from_x[c], mixed_count, phi);
    const std::vector<double> from_v = slope(y.from_v[c], mixed_count, phi);
    const std::vector<double> to_x = slope(y.to_x[c], mixed_count, phi);
    const std::vector<double> to_v = slope(y.to_v[c], mixed_count, phi);
    for (std::size_t i = 0; i < mixed_count; ++i) {
      const bool mine = cuts.conditions.variables()[i].coupling == CouplingId{c};
      const Slope from = mine ? samples::slope_at(gradients, i, CutSide::from) : Slope{};
      const Slope to = mine ? samples::slope_at(gradients, i, CutSide::to) : Slope{};
      EXPECT_NEAR(from_x[i], from.x, close) << i;
      EXPECT_NEAR(from_v[i], from.v, close) << i;
      EXPECT_NEAR(to_x[i], to.x, close) << i;
      EXPECT_NEAR(to_v[i], to.v, close) << i;
    }
  }
  for (std::size_t j = 0; j < mixed_count; ++j) {
    const std::vector<double> column = slope(used[j], mixed_count, phi);
    for (std::size_t i = 0; i < mixed_count; ++i) {
      double expected = 0;
      if (const auto motion = gradients.motion(i); !motion.empty()) {
        if (gradients.motion_variable(i) == j) expected += motion[0].x;
        if (gradients.motion_variable(i) + 1 == j) expected += motion[0].v;
      }
      EXPECT_NEAR(column[i], expected, close) << i << " " << j;
    }
  }
}

TEST(CouplingConditions, GradientsOfConsistentValues) {
  expect_gradients(false);
}

TEST(CouplingConditions, GradientsOfReportedValues) {
  expect_gradients(true);
}

TEST(CouplingConditions, Resolution) {
  const Cuts cuts(samples::mixed_cuts(), true);
  const double dx = 1e-3, dv = 0.2;
  std::vector<double> u(mixed_count);
  cuts.conditions.resolution(same_for_both(dx, dv), {}, u);
  EXPECT_NEAR(u[ff_force], law(cuts, 0, dx, dv), 1e-15);
  EXPECT_NEAR(u[fd_force], law(cuts, 1, dx, dv), 1e-15);
  EXPECT_NEAR(u[df_force], law(cuts, 2, dx, dv), 1e-15);
  for (const std::size_t i : {fd_x, df_x, dd_to_x, dd_from_x}) EXPECT_EQ(u[i], dx);
  for (const std::size_t i : {fd_v, df_v, dd_to_v, dd_from_v}) EXPECT_EQ(u[i], dv);
}

}  // namespace
}  // namespace cosimo
