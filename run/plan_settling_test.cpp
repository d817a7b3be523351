#include "run/plan_settling.hpp"

#include <gtest/gtest.h>

namespace cosimo {
namespace {

/// Macro steps that take `wall` seconds each, growing by `growth` up to `longest`.
struct Course {
  double H = 1e-9, longest = 1e-3, growth = 1.5, wall = 1e-3;
};

/// Wall time after which the promise has settled; negative: it did not within `most` steps.
double settles(Course course, double end, int most) {
  Settling settling(end);
  double t = 0;
  for (int i = 1; i <= most; ++i) {
    t += course.H;
    course.H = std::min(course.longest, course.growth * course.H);
    settling.reached(t, course.wall * i);
    if (settling.settled()) return course.wall * i;
  }
  return -1;
}

TEST(Settling, SteadyStepsSettleAtOnce) {
  const double after = settles({.H = 1e-3}, 1e3, 1000);
  EXPECT_GT(after, 4e-3);
  EXPECT_LT(after, 15e-3);
}

TEST(Settling, GrowingStepsDoNotSettle) {
  // 1.5^34 = 1e6: after 34 steps they are as long as they get, and 40 more tell so.
  const double after = settles({}, 1e3, 1000);
  EXPECT_GT(after, 34e-3);
  EXPECT_LT(after, 120e-3);
  EXPECT_LT(settles({.longest = 1e300}, 1e300, 100), 0);
}

TEST(Settling, ARunThatIsOverPromisesNothingElse) {
  Settling settling(1);
  EXPECT_FALSE(settling.settled());
  settling.reached(0.5, 1);
  EXPECT_FALSE(settling.settled());
  settling.reached(1, 2);
  EXPECT_TRUE(settling.settled());
}

}  // namespace
}  // namespace cosimo
