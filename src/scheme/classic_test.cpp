#include "scheme/classic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scheme/classic_testing.hpp"
#include "scheme/explicit.hpp"
#include "scheme/sequence.hpp"

namespace cosimo {
namespace {

using testing::attempt;
using testing::ClassicBench;
using testing::ClassicSettings;
using testing::inconsistency;
using testing::numbers;
using testing::step;

constexpr double H = 0.01;

TEST(Classic, StartsFromConsistentVariables) {
  const ClassicSettings mixed{.nonlinear = true, .second = Drive::motion};
  ClassicBench bench(3, mixed);
  const ExplicitScheme scheme(bench.lanes, bench.conditions, 0, {});
  EXPECT_EQ(inconsistency(bench, scheme), 0);
  EXPECT_EQ(scheme.history().size(), 1u);
}

TEST(Classic, DegreesRiseWithTheHistory) {
  ClassicBench bench(3), compared(3, {.beside = Beside::comparison});
  ExplicitScheme scheme(bench.lanes, bench.conditions, 0, {});
  ClassicOptions options;
  options.estimator = Estimator::exMD;
  ExplicitScheme comparing(compared.lanes, compared.conditions, 0, options);
  for (const int points : {1, 2, 3, 4}) {
    EXPECT_EQ(scheme.admissible(3), std::min(3, points - 1));
    EXPECT_EQ(comparing.admissible(3), std::max(0, points - 2)) << "one point more to compare with";
    EXPECT_EQ(scheme.admissible(1), std::min(1, points - 1));
    step(scheme, H, 3);
    step(comparing, H, 3);
  }
}

TEST(Classic, AccHasTheDegreeOfItsAccelerations) {
  ClassicBench bench(3);
  ClassicOptions options;
  options.motion = MotionOptions{.degree = 1, .omega = {}};
  ExplicitScheme scheme(bench.lanes, bench.conditions, 0, options);
  EXPECT_EQ(scheme.admissible(5), 0);
  step(scheme, H, 5);
  EXPECT_EQ(scheme.admissible(5), 1);
  EXPECT_EQ(scheme.admissible(0), 1) << "whatever is asked for";
}

TEST(Classic, JacobiDrivesAllWithPredictedForces) {
  // kappa 0: the forces at T_N act on both sides, unchanged.
  ClassicBench bench(2, {.damping = 0});
  ExplicitScheme scheme(bench.lanes, bench.conditions, 0, {});
  const double before = scheme.point().u[0];
  step(scheme, H, 0);
  EXPECT_EQ(scheme.point().predicted[0], before);
  // Body 2 is alone behind its cut and free: a constant force moves it along a parabola.
  const double x = bench.model.bodies.x[1], v = bench.model.bodies.v[1], a = -before / 1.5;
  EXPECT_NEAR(scheme.point().y.to_x[0], x + v * H + 0.5 * a * H * H, 1e-14);
  EXPECT_NEAR(scheme.point().y.to_v[0], v + a * H, 1e-13);
}

TEST(Classic, GaussSeidelDrivesLaterStagesWithTheNewestStates) {
  // Body 2 advances after body 1. What drives it at the end: the force of body 1's new state and its own
  // predicted one, which with kappa 0 is the old one.
  ClassicBench bench(2, {.damping = 0});
  ClassicOptions options;
  options.stages = {0, 1};
  ExplicitScheme scheme(bench.lanes, bench.conditions, 0, options);
  step(scheme, H, 0);
  const auto& y = scheme.point().y;
  const double x = bench.model.bodies.x[1], v = bench.model.bodies.v[1];
  const double a = -100.0 * (x - y.from_x[0]) / 1.5;
  EXPECT_NEAR(y.to_x[0], x + v * H + 0.5 * a * H * H, 1e-14);
  EXPECT_NEAR(y.to_v[0], v + a * H, 1e-13);
  EXPECT_EQ(inconsistency(bench, scheme), 0);
}

TEST(Classic, WithoutUpdateForcesAreThoseOfPredictedMotions) {
  ClassicBench bench(2, {.damping = 0, .second = Drive::motion});
  ClassicOptions options;
  options.consistent_update = false;
  ExplicitScheme scheme(bench.lanes, bench.conditions, 0, options);
  const double x = bench.model.bodies.x[0];
  step(scheme, H, 0);  // kappa 0: body 1 is believed to rest at x
  const PointView p = scheme.point();
  EXPECT_NEAR(p.u[0], 100.0 * (p.y.to_x[0] - x), 1e-12);
  EXPECT_EQ(p.u[1], p.y.from_x[0]) << "motions are known";
  EXPECT_GT(inconsistency(bench, scheme), 0.1);
}

class AllOptions : public ::testing::TestWithParam<int> {
 protected:
  static ClassicOptions options(const ClassicBench& bench) {
    ClassicOptions o;
    const int n = GetParam();
    if (n % 2 == 1)
      o.stages = gauss_seidel_stages(bench.partition.interface, bench.partition.parts.size(), {});
    if (n / 2 == 1) o.motion = MotionOptions{.degree = 1, .omega = {}};
    if (n / 2 == 2) o.motion = MotionOptions{.degree = 1, .omega = 0.25};
    if (n / 2 == 3) o.motion = MotionOptions{.degree = 1, .omega = {}, .whole_course = true, .update = false};
    if (n / 2 == 4) o.predictor.least_squares_points = 4;
    return o;
  }
};

TEST_P(AllOptions, ARejectedStepLeavesNoTrace) {
  const auto run = [](bool disturbed) {
    ClassicBench bench(4, {.nonlinear = true});
    ExplicitScheme scheme(bench.lanes, bench.conditions, 0, options(bench));
    for (int i = 0; i < 6; ++i) {
      if (disturbed) {
        EXPECT_TRUE(attempt(scheme, 3 * H, 0).ok);
        scheme.reject();
      }
      step(scheme, H, 2);
    }
    return numbers(scheme);
  };
  EXPECT_EQ(run(false), run(true));
}

INSTANTIATE_TEST_SUITE_P(Predictors, AllOptions, ::testing::Range(0, 10));

TEST(Classic, AccrelBlendsAccWithTheExtrapolation) {
  const auto predicted = [](std::optional<MotionOptions> motion) {
    ClassicBench bench(3, {.nonlinear = true});
    ClassicOptions options;
    options.motion = motion;
    ExplicitScheme scheme(bench.lanes, bench.conditions, 0, options);
    EXPECT_TRUE(attempt(scheme, H, 0).ok);
    return scheme.point().predicted[1];
  };
  const double extrapolated = predicted({});
  const double acc = predicted(MotionOptions{.degree = 0, .omega = {}});
  const double blend = predicted(MotionOptions{.degree = 0, .omega = 0.25});
  EXPECT_GT(std::fabs(acc - extrapolated), 1e-2);
  EXPECT_NEAR(blend, 0.75 * acc + 0.25 * extrapolated, 1e-12);
  EXPECT_EQ(predicted(MotionOptions{.degree = 0, .omega = 0.0}), acc);
}

}  // namespace
}  // namespace cosimo
