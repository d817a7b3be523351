#include "integrator/grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Chain;

constexpr double none = std::numeric_limits<double>::infinity();

TEST(StepGrid, PointsAreEqualPartsAndTheLastIsTheEnd) {
  const double begin = 0.1, end = 0.1 + 1e-5 / 3;
  for (const std::int64_t n : {1, 3, 7, 1000}) {
    const StepGrid grid(begin, end, n);
    EXPECT_EQ(grid.point(0), begin);
    EXPECT_EQ(grid.point(n), end);
    for (std::int64_t k = 0; k < n; ++k) {
      EXPECT_LT(grid.point(k), grid.point(k + 1));
      EXPECT_EQ(grid.last_until(grid.point(k)), k);
      EXPECT_EQ(grid.last_until(std::nextafter(grid.point(k + 1), 0)), k);
    }
    EXPECT_EQ(grid.last_until(end), n);
    EXPECT_EQ(grid.last_until(1e300), n);
  }
}

TEST(StepGrid, StepsGoToTheNextPoint) {
  const StepGrid grid(0, 1, 10);
  for (const double h : {0.0801, 0.1, 0.15, 0.249}) {
    const StepPlan plan = plan_on_grid(grid, 0.0, StepMemory{h}, none, none);
    EXPECT_EQ(plan.end, 0.1) << h;
    EXPECT_EQ(plan.h, 0.1) << h;
  }
  EXPECT_EQ(plan_on_grid(grid, grid.point(9), StepMemory{7.0}, none, none).end, 1);
}

TEST(StepGrid, ShorterStepsLeadToTheNextPoint) {
  const StepGrid grid(0, 1, 10);
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.07}, none, none).h, 0.05);
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.03}, none, none).h, 0.03);
  EXPECT_EQ(plan_on_grid(grid, 0.05, StepMemory{0.07}, none, none).end, 0.1);
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.09}, 0.09, none).h, 0.05);  // the largest step is kept
}

/// Whatever the error was, the same step is not tried twice.
TEST(StepGrid, RejectedStepsAreShortened) {
  const StepGrid grid(0, 1, 10);
  for (const double wanted : {0.09, 0.1, 0.3, 0.55})
    for (const double error : {1.0000001, 1.2, 10.0, none}) {
      StepMemory memory{wanted};
      const StepPlan first = plan_on_grid(grid, 0.0, memory, none, none);
      memory.rejected(first.h, error, 5);
      EXPECT_LT(plan_on_grid(grid, 0.0, memory, none, none).h, 0.99 * first.h) << wanted << ' ' << error;
    }
}

TEST(StepGrid, FarLongerStepsJumpFromPointToPoint) {
  const StepGrid grid(0, 1, 10);
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.26}, none, none).end, grid.point(2));
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.28}, none, none).end, grid.point(3));
  EXPECT_EQ(plan_on_grid(grid, 0.05, StepMemory{0.26}, none, none).end, grid.point(3));
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{50.0}, none, none).end, 1);
}

TEST(StepGrid, BreakpointsAreMet) {
  const StepGrid grid(0, 1, 10);
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.12}, none, 0.09).end, 0.09);
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.5}, none, 0.31).end, 0.31);
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.12}, none, 0.11).end, 0.1);
  EXPECT_EQ(plan_on_grid(grid, 0.09, StepMemory{0.12}, none, none).end, 0.1);
  EXPECT_EQ(plan_on_grid(grid, 0.0, StepMemory{0.02}, none, 0.021).end, 0.021);
}

/// Integrators on a grid.
class OnGrid : public ::testing::TestWithParam<Method> {
 protected:
  static constexpr std::size_t n = 40;
  OnGrid() : chain_(n, {1, 1, 0.02, 0.5}), q_(n), v_(n) {
    for (std::size_t i = 0; i < n; ++i) {
      q_[i] = 0.3 * std::sin(0.2 * static_cast<double>(i));
      v_[i] = 0.3 * std::cos(0.3 * static_cast<double>(i));
    }
  }

  std::unique_ptr<Integrator> started(double tolerance, Range judged = {}, double max_step = none) {
    IntegratorOptions options;
    options.method = GetParam();
    options.tolerances = {tolerance, tolerance, tolerance};
    options.judged = judged;
    options.max_step = max_step;
    auto result = make_integrator(chain_, options);
    result->start(0, q_, v_);
    return result;
  }

  /// Times at which the steps of one advance() ended.
  static std::vector<double> step_ends(Integrator& integrator, double t_end, std::int64_t steps) {
    Trace trace;
    Sampling samples;
    samples.trace = &trace;
    integrator.use_grid(steps);
    EXPECT_TRUE(integrator.advance(t_end, samples).ok);
    return trace.t;
  }

  static bool contains_grid(const std::vector<double>& times, const StepGrid& grid, std::int64_t steps) {
    for (std::int64_t k = 0; k <= steps; ++k)
      if (!std::binary_search(times.begin(), times.end(), grid.point(k))) return false;
    return true;
  }

  Chain chain_;
  std::vector<double> q_, v_;
};

TEST_P(OnGrid, SmoothMotionTakesAsManyStepsAsAsked) {
  auto integrator = started(1e-6);
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  const double H = 7 * integrator->status().next_step / 1.3;
  for (int i = 0; i < 10; ++i) {
    const double begin = 1 + H * i, end = 1 + H * (i + 1);
    const auto times = step_ends(*integrator, end, 7);
    const StepGrid grid(begin, end, 7);
    ASSERT_EQ(times.size(), 8u) << i;
    EXPECT_TRUE(contains_grid(times, grid, 7)) << i;
  }
  // a step that the grid shortened a little says what the error allows
  EXPECT_LT(integrator->status().next_step, 1.25 * H / 7);
  EXPECT_GT(integrator->status().next_step, 0.8 * H / 7);

  Trace trace;  // the grid holds for one advance() only
  Sampling samples;
  samples.trace = &trace;
  ASSERT_TRUE(integrator->advance(1 + H * 11, samples).ok);
  EXPECT_FALSE(contains_grid(trace.t, StepGrid(1 + H * 10, 1 + H * 11, 7), 7));
}

