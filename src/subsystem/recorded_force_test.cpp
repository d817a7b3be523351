#include "subsystem/recorded_force.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cosimo {
namespace {

/// Two bodies whose motion is known: q_from = cos(2 t), q_to = sin(3 t) + t.
struct Motion {
  static double x(double t) { return std::sin(3 * t) + t - std::cos(2 * t); }
  static double v(double t) { return 3 * std::cos(3 * t) + 1 + 2 * std::sin(2 * t); }
  static double a(double t) { return -9 * std::sin(3 * t) + 4 * std::cos(2 * t); }
};

/// A trace with unequal steps; the two bodies are columns 1 and 2 of three.
Trace trace(int steps, double begin, double end) {
  Trace result;
  result.dofs = {7, 4, 9};
  for (int k = 0; k <= steps; ++k) {
    const double s = static_cast<double>(k) / steps;
    const double t = begin + (end - begin) * (k == steps ? 1 : s + 0.05 * std::sin(6.28 * s));
    result.t.push_back(t);
    result.q.insert(result.q.end(), {99, std::cos(2 * t), std::sin(3 * t) + t});
    result.v.insert(result.v.end(), {99, -2 * std::sin(2 * t), 3 * std::cos(3 * t) + 1});
    result.a.insert(result.a.end(), {99, -4 * std::cos(2 * t), -9 * std::sin(3 * t)});
  }
  return result;
}

/// Largest error of the force and of its rate over [1, 3].
struct Errors {
  double value = 0, rate = 0;
};

Errors errors(const SpringLaw& law, int steps) {
  RecordedForce force(law);
  force.record(trace(steps, 1, 3), 1, 2);
  Errors result;
  for (int i = 0; i <= 1000; ++i) {
    const double t = 1 + 2e-3 * i, x = Motion::x(t), v = Motion::v(t);
    const double rate = law.stiffness(x) * v + law.damping(v) * Motion::a(t);
    result.value = std::max(result.value, std::fabs(force.value(t) - law.force(x, v)));
    result.rate = std::max(result.rate, std::fabs(force.rate(t) - rate));
  }
  return result;
}

void expect_orders(const SpringLaw& law, double value, double rate) {
  const Errors coarse = errors(law, 12), fine = errors(law, 48);
  EXPECT_NEAR(0.5 * std::log2(coarse.value / fine.value), value, 0.4);
  EXPECT_NEAR(0.5 * std::log2(coarse.rate / fine.rate), rate, 0.4);
}

// The quintic Hermite polynomial has order 6; every derivative costs one.
TEST(RecordedForce, Orders) {
  expect_orders({.c = 3}, 6, 5);
  expect_orders({.d = 2}, 5, 4);
  expect_orders({.c = 3, .C = 5}, 6, 5);
  expect_orders({.c = 3, .d = 2, .C = 5, .D = 1}, 5, 4);
}

TEST(RecordedForce, IsExactAtTheStepsAndContinuous) {
  const SpringLaw law{.c = 3, .d = 2, .C = 5, .D = 1};
  RecordedForce force(law);
  const Trace t = trace(9, 0, 2);
  force.record(t, 1, 2);
  for (const double at : t.t) {
    const double exact = law.force(Motion::x(at), Motion::v(at));
    EXPECT_NEAR(force.value(at), exact, 1e-11);
    EXPECT_NEAR(force.value(at + 1e-12), exact, 1e-8);
    EXPECT_NEAR(force.value(at - 1e-12), exact, 1e-8);
    EXPECT_NEAR(force.rate(at + 1e-12), force.rate(at - 1e-12), 1e-7);
  }
}

TEST(RecordedForce, AQuinticMotionIsExact) {
  Trace t;
  t.dofs = {0, 1};
  for (const double at : {-1.0, 0.5, 2.0}) {
    t.t.push_back(at);
    t.q.insert(t.q.end(), {0, std::pow(at, 5) - at});
    t.v.insert(t.v.end(), {0, 5 * std::pow(at, 4) - 1});
    t.a.insert(t.a.end(), {0, 20 * std::pow(at, 3)});
  }
  RecordedForce force({.c = 1});
  force.record(t, 0, 1);
  for (const double at : {-0.7, 0.1, 0.5, 1.9}) {
    EXPECT_NEAR(force.value(at), std::pow(at, 5) - at, 1e-12);
    EXPECT_NEAR(force.rate(at), 5 * std::pow(at, 4) - 1, 1e-11);
  }
}

TEST(RecordedForce, ExchangedEndsPullTheOtherWay) {
  const SpringLaw law{.c = 3, .d = 2, .C = 5, .D = 1};
  RecordedForce one(law), other(law);
  one.record(trace(9, 0, 2), 1, 2);
  other.record(trace(9, 0, 2), 2, 1);
  for (const double t : {0.1, 0.77, 1.9}) {
    EXPECT_DOUBLE_EQ(one.value(t), -other.value(t));
    EXPECT_DOUBLE_EQ(one.rate(t), -other.rate(t));
  }
}

TEST(RecordedForce, ANewRecordReplacesTheOld) {
  RecordedForce force({.c = 1});
  EXPECT_EQ(force.value(0.3), 0);
  force.record(trace(9, 0, 2), 1, 2);
  force.record(trace(40, 2, 3), 1, 2);
  EXPECT_NEAR(force.value(2.5), Motion::x(2.5), 1e-8);
  force.clear();
  EXPECT_EQ(force.value(2.5), 0);
  EXPECT_EQ(force.rate(2.5), 0);
}

}  // namespace
}  // namespace cosimo
