// Cuts where one side carries copies and the other follows the recorded force.
#include <gtest/gtest.h>

#include <cmath>

#include "core/check.hpp"
#include "subsystem/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using samples::largest_difference;
using samples::options_of;
using samples::OverlappedChain;
using samples::Uncut;
using samples::unit_chain;
using samples::values;

/// Two parts of a chain, cut at 30 of 60; `carrier` carries `layers` copies, the other one none.
struct OneSided {
  OneSided(const ChainSpec& spec, std::size_t layers, std::size_t carrying, const IntegratorOptions& options)
      : cut(spec, {30}, options),
        carrier(carrying),
        force(cut.model.elements.law(ElementId(std::size_t{30}))) {
    cut.carry(carrier, layers, layers);
    cut.lanes[carrier]->record_force(0, force);
    cut.lanes[1 - carrier]->follow_force(0, force);
  }
  bool step(const Window& window, std::int64_t grid = 0) {
    for (const std::size_t part : {carrier, 1 - carrier})
      if (cut.advance(part, window, grid).status != StepStatus::ok) return false;
    cut.states.accept();
    return true;
  }
  double momentum(std::size_t part) const {
    double sum = 0;
    for (std::size_t i = cut.ranges[part].first; i < cut.ranges[part].last; ++i)
      sum += cut.model.bodies.mass[i] * cut.states.v()[i];
    return sum;
  }
  OverlappedChain cut;
  std::size_t carrier;
  RecordedForce force;
};

ChainSpec free_chain(double d = 0, double C = 0) {
  ChainSpec spec = unit_chain(60, 3);
  spec.ends = {End::free, End::free};
  spec.d = d;
  spec.C = C;
  return spec;
}

class Sides : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Both, Sides, ::testing::Values(0, 1));

// Without walls only the cut's force changes the momentum of a part.
TEST_P(Sides, MomentumLeavesOneSideAndArrivesAtTheOther) {
  for (const Method method : {Method::rk, Method::rosenbrock})
    for (const double tolerance : {1e-6, 1e-9}) {
      OneSided pair(free_chain(0.1, 0.5), 4, GetParam(), options_of(method, tolerance));
      double exchanged = 0;
      for (int k = 0; k < 8; ++k) {
        const double left = pair.momentum(0), right = pair.momentum(1);
        ASSERT_TRUE(pair.step({k * 1.0, k + 1.0}));
        const double to_left = pair.momentum(0) - left, to_right = pair.momentum(1) - right;
        exchanged = std::max(exchanged, std::fabs(to_left));
        EXPECT_NEAR(to_left, -to_right, 20 * tolerance);
      }
      EXPECT_GT(exchanged, 0.1);
    }
}

TEST_P(Sides, AreAsAccurateAsTwoSidedOverlap) {
  const IntegratorOptions tight = options_of(Method::rk, 1e-12);
  for (const std::size_t layers : {5, 8, 11}) {
    OneSided one(free_chain(0.02), layers, GetParam(), tight);
    OverlappedChain two(free_chain(0.02), {30}, tight);
    Uncut whole(two.model, tight);
    two.carry_layers(layers);
    const double H = 3;
    for (int k = 0; k < 3; ++k) {
      ASSERT_TRUE(one.step({k * H, (k + 1) * H}));
      ASSERT_TRUE(two.step({k * H, (k + 1) * H}));
      ASSERT_TRUE(whole.step((k + 1) * H));
    }
    const double error_one = largest_difference(one.cut.x(), whole.x());
    const double error_two = largest_difference(two.x(), whole.x());
    EXPECT_LT(error_one, 2 * error_two + 1e-11) << layers << " layers";
    EXPECT_GT(error_two, 0);
  }
}

TEST_P(Sides, TheSoftSideNeedsNoSmallSteps) {
  ChainSpec spec = unit_chain(60, 4);
  std::vector<double> c(61, 1.0);
  // A stiff pair of bodies just behind the cut, on the side that carries.
  const std::size_t stiff = GetParam() == 0 ? 29 : 31;
  c[stiff] = 1e4;
  spec.c = c;
  spec.x = Uniform{-1e-3, 1e-3};
  const IntegratorOptions options = options_of(Method::rk, 1e-8);
  OneSided pair(spec, 12, GetParam(), options);
  Uncut whole(pair.cut.model, options_of(Method::rk, 1e-12));
  for (int k = 0; k < 4; ++k) {
    ASSERT_TRUE(pair.step({k * 0.5, k * 0.5 + 0.5}));
    ASSERT_TRUE(whole.step(k * 0.5 + 0.5));
  }
  EXPECT_LT(largest_difference(pair.cut.x(), whole.x()), 1e-6);
  const std::int64_t fast = pair.cut.lanes[GetParam()]->status().counters.steps;
  const std::int64_t slow = pair.cut.lanes[1 - GetParam()]->status().counters.steps;
  EXPECT_LT(10 * slow, fast);
}

TEST_P(Sides, RestoreThenRepeatGivesTheSameBits) {
  OneSided pair(free_chain(0.1, 0.5), 6, GetParam(), options_of(Method::rk, 1e-8));
  ASSERT_TRUE(pair.step({0, 1}));
  std::vector<std::unique_ptr<Snapshot>> memory;
  for (const auto& lane : pair.cut.lanes) {
    memory.push_back(lane->make_snapshot());
    lane->save(*memory.back());
  }
  std::vector<std::vector<double>> seen;
  for (const double H : {1.0, 0.3, 1.0}) {
    for (std::size_t p = 0; p < 2; ++p) pair.cut.lanes[p]->restore(*memory[p]);
    for (const std::size_t p : {pair.carrier, 1 - pair.carrier})
      ASSERT_EQ(pair.cut.advance(p, {1, 1 + H}).status, StepStatus::ok);
    seen.push_back(values(pair.cut.states.next_x()));
    seen.back().push_back(pair.cut.lanes[1 - pair.carrier]->work());
  }
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_NE(seen[0], seen[1]);
}

TEST_P(Sides, AFailedCarrierTellsNothing) {
  IntegratorOptions options = options_of(Method::rk, 1e-9);
  options.max_steps = 50;
  OneSided pair(free_chain(), 6, GetParam(), options);
  ASSERT_TRUE(pair.step({0, 0.5}));
  EXPECT_NE(pair.force.value(0.2), 0);
  EXPECT_EQ(pair.cut.advance(pair.carrier, {0.5, 100}).status, StepStatus::failed);
  EXPECT_EQ(pair.force.value(0.6), 0);
}

TEST(OneSidedCut, OnlyACarriedForceCanBeRecorded) {
  OneSided pair(free_chain(), 0, 0, options_of(Method::rk, 1e-6));
  EXPECT_THROW((void)pair.step({0, 1}), Bug);
}

TEST(OneSidedCut, ASteadyStepDoesNotAllocate) {
  OneSided pair(free_chain(), 6, 0, options_of(Method::rk, 1e-6));
  const std::vector<Polynomial> none(1);
  std::size_t before = 0;
  for (int k = 0; k < 30; ++k) {
    if (k == 15) before = allocation_count();
    for (const auto& lane : pair.cut.lanes) {
      lane->use_grid(10);
      ASSERT_EQ(lane->advance({k * 0.5, k * 0.5 + 0.5}, none, {}).status, StepStatus::ok);
    }
    pair.cut.states.accept();
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