TEST_P(OnGrid, LongStepsJumpOverPoints) {
  auto integrator = started(1e-2);
  ASSERT_TRUE(integrator->advance(2, {}).ok);
  const double wanted = integrator->status().next_step;
  const auto times = step_ends(*integrator, 3, 1000);
  const StepGrid grid(2, 3, 1000);
  EXPECT_GT(wanted, 0.1);
  EXPECT_LT(times.size(), 30u);
  for (const double t : times) EXPECT_EQ(t, grid.point(grid.last_until(t)));
}

/// Where the error does not allow the grid's steps, its points are met all the same.
TEST_P(OnGrid, TooLongStepsAreDividedBetweenThePoints) {
  auto integrator = started(1e-8);
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  const double wanted = integrator->status().next_step;
  for (const double ratio : {0.95, 0.7, 0.3}) {
    auto snapshot = integrator->make_snapshot();
    integrator->save(*snapshot);
    const double end = 1 + 10 * wanted / ratio;
    const auto times = step_ends(*integrator, end, 10);
    EXPECT_TRUE(contains_grid(times, StepGrid(1, end, 10), 10)) << ratio;
    EXPECT_GE(times.size(), 11u);
    integrator->restore(*snapshot);
  }
}

/// A pulse within a spacing: steps fail, breakpoints stop them, and the grid is found again.
TEST_P(OnGrid, FailingStepsStillMeetThePoints) {
  constexpr double at = 1.234, width = 0.2, height = 100;
  auto pulse = [](double t) {
    const double s = (t - at) / width;
    return s > 0 && s < 1 ? height * 30 * s * s * (1 - s) * (1 - s) : 0.0;
  };
  auto rate = [](double t) {
    const double s = (t - at) / width;
    return s > 0 && s < 1 ? height / width * 60 * s * (1 - s) * (1 - 2 * s) : 0.0;
  };
  chain_.load = {pulse, rate};
  for (const bool announced : {true, false}) {
    chain_.breakpoints = announced ? std::vector{at, at + width} : std::vector<double>{};
    auto integrator = started(1e-6);
    ASSERT_TRUE(integrator->advance(1, {}).ok);
    const auto rejected = integrator->status().counters.rejected;
    const auto steps = static_cast<std::int64_t>(1 / integrator->status().next_step) + 1;
    const auto times = step_ends(*integrator, 2, steps);
    if (!announced) {
      EXPECT_GT(integrator->status().counters.rejected, rejected);
    }
    EXPECT_TRUE(contains_grid(times, StepGrid(1, 2, steps), steps));
    EXPECT_EQ(std::binary_search(times.begin(), times.end(), at), announced);
  }
}

/// Two halves, each carrying all of the other's bodies. They judge different bodies and so would
/// choose different steps; on one grid they are the same to the bit, with or without an exchange.
TEST_P(OnGrid, NeighboursAgreeToTheBit) {
  chain_.load = {[](double t) { return std::sin(2 * t); }, [](double t) { return 2 * std::cos(2 * t); }};
  for (std::size_t i = 0; i < n / 2; ++i) v_[i] *= 0.1;  // one half is calmer
  const Range left{0, n / 2 - 3}, right{n / 2 - 3, n};
  // With longer steps the calm half would take two spacings at a time from the start.
  constexpr double longest = 0.12;
  auto a = started(1e-5, left, longest), b = started(1e-5, right, longest);
  auto copy = [](std::span<const double> x) { return std::vector<double>(x.begin(), x.end()); };
  std::vector<double> q(n), v(n);
  double difference = 0;
  for (int i = 0; i < 20; ++i) {
    const double end = 0.4 * (i + 1);
    for (Integrator* it : {a.get(), b.get()}) {
      it->use_grid(8);
      ASSERT_TRUE(it->advance(end, {}).ok);
    }
    if (i > 2) {
      EXPECT_EQ(copy(a->position()), copy(b->position())) << i;
      EXPECT_EQ(copy(a->velocity()), copy(b->velocity())) << i;
    }
    difference += std::fabs(a->status().next_step - b->status().next_step);
    // every body's state is its owner's
    q = copy(a->position());
    v = copy(a->velocity());
    std::copy(b->position().begin() + static_cast<std::ptrdiff_t>(right.first), b->position().end(),
              q.begin() + static_cast<std::ptrdiff_t>(right.first));
    std::copy(b->velocity().begin() + static_cast<std::ptrdiff_t>(right.first), b->velocity().end(),
              v.begin() + static_cast<std::ptrdiff_t>(right.first));
    a->overwrite(left, q, v);
    b->overwrite(right, q, v);
  }
  EXPECT_GT(difference, 1e-3);  // they are not the same integrator
}

std::string name(const ::testing::TestParamInfo<Method>& info) {
  return info.param == Method::rk           ? "rk"
         : info.param == Method::merson     ? "merson"
         : info.param == Method::rosenbrock ? "rosenbrock"
                                            : "automatic";
}

INSTANTIATE_TEST_SUITE_P(OneStepMethods, OnGrid,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic),
                         name);

}  // namespace
}  // namespace cosimo
