#include "control/step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cosimo {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

TEST(ErrorNorms, LargestOfTheLevelsInUse) {
  EXPECT_EQ((ErrorNorms{ErrorLevel::state, 0.3, 0.2, 9}.largest()), 0.3);
  EXPECT_EQ((ErrorNorms{ErrorLevel::state, 0.1, 0.2, 9}.largest()), 0.2);
  EXPECT_EQ((ErrorNorms{ErrorLevel::coupling, 9, 9, 0.5}.largest()), 0.5);
  for (const ErrorNorms& norms :
       {ErrorNorms{ErrorLevel::both, 0.5, 0.1, 0.2}, ErrorNorms{ErrorLevel::both, 0.1, 0.5, 0.2},
        ErrorNorms{ErrorLevel::both, 0.1, 0.2, 0.5}})
    EXPECT_EQ(norms.largest(), 0.5);
  for (const ErrorNorms& norms :
       {ErrorNorms{ErrorLevel::both, nan, 0, 1}, ErrorNorms{ErrorLevel::both, 0, nan, 1},
        ErrorNorms{ErrorLevel::both, 1, 0, nan}})
    EXPECT_TRUE(std::isnan(norms.largest()));
  EXPECT_TRUE(std::isnan(ErrorNorms{ErrorLevel::state, nan, 0.2, 0}.largest()));
  EXPECT_TRUE(std::isnan(ErrorNorms{ErrorLevel::state, 0.2, nan, 0}.largest()));
  EXPECT_TRUE(std::isnan(ErrorNorms{ErrorLevel::coupling, 0, 0, nan}.largest()));
}

TEST(OptimalFactor, FollowsTheOrdersOfEachLevel) {
  // Norm 2^-order / 6 allows twice the step at safety 6.
  const int kappa = 2;
  const double tiny = 1e-30;
  const auto norm = [](int order) { return std::pow(2.0, -order) / 6; };
  EXPECT_NEAR(optimal_factor({ErrorLevel::coupling, 0, 0, norm(kappa + 1)}, kappa, 6), 2, 1e-14);
  EXPECT_NEAR(optimal_factor({ErrorLevel::state, norm(kappa + 3), tiny, 0}, kappa, 6), 2, 1e-14);
  EXPECT_NEAR(optimal_factor({ErrorLevel::state, tiny, norm(kappa + 2), 0}, kappa, 6), 2, 1e-14);
  EXPECT_NEAR(optimal_factor({ErrorLevel::state, norm(kappa + 3), 1.0, 0}, kappa, 6), std::pow(6, -0.25),
              1e-14);
  EXPECT_NEAR(optimal_factor({ErrorLevel::both, norm(kappa + 3), tiny, tiny}, kappa, 6), 2, 1e-14);
  EXPECT_NEAR(optimal_factor({ErrorLevel::both, tiny, norm(kappa + 2), tiny}, kappa, 6), 2, 1e-14);
  EXPECT_NEAR(optimal_factor({ErrorLevel::both, tiny, tiny, norm(kappa + 1)}, kappa, 6), 2, 1e-14);
  EXPECT_NEAR(optimal_factor(1.0, 3, 8.0), 0.5, 1e-15);
}

TEST(OptimalFactor, ExtremeNorms) {
  EXPECT_EQ(optimal_factor(0.0, 3, 6.0), inf);
  EXPECT_EQ(optimal_factor(inf, 3, 6.0), 0);
  EXPECT_EQ(optimal_factor(nan, 3, 6.0), 0);
  EXPECT_EQ(optimal_factor({ErrorLevel::state, 0.1, nan, 0}, 2, 6), 0);
  EXPECT_EQ(optimal_factor({ErrorLevel::state, nan, 0.1, 0}, 2, 6), 0);
}

TEST(StepFactor, AfterASuccess) {
  const FactorLimits limits{};  // 0.5, 1.5, dead zone
  EXPECT_EQ(step_factor(inf, 0, limits), 1.5);
  EXPECT_EQ(step_factor(1.5, 0, limits), 1.5);
  EXPECT_EQ(step_factor(1.49, 0, limits), 1.0);
  EXPECT_EQ(step_factor(1.0, 0, limits), 1.0);
  EXPECT_EQ(step_factor(0.99, 0, limits), 0.9);
  EXPECT_EQ(step_factor(0.7, 0, limits), 0.7);
  EXPECT_EQ(step_factor(0.2, 0, limits), 0.5);
  EXPECT_EQ(step_factor(0.0, 0, limits), 0.5);
}

TEST(StepFactor, WithoutDeadZone) {
  const FactorLimits limits{.r_min = 0.75, .r_max = 1.25, .dead_zone = false};
  EXPECT_EQ(step_factor(1.1, 0, limits), 1.1);
  EXPECT_EQ(step_factor(1.0, 0, limits), 1.0);
  EXPECT_EQ(step_factor(1.3, 0, limits), 1.25);
  EXPECT_EQ(step_factor(0.95, 0, limits), 0.9);
  EXPECT_EQ(step_factor(0.1, 0, limits), 0.75);
}

TEST(StepFactor, AfterFailures) {
  const FactorLimits limits{};
  EXPECT_EQ(step_factor(5.0, 1, limits), 0.9);
  EXPECT_DOUBLE_EQ(step_factor(0.6, 1, limits), 0.54);
  EXPECT_EQ(step_factor(0.2, 1, limits), 0.25);  // 0.18
  EXPECT_EQ(step_factor(0.9, 2, limits), 0.25);
  EXPECT_EQ(step_factor(0.9, 7, limits), 0.25);
}

TEST(FixedStep, DoublesUntilTwoStepsAreMet) {
  // 1e-5 (2^n - 1) H is below 2 H up to n = 17; the step after that is cut to end at 2 H.
  const double H = 3e-4;
  double t = 0;
  std::int64_t step = 0;
  for (; step < 17; ++step) {
    const double h = fixed_step(H, step, t);
    EXPECT_DOUBLE_EQ(h, 1e-5 * H * std::pow(2.0, step));
    t += h;
  }
  t += fixed_step(H, step++, t);
  EXPECT_DOUBLE_EQ(t, 2 * H);
  for (; step < 1000; ++step) {
    ASSERT_EQ(fixed_step(H, step, t), H) << t;
    t += H;
  }
}

TEST(FixedStep, RoundingOfTimeMakesNoTinyStep) {
  const double H = 0.1;
  EXPECT_EQ(fixed_step(H, 18, std::nextafter(2 * H, 0.0)), H);
  EXPECT_EQ(fixed_step(H, 18, 2 * H - 1e-13), H);
  EXPECT_NEAR(fixed_step(H, 18, 1.9 * H), 0.1 * H, 1e-15);
  EXPECT_NEAR(fixed_step(H, 5000, 1.9 * H), 0.1 * H, 1e-15);  // many shortened steps: no overflow
}

}  // namespace
}  // namespace cosimo
