#include "planning/plan_settling.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/scenario.hpp"
#include "planning/plan_pilot.hpp"

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

TEST(Settling, APilotRunGoesOnUntilThen) {
  const config::Scenario slow_start = config::parse_scenario(
      "cosimo: 1\n"
      "model: {chain: {masses: 2000, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25}, seed: 7,\n"
      "                initial: {x: {uniform: [-1.0e-2, 1.0e-2]}}}}\n"
      "simulate: {end: 1.0e-3, output: 1.0e-4}\n"
      "partition: {parts: 4}\n"
      "couple: {scheme: explicit}\n"
      "control: {estimator: exMD, first_step: 1.0e-20}\n",
      "test");
  const auto promised = [&](const Pilot& pilot) {
    return PilotTimes(pilot, {}).expected(steady_stretch(pilot, pilot.reached), 1e-3);
  };
  // As short as a machine that has other work to do can measure.
  Pilot hasty;
  for (double wall_s = 1e-3; !hasty.measured() && wall_s < 1; wall_s *= 2)
    hasty = run_pilot(slow_start, {.wall_s = wall_s});
  const Pilot patient = run_pilot(slow_start, {.wall_s = 1e-3, .longest_s = 5});
  ASSERT_TRUE(hasty.measured());
  EXPECT_FALSE(hasty.settled);
  EXPECT_TRUE(patient.settled);
  EXPECT_GT(patient.reached, 100 * hasty.reached);
  EXPECT_GT(promised(hasty), 20 * promised(patient));
}

}  // namespace
}  // namespace cosimo
