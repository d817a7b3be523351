#include "integrator/step_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "integrator/testing.hpp"

namespace cosimo {
namespace {

TEST(StepControl, MeetsTheEndAsInListing41) {
  EXPECT_EQ(plan_step(1, 0.1, 2).h, 0.1);
  EXPECT_EQ(plan_step(1, 0.1, 2).end, 1.1);
  const StepPlan stretched = plan_step(1, 0.1, 1.105);
  EXPECT_EQ(stretched.end, 1.105);
  EXPECT_EQ(stretched.h, 1.105 - 1);
  const StepPlan halved = plan_step(1, 0.1, 1.15);
  EXPECT_EQ(halved.h, 0.5 * (1.15 - 1));
  EXPECT_EQ(halved.end, 1 + halved.h);
  EXPECT_EQ(plan_step(1, 10, 1.15).end, 1.15);
}

TEST(StepControl, ShortenedStepsKeepTheStepSize) {
  StepMemory memory{0.1};
  memory.accepted(1e-3, 1e-9, 5);
  EXPECT_EQ(memory.h, 0.1);
  memory.accepted(0.04, 1e-3, 5);
  EXPECT_GE(memory.h, 0.1);
  memory = {0.1};
  memory.accepted(0.09, 0.99, 5);  // shortened, and yet at the limit
  EXPECT_LT(memory.h, 0.09);
}

/// What counts as shortened is the caller's to say.
TEST(StepControl, SlightlyShortenedStepsMayBeEvidence) {
  StepMemory memory{0.1, 0.1};
  memory.accepted(0.06, 0.05, 5, 0.5);
  EXPECT_LT(memory.h, 0.08);
  EXPECT_EQ(memory.previous_error, 0.05);
  memory = {0.1, 0.1};
  memory.accepted(0.04, 0.05, 5, 0.5);
  EXPECT_EQ(memory.h, 0.1);
  EXPECT_EQ(memory.previous_error, 0.1);
}

TEST(StepControl, GrowthAndShrinkingAreLimited) {
  StepMemory memory{0.1};
  memory.accepted(0.1, 0, 5);
  EXPECT_DOUBLE_EQ(memory.h, 0.5);
  memory.rejected(0.5, std::numeric_limits<double>::infinity(), 5);
  EXPECT_DOUBLE_EQ(memory.h, 0.1);
  memory.accepted(0.1, 1e-9, 5);  // no growth right after a rejection
  EXPECT_DOUBLE_EQ(memory.h, 0.1);
  memory.rejected(0.1, 1.0001, 5);
  EXPECT_LE(memory.h, 0.09 * (1 + 1e-15));
}

TEST(StepControl, FirstStepFollowsTheMotion) {
  for (const double omega : {1.0, 1e4}) {
    const cosimo::testing::Chain chain(1, {1, 0.5 * omega * omega});
    StatePool pool(1);
    StateRef state = pool.spare(), scratch = pool.spare();
    state.edit().q[0] = 1;
    ASSERT_TRUE(chain.acceleration(0, state->q.data(), state->v.data(), state.edit().a.data(), {0, 1}));
    const Point from{0, state->q.data(), state->v.data(), state->a.data()};
    Counters counters;
    const double h =
        initial_step(chain, from, {1e-6, 1e-6, 1e-6 * omega}, {0, 1}, 5, 100, scratch.edit(), counters);
    EXPECT_GT(h * omega, 1e-6);
    EXPECT_LT(h * omega, 1);
    EXPECT_EQ(counters.evaluations, 1);
  }
}

TEST(StepControl, FirstStepOfASystemAtRest) {
  const cosimo::testing::Chain chain(4, {1, 1});
  StatePool pool(4);
  StateRef state = pool.spare(), scratch = pool.spare();
  const Point from{0, state->q.data(), state->v.data(), state->a.data()};
  Counters counters;
  const double h = initial_step(chain, from, {}, {0, 4}, 5, 2, scratch.edit(), counters);
  EXPECT_GT(h, 0);
  EXPECT_LE(h, 2);
}

TEST(StepControl, SquaresThatOverflowMakeNoStepOfLengthZero) {
  const cosimo::testing::Chain chain(1, {1, 0.5});
  StatePool pool(1);
  StateRef state = pool.spare(), scratch = pool.spare();
  state.edit().q[0] = 1e150;
  ASSERT_TRUE(chain.acceleration(0, state->q.data(), state->v.data(), state.edit().a.data(), {0, 1}));
  const Point from{0, state->q.data(), state->v.data(), state->a.data()};
  Counters counters;
  EXPECT_GT(initial_step(chain, from, {1e-6, 1e-9, 1e-6}, {0, 1}, 5, 1, scratch.edit(), counters), 0);
}

TEST(StepControl, TheSmallestStepMovesTheClock) {
  for (const double t : {0.0, 1e-9, 1.0, 1e9}) EXPECT_GT(t + minimum_step(t, 2 * t + 1), t);
  EXPECT_GT(minimum_step(0, 1), 1e-30) << "the end would never be reached";
}

TEST(StatePool, HandsOutOnlyWhatNobodyHolds) {
  StatePool pool(8);
  StateRef a = pool.spare(), b = pool.spare();
  EXPECT_NE(&*a, &*b);
  const State* first = &*a;
  StateRef held = a;
  a = b;
  EXPECT_NE(&*pool.spare(), first);
  held = b;
  EXPECT_EQ(&*pool.spare(), first);
  EXPECT_EQ(pool.count(), 3u);
}

}  // namespace
}  // namespace cosimo
