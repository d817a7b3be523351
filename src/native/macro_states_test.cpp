#include "native/macro_states.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/check.hpp"

namespace cosimo {
namespace {

double course(double t) {
  return 3 - 2 * t + 0.5 * t * t;
}

void push(MacroStates& states, double t) {
  states.push(t, std::vector<double>{course(t), 1.0}, std::vector<double>{-course(t), t});
}

double extrapolated(const MacroStates& states, double t) {
  std::vector<double> q(2), v(2);
  states.extrapolate(t, q, v);
  EXPECT_NEAR(q[0], -v[0], 1e-13);
  EXPECT_NEAR(q[1], 1.0, 1e-13);
  return q[0];
}

TEST(MacroStates, ConstantThenLinearThenQuadratic) {
  MacroStates states;
  EXPECT_THROW(extrapolated(states, 1), Bug);
  push(states, 0.1);
  EXPECT_EQ(extrapolated(states, 2), course(0.1));
  push(states, 0.4);
  const double slope = (course(0.4) - course(0.1)) / 0.3;
  EXPECT_NEAR(extrapolated(states, 2), course(0.4) + 1.6 * slope, 1e-13);
  push(states, 0.5);
  EXPECT_NEAR(extrapolated(states, 2), course(2), 1e-12);
  push(states, 1.1);
  EXPECT_EQ(states.size(), 3u);
  EXPECT_NEAR(extrapolated(states, 2), course(2), 1e-12);
}

TEST(MacroStates, ForgetsWhatLiesAhead) {
  MacroStates states, short_past;
  for (const double t : {0.1, 0.4, 0.8}) push(states, t);
  push(states, 0.5);  // the step to 0.8 was taken back
  for (const double t : {0.1, 0.4, 0.5}) push(short_past, t);
  EXPECT_EQ(extrapolated(states, 1), extrapolated(short_past, 1));
}

TEST(MacroStates, CopiesStayWhatTheyWere) {
  MacroStates states;
  for (const double t : {0.1, 0.4, 0.8}) push(states, t);
  const MacroStates copy = states;
  const double before = extrapolated(copy, 1.5);
  for (const double t : {0.9, 1.0, 1.1, 1.2})
    states.push(t, std::vector<double>{-50, 1.0}, std::vector<double>{50, t});
  EXPECT_EQ(extrapolated(copy, 1.5), before);
}

}  // namespace
}  // namespace cosimo
