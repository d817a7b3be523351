#include "studies/work.hpp"

#include <gtest/gtest.h>

namespace cosimo::studies {
namespace {

/// Two subsystems of 10 bodies; in two macro steps they need 3 and 1, then 1 and 4 evaluations: the critical
/// path is 7, the busiest has 5.
Report two_steps() {
  Report report;
  report.t_end = 2e-3;
  report.parts = 2;
  report.macro_steps = 2;
  report.micro_steps_total = 8;
  report.speedup_bound = 9.0 / 7.0;
  report.subsystems.resize(2);
  report.subsystems[0].bodies = report.subsystems[1].bodies = 10;
  report.subsystems[0].evaluations = 4;
  report.subsystems[1].evaluations = 5;
  report.subsystems[0].seconds = 4, report.subsystems[0].idle = 3;
  report.subsystems[1].seconds = 5, report.subsystems[1].idle = 2;
  return report;
}

TEST(Work, FollowsTheCriticalPath) {
  const Report report = two_steps();
  EXPECT_DOUBLE_EQ(counted_work(report), 90);
  EXPECT_DOUBLE_EQ(busiest_work(report), 50);
  EXPECT_DOUBLE_EQ(critical_work(report), 70);
  EXPECT_DOUBLE_EQ(idle_share(report), 2.0 / 7.0);
  EXPECT_DOUBLE_EQ(solver_seconds(report).solve, 5);
  EXPECT_DOUBLE_EQ(solver_seconds(report).idle, 2);
}

TEST(Work, MeanMicroStepIsOfOneSubsystem) {
  EXPECT_DOUBLE_EQ(mean_micro_step(two_steps()), 5e-4);
  EXPECT_DOUBLE_EQ(micro_steps_per_macro_step(two_steps()), 2);
}

TEST(Work, OfNothingIsNothing) {
  EXPECT_EQ(critical_work(Report{}), 0);
  EXPECT_EQ(idle_share(Report{}), 0);
  EXPECT_EQ(mean_micro_step(Report{}), 0);
}

}  // namespace
}  // namespace cosimo::studies
