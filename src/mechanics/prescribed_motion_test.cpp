#include "mechanics/prescribed_motion.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include <optional>

#include "core/error.hpp"
#include "core/flush_tiny.hpp"

namespace cosimo {
namespace {

PrescribedMotion motion_of(const std::string& formula, std::vector<double> breakpoints = {}) {
  return {Expression(formula, std::vector<std::string>{"t"}), std::move(breakpoints)};
}

void expect_state(const PrescribedMotion& motion, double t, double value, double rate, double acceleration,
                  double rate_error, double acceleration_error) {
  const PrescribedMotion::State state = motion.at(t);
  EXPECT_EQ(state.value, motion.value(t));
  EXPECT_NEAR(state.value, value, 1e-13 * (1 + std::abs(value))) << t;
  EXPECT_NEAR(state.rate, rate, rate_error) << t;
  EXPECT_NEAR(state.acceleration, acceleration, acceleration_error) << t;
}

TEST(PrescribedMotion, DifferentiatesOscillationsOfAnySpeed) {
  // 2 pi: whole periods fit into coarse steps, which then see a constant.
  for (const double omega :
       {0.01, 0.3, 1.0, 2 * std::numbers::pi, 2 * std::numbers::pi / 0.8, 50.0, 1e3, 3e4, 1e9}) {
    const PrescribedMotion motion = motion_of("sin(" + std::to_string(omega) + "*t)");
    const double w = std::stod(std::to_string(omega));
    for (const double t : {0.0, 1e-3, 0.1, 0.77, 3.0, 12.5}) {
      const double error = 1e-9 + 2e-12 * w * t;  // the phase itself is rounded
      expect_state(motion, t, std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t), error * w,
                   error * w * w);
    }
  }
}

/// Also in a run, where numbers beside zero count as zero.
TEST(PrescribedMotion, BeginsAsItGoesOnBehindZero) {
  for (const bool in_a_run : {false, true}) {
    std::optional<FlushTiny> tiny;
    if (in_a_run) tiny.emplace();
    for (const char* const formula :
         {"if(t > 0, 3*t*t, 0)", "if(t > 0, 3*t*t, -3*t*t)", "3*t*abs(t)", "3*max(t,0)^2"})
      EXPECT_NEAR(motion_of(formula).at(0).acceleration, 6, 1e-9) << formula << (in_a_run ? " in a run" : "");
  }
}

TEST(PrescribedMotion, IsTheSameInAnyUnitOfTime) {
  for (const double T : {1e-12, 1e-6, 1e-3, 1.0, 1e6}) {
    const Expression formula("0.5*sin(3*t/" + std::to_string(T * 1e12) + "e-12)",
                             std::vector<std::string>{"t"});
    const PrescribedMotion::State state = PrescribedMotion(formula, {}).at(0.7 * T);
    EXPECT_NEAR(state.rate * T, 1.5 * std::cos(2.1), 1e-14) << T;
    EXPECT_NEAR(state.acceleration * T * T, -4.5 * std::sin(2.1), 1e-13) << T;
  }
}

TEST(PrescribedMotion, IsExactForPolynomials) {
  const PrescribedMotion motion = motion_of("3 + 2*t - 5*t^2 + 0.25*t^3");
  for (const double t : {-2.0, 0.0, 0.4, 7.0})
    expect_state(motion, t, 3 + t * (2 + t * (-5 + 0.25 * t)), 2 - 10 * t + 0.75 * t * t, -10 + 1.5 * t,
                 1e-11, 1e-10);
  expect_state(motion_of("4"), 1, 4, 0, 0, 0, 0);
  expect_state(motion_of("1000*t"), 100, 1e5, 1000, 0, 1e-7, 1e-7);
}

TEST(PrescribedMotion, NeverLooksAcrossABreakpoint) {
  // At rest, then speeding up, then steady: the acceleration jumps twice.
  const PrescribedMotion motion =
      motion_of("t < 1 ? 0 : (t < 1.5 ? 2*(t-1)^2 : 0.5 + 2*(t-1.5))", {1.5, 1.0});
  expect_state(motion, 1 - 1e-6, 0, 0, 0, 1e-12, 1e-12);
  expect_state(motion, 1, 0, 0, 4, 1e-11, 1e-9);
  expect_state(motion, 1 + 1e-5, 2e-10, 4e-5, 4, 1e-11, 1e-9);
  expect_state(motion, 1.499, 2 * 0.499 * 0.499, 1.996, 4, 1e-10, 1e-8);
  expect_state(motion, 1.5, 0.5, 2, 0, 1e-10, 1e-8);
  EXPECT_EQ(motion.next_breakpoint(0), 1.0);
  EXPECT_EQ(motion.next_breakpoint(1), 1.5);
  EXPECT_EQ(motion.next_breakpoint(1.5), std::numeric_limits<double>::infinity());
}

TEST(PrescribedMotion, HasDerivativesWhereFormulasBegin) {
  // Not defined before zero; smooth after it.
  const PrescribedMotion motion = motion_of("sqrt(t)*t^3/sqrt(t+1e-300) + log(1+t)");
  expect_state(motion, 0, 0, 1, -1, 1e-9, 1e-7);
}

TEST(PrescribedMotion, ResolvesSmoothSteps) {
  const PrescribedMotion motion = motion_of("tanh(200*(t-2))");
  for (const double t : {1.0, 1.99, 2.0, 2.003, 4.0}) {
    const double y = std::tanh(200 * (t - 2)), slope = 200 * (1 - y * y);
    expect_state(motion, t, y, slope, -2 * 200 * y * slope, 2e-7, 4e-5);
  }
}

PrescribedMotion integrated(const std::string& formula, int times, double value = 0, double rate = 0,
                            std::vector<double> breakpoints = {}) {
  return {
      Expression(formula, std::vector<std::string>{"t"}), std::move(breakpoints), {times, value, rate}, 10};
}

TEST(PrescribedMotion, FollowsASpeed) {
  const PrescribedMotion motion = integrated("cos(30*t) + exp(-t)", 1, 2);
  for (const double t : {0.0, 1e-9, 0.3, 4.7, 10.0, 12.3})
    expect_state(motion, t, 2 + std::sin(30 * t) / 30 + 1 - std::exp(-t), std::cos(30 * t) + std::exp(-t),
                 -30 * std::sin(30 * t) - std::exp(-t), 1e-13, 1e-12);
}

TEST(PrescribedMotion, FollowsAnAcceleration) {
  const PrescribedMotion motion = integrated("12*t^2 - sin(t)", 2, 1, -3);
  for (const double t : {0.0, 0.3, 4.7, 10.0}) {
    const PrescribedMotion::State state = motion.at(t);
    EXPECT_NEAR(state.value, 1 - 4 * t + std::pow(t, 4) + std::sin(t), 1e-13 * (1 + std::pow(t, 4)));
    EXPECT_NEAR(state.rate, -4 + 4 * t * t * t + std::cos(t), 1e-13 * (1 + 4 * t * t * t));
    EXPECT_NEAR(state.acceleration, 12 * t * t - std::sin(t), 1e-12);
  }
}

TEST(PrescribedMotion, FindsKinksAndJumpsOfASpeed) {
  const PrescribedMotion motion =
      integrated("t < 1/3 ? 0 : (t < 7.1 ? 2 : 5) + abs(t - 5)", 1, 0, 0, {1.0 / 3});
  const double rest = 10 - 1.0 / 3, v = 5 - 1.0 / 3;
  EXPECT_NEAR(motion.value(10), 2 * rest + 3 * 2.9 + 0.5 * (v * v + 25), 1e-12);
  EXPECT_EQ(motion.value(0.3), 0);
  EXPECT_EQ(motion.at(1.0 / 3).rate, 2 + v) << "from there on";
}

std::size_t panels(const std::string& formula, int times) {
  return IntegratedFormula(Expression(formula, std::vector<std::string>{"t"}), {times, 0, 0}, {}, 10)
      .panels();
}

TEST(PrescribedMotion, SmoothStartsTakeFewPanels) {
  for (const int times : {1, 2}) {
    EXPECT_LT(panels("(1 - cos(pi*t/10))/2", times), 100U);
    EXPECT_LT(panels("3*(1 - exp(-t/2)*(1 + t/2))", times), 100U);
    EXPECT_LT(panels("3*(1 - exp(-t/2e6)*(1 + t/2e6))", times), 100U) << "rounding wherever it is looked at";
    EXPECT_LT(panels("sin(t)^2 + cos(t)^2 - 1", times), 100U);
    EXPECT_LT(panels("sin(300*t)", times), 3000U);
  }
  const PrescribedMotion start = integrated("(1 - cos(pi*t/10))/2", 1);
  for (const double t : {0.01, 1.0, 10.0})
    EXPECT_NEAR(start.value(t), 0.5 * (t - 10 / std::numbers::pi * std::sin(std::numbers::pi * t / 10)),
                1e-14);
}

TEST(PrescribedMotion, RefusesWhatTakesTooManyPanels) {
  EXPECT_THROW(panels("sin(1e6*t)", 1), Error);
}

}  // namespace
}  // namespace cosimo
