// The formulas of plans on costs made by hand, and what a plan concludes from trials made by hand.
#include "planning/plan_predict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "planning/plan_error.hpp"
#include "planning/plan_messages.hpp"
#include "planning/plan_recommend.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// ---- messages

MessageCosts simple_costs() {
  MessageCosts costs;
  costs.latency = 1;
  costs.bandwidth = 8;  // a number per second
  return costs;
}

TEST(StepTalk, OneRankSaysNothing) {
  EXPECT_EQ(step_talk({.overlap = true, .subsystems = 9, .numbers = 4}, simple_costs(), 1), 0);
}

TEST(StepTalk, ExplicitTalksToNeighboursAndReduces) {
  // 2 messages and 2 x 3 numbers, 5 reductions of one round of 2.4 latencies.
  EXPECT_DOUBLE_EQ(step_talk({.subsystems = 2, .numbers = 3}, simple_costs(), 2), 2 + 6 + 5 * 2.4);
  EXPECT_DOUBLE_EQ(step_talk({.subsystems = 5, .numbers = 3}, simple_costs(), 5), 2 + 6 + 5 * 3 * 2.4);
  // Every further pass: the messages and a reduction again.
  EXPECT_DOUBLE_EQ(step_talk({.passes = 3, .subsystems = 2, .numbers = 3}, simple_costs(), 2),
                   3 * (2 + 6) + 7 * 2.4);
}

TEST(StepTalk, WithAJacobianAllHearAll) {
  EXPECT_DOUBLE_EQ(step_talk({.whole = true, .passes = 2, .variables = 10}, simple_costs(), 4),
                   2 * (2 * 2.4 + 10) + 6 * 2 * 2.4);
}

TEST(StepTalk, OverlapGathersANumberOfEverySubsystem) {
  const double expected = 2.4 * (2 + 2 * 6) + 3.5 * 2 * 2.4 + 1.2 * 2 * (2.4 + 4) + 0.22 * 2 * 3 / 3;
  EXPECT_DOUBLE_EQ(step_talk({.overlap = true, .subsystems = 4, .numbers = 6}, simple_costs(), 4), expected);
}

TEST(Messages, AreMeasuredAndNeverFasterThanHere) {
  const MessageCosts costs = measure_messages({}, {});
  EXPECT_GT(costs.latency_here, 0);
  EXPECT_GT(costs.bandwidth_here, 0);
  EXPECT_GE(costs.latency, std::max(usual_latency, costs.latency_here));
  EXPECT_LE(costs.bandwidth, std::min(usual_bandwidth, costs.bandwidth_here));
  EXPECT_GE(measure_messages(0.5, {}).latency, 0.5);
  EXPECT_EQ(measure_messages({}, 1e3).bandwidth, 1e3);
}

TEST(Messages, RefuseWhatCannotBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double wrong : {-1.0, 0.0, nan, inf}) {
    EXPECT_THROW(measure_messages(wrong, {}), Error) << wrong;
    EXPECT_THROW(measure_messages({}, wrong), Error) << wrong;
  }
}

// ---- replay

/// Four subsystems, ten equal steps to t = 1.
Pilot four_parts() {
  Pilot pilot;
  pilot.subsystems = 4;
  pilot.couplings = 3;
  pilot.variables = 3;
  pilot.reached = 1;
  pilot.next_edge = std::numeric_limits<double>::infinity();
  pilot.repetitions = {10, 11, 10.5};
  pilot.held_bytes = 44.0 * 1024 * 1024;
  for (int i = 0; i < 10; ++i) {
    pilot.costs.steps.push_back({.t = 0.1 * i,
                                 .H = 0.1,
                                 .accepted = true,
                                 .beside = 0,
                                 .serial = 0.4,
                                 .hand_over = 0.25,
                                 .snapshot = 0.8,
                                 .rest = 0.1,
                                 .passes = 2});
    pilot.costs.solve.insert(pilot.costs.solve.end(), {4, 3, 2, i % 2 == 0 ? 5.0 : 1.0});
  }
  return pilot;
}

TEST(Replay, OnThreads) {
  const Pilot pilot = four_parts();
  const Stretch whole{0, 1};
  // One core: 14 or 10, 0.8 for snapshots, 0.4 + 0.1.
  EXPECT_NEAR(PilotTimes(pilot, {}).expected(whole, 1), 5 * 14 + 5 * 10 + 10 * 1.3, 1e-9);
  // Four: the slowest, a quarter of the snapshots, handing over as recorded or as said, per pass.
  EXPECT_NEAR(PilotTimes(pilot, {.cores = 4}).expected(whole, 1), 5 * 5 + 5 * 4 + 10 * (0.2 + 0.5 + 0.25),
              1e-9);
  EXPECT_NEAR(PilotTimes(pilot, {.cores = 4, .slowdown = 1.5, .hand_over = 0.01}).expected(whole, 1),
              1.5 * 45 + 10 * (0.2 + 0.5 + 0.02), 1e-9);
}

TEST(Replay, OnRanksTheInterfaceIsShared) {
  Pilot pilot = four_parts();
  const Stretch whole{0, 1};
  const MessageCosts costs = simple_costs();
  const double talk = step_talk({.passes = 2, .subsystems = 4, .variables = 3, .numbers = 2}, costs, 4);
  const Platform ranks{.cores = 4, .ranks = true, .messages = costs};
  EXPECT_NEAR(PilotTimes(pilot, ranks).expected(whole, 1), 45 + 10 * (0.2 + 0.1 + 0.1 + talk), 1e-9);
  pilot.newton = true;
  const double all = step_talk({.whole = true, .passes = 2, .variables = 3}, costs, 4);
  EXPECT_NEAR(PilotTimes(pilot, ranks).expected(whole, 1), 45 + 10 * (0.2 + 0.4 + 0.1 + all), 1e-9);
}

TEST(Replay, SharesAreThoseOfSection4AndAddUp) {
  const Pilot pilot = four_parts();
  const PilotTimes times(pilot, {.cores = 4});
  const Stretch whole{0, 1};
  const ExpectedShare s = times.shares(whole, 1);
  EXPECT_NEAR(s.solve, 40, 1e-9);  // (4.5): the first subsystem, ten times 4
  EXPECT_NEAR(s.idle, 45 - 40, 1e-9);
  EXPECT_NEAR(s.snapshot, 2, 1e-9);
  EXPECT_NEAR(s.interface, 5, 1e-9);
  EXPECT_NEAR(s.messages, 2.5, 1e-9);
  EXPECT_NEAR(s.solve + s.idle + s.snapshot + s.interface + s.messages, times.expected(whole, 1), 1e-9);
  const ExpectedShare alone = PilotTimes(pilot, {}).shares(whole, 3);
  EXPECT_NEAR(alone.idle, 0, 1e-9);
  EXPECT_NEAR(alone.solve, 3 * 120, 1e-9);
}

// ---- predictions

Outlook outlook_for(double end) {
  Outlook outlook;
  outlook.end = end;
  outlook.uncut_wall_s = 200;
  outlook.machine_cores = 2;
  outlook.messages = simple_costs();
  outlook.messages.latency_here = 0.1;
  outlook.messages.slowdown = 1.2;
  outlook.program_bytes = 20.0 * 1024 * 1024;
  outlook.model_bytes = 4.0 * 1024 * 1024;
  return outlook;
}

TEST(Predict, From1To1000Cores) {
  const Pilot pilot = four_parts();
  const Stretch stretch{0, 1};
  const Confidence sure = judge(pilot, stretch, 1);
  const std::vector<Prediction> all = predict(pilot, stretch, sure, outlook_for(1));
  ASSERT_EQ(all.size(), 11U);
  EXPECT_EQ(all.front().cores, 1);
  EXPECT_EQ(all.back().cores, 1000);
  EXPECT_NEAR(all.front().wall_s.value, 133, 1e-9);
  EXPECT_NEAR(all.front().speedup, 200.0 / 133, 1e-9);
  EXPECT_EQ(all[1].threads, 2);
  EXPECT_EQ(all[1].ranks, 1);
  EXPECT_EQ(all[2].ranks, 4);
  EXPECT_EQ(all.back().ranks, 4) << "more ranks than subsystems have nothing to do";
  for (const Prediction& p : all) {
    EXPECT_LE(p.wall_s.low, p.wall_s.value);
    EXPECT_GE(p.wall_s.high, p.wall_s.value);
    EXPECT_GT(p.memory_mb, 20);
  }
  // Two threads: 7 and 7 or 5 and 5 of LPT, 1.2 times slower each; half of the snapshots.
  EXPECT_NEAR(all[1].wall_s.value, 1.2 * (5 * 7 + 5 * 5) + 10 * (0.4 + 0.5 + 0.25), 1e-9);
}

/// One subsystem that takes 10 s on one core.
Pilot whole_model() {
  Pilot pilot;
  pilot.reached = 1;
  pilot.repetitions = {10};
  for (int i = 0; i < 10; ++i) {
    pilot.costs.steps.push_back({.t = 0.1 * i, .H = 0.1, .accepted = true});
    pilot.costs.solve.push_back(1);
  }
  return pilot;
}

TEST(Predict, ATeamSharesAnUncutModelOnThisMachineOnly) {
  EXPECT_EQ(shared_by_team(0.9, 4), 0);
  EXPECT_EQ(shared_by_team(2, 1), 0);
  EXPECT_DOUBLE_EQ(shared_by_team(4, 4), 1);
  EXPECT_DOUBLE_EQ(shared_by_team(1 / (0.2 + 0.8 / 4), 4), 0.8);

  Pilot pilot = whole_model();
  const Confidence sure = judge(pilot, {0, 1}, 1);
  Outlook outlook = outlook_for(1);
  outlook.machine_cores = 4;
  for (const Prediction& p : predict(pilot, {0, 1}, sure, outlook)) EXPECT_NEAR(p.wall_s.value, 10, 1e-9);
  pilot.shared = 0.8;
  pilot.members = 4;
  const std::vector<Prediction> all = predict(pilot, {0, 1}, sure, outlook);
  EXPECT_NEAR(all[0].wall_s.value, 10, 1e-9);
  EXPECT_NEAR(all[1].wall_s.value, 6, 1e-9);
  EXPECT_NEAR(all[2].wall_s.value, 4, 1e-9);
  EXPECT_NEAR(all[2].time.solve, 4, 1e-9);
  EXPECT_NEAR(all.back().wall_s.value, 4, 1e-9) << "ranks cannot share it";
  EXPECT_EQ(all.back().threads, 4);
  EXPECT_NEAR(all[2].speedup, 200.0 / 4, 1e-9);
}

TEST(Predict, MemoryOfARank) {
  const Pilot pilot = four_parts();
  Outlook outlook = outlook_for(1);
  const Stretch stretch{0, 1};
  const Confidence sure = judge(pilot, stretch, 1);
  const double times = 10 * 4 * 16 / 1048576.0;
  EXPECT_NEAR(predict(pilot, stretch, sure, outlook).front().memory_mb, 20 + 4 + 40 + times, 1e-9);
  EXPECT_NEAR(predict(pilot, stretch, sure, outlook)[2].memory_mb, 20 + 4 + 40.0 / 4 + times, 1e-9);
  outlook.windowed = true;
  EXPECT_NEAR(predict(pilot, stretch, sure, outlook)[2].memory_mb, 20 + 1 + 40.0 / 4 + times, 1e-9);
  outlook.columns = 100;
  outlook.rows = 7;
  EXPECT_NEAR(predict(pilot, stretch, sure, outlook)[2].memory_mb,
              31 + times + 2.5 * 2 * 7 * 100 * 8 / 1048576.0, 1e-9);
}

TEST(Judge, SaysHowSure) {
  Pilot pilot = four_parts();
  const Confidence whole = judge(pilot, {0, 1}, 1);
  EXPECT_EQ(whole.level, "good");
  EXPECT_EQ(whole.coverage, 1);
  EXPECT_NEAR(whole.spread, 0.05, 1e-12);
  EXPECT_THAT(whole.text, HasSubstr("the whole run"));

  const Confidence part = judge(pilot, {0, 1}, 4);
  EXPECT_EQ(part.level, "fair");
  EXPECT_NEAR(part.coverage, 0.25, 1e-9);
  EXPECT_FALSE(part.edges_beyond);

  pilot.next_edge = 2;
  const Confidence edges = judge(pilot, {0, 1}, 4);
  EXPECT_TRUE(edges.edges_beyond);
  EXPECT_EQ(edges.level, "guess");
  EXPECT_THAT(edges.text, HasSubstr("t = 2"));
  const auto high = [&](const Confidence& c) {
    return predict(pilot, {0, 1}, c, outlook_for(4)).front().wall_s.high;
  };
  EXPECT_GT(high(edges), high(part));

  for (std::size_t i = 7 * 4; i < pilot.costs.solve.size(); ++i) pilot.costs.solve[i] *= 3;
  EXPECT_GT(judge(pilot, {0, 1}, 4).drift, 0.5);
  pilot.repetitions = {1, 2, 2};
  EXPECT_EQ(judge(pilot, {0, 1}, 1).level, "guess");
}

// ---- errors

ShortMotion moving(double wrong) {
  ShortMotion motion;
  motion.columns = 2;
  for (int k = 0; k <= 8; ++k) {
    const double t = 0.125 * k;
    motion.time.push_back(t);
    for (int j = 0; j < 2; ++j) {
      motion.position.push_back(t * (j + 1) + wrong * t);
      motion.velocity.push_back(t * t);
    }
  }
  return motion;
}

TEST(MotionErrors, AreRelativeToTheMotion) {
  const MotionError none = motion_error(moving(0), moving(0));
  EXPECT_EQ(none.error, 0);
  EXPECT_EQ(none.until, 1);
  const MotionError some = motion_error(moving(1e-3), moving(0));
  EXPECT_NEAR(some.error / motion_error(moving(1e-4), moving(0)).error, 10, 1e-6);
  EXPECT_GT(some.error, 1e-4);
  EXPECT_LT(some.error, 1e-2);
  EXPECT_GE(some.growth, 0);
  EXPECT_LE(some.growth, 1);
  ShortMotion still = moving(0);
  std::fill(still.position.begin(), still.position.end(), 1.0);
  std::fill(still.velocity.begin(), still.velocity.end(), 0.0);
  EXPECT_LT(motion_error(still, still).error, 0) << "nothing moves: not known";
  EXPECT_LT(motion_error({}, moving(0)).error, 0);
}

TEST(MotionErrors, ToTheEndTheyStayOrGrow) {
  const Estimate e = error_to_end(1e-3, 0.5, 1, 16);
  EXPECT_DOUBLE_EQ(e.low, 1e-3);
  EXPECT_DOUBLE_EQ(e.value, 4e-3);
  EXPECT_DOUBLE_EQ(e.high, 1.6e-2);
  EXPECT_EQ(error_to_end(-1, 0, 1, 2).high, 0);
}

// ---- recommendations

SchemeTrial trial_of(const std::string& name, double wall, double error, bool own = false) {
  SchemeTrial trial;
  trial.name = name;
  trial.of_file = own;
  trial.parts = 4;
  trial.ok = true;
  trial.error_seen = error;
  if (!own) trial.settings = {"couple={scheme: " + name + "}"};
  Prediction& here = trial.predictions.emplace_back();
  here.wall_s = {wall, wall, wall};
  here.speedup = 10 / wall;
  return trial;
}

CutPlan plan_of(std::vector<SchemeTrial> schemes) {
  CutPlan plan;
  plan.machine_cores = 2;
  plan.error_target = 1e-3;
  plan.parts.resize(4);
  plan.schemes = std::move(schemes);
  return plan;
}

TEST(Recommend, TheFastestThatIsAccurateEnough) {
  EXPECT_EQ(best_scheme(plan_of({trial_of("a", 5, 1e-3, true), trial_of("b", 4, 1e-3)})), 1U);
  EXPECT_EQ(best_scheme(plan_of({trial_of("a", 5, 1e-3, true), trial_of("b", 4, 1e-2)})), 0U);
  EXPECT_EQ(best_scheme(plan_of({trial_of("a", 5, 1e-3, true), trial_of("b", 4.6, 1e-3)})), 0U)
      << "not clearly faster than what the file says";
  EXPECT_EQ(best_scheme(plan_of({trial_of("a", 5, 1e-3, true), trial_of("b", 4, -1)})), 0U)
      << "an unknown error is none to rely on";
  EXPECT_EQ(best_scheme(plan_of({trial_of("b", 4, 1), trial_of("c", 4, 1)})), 2U) << "none";
}

TEST(Recommend, OtherPartsWhereTheyAreClearlyFaster) {
  CutPlan plan = plan_of({trial_of("a", 5, 1e-3, true)});
  plan.part_counts = {trial_of("a", 4.9, 1e-3), trial_of("a", 3, 1e-3), trial_of("a", 2, 1)};
  EXPECT_EQ(better_parts(plan, 0), 1U);
}

TEST(Recommend, SaysWhatToDo) {
  Proposal proposal;
  proposal.setting = "partition={method: manual, cuts: [1, 2, 3]}";
  CutPlan plan = plan_of({trial_of("a", 5, 1e-3, true), trial_of("b", 4, 1e-3)});
  recommend(proposal, &plan.schemes[1], false, plan);
  EXPECT_TRUE(plan.worth_cutting);
  EXPECT_EQ(plan.recommended.scheme, "b");
  EXPECT_THAT(plan.recommended.settings, ::testing::ElementsAre(proposal.setting, "couple={scheme: b}"));
  EXPECT_THAT(plan.recommendation, StartsWith("Cut as proposed, b: expected 2.5 times"));
  EXPECT_THAT(plan.recommended.reason, HasSubstr("1.2 times as fast as a"));

  // A team may be faster than any cuts.
  CutPlan team = plan_of({trial_of("a", 5, 1e-3, true), trial_of("uncut", 2, 0)});
  team.schemes[1].parts = 1;
  recommend(proposal, &team.schemes[0], true, team);
  EXPECT_FALSE(team.worth_cutting);
  EXPECT_EQ(team.recommended.scheme, "uncut");
  EXPECT_THAT(team.recommendation,
              StartsWith("Do not cut: left whole the model is expected to be 5.0 times"));

  CutPlan slow = plan_of({trial_of("a", 20, 1e-3, true)});
  recommend(proposal, &slow.schemes[0], false, slow);
  EXPECT_FALSE(slow.worth_cutting);
  EXPECT_THAT(slow.recommendation, StartsWith("Do not cut: even with unlimited cores"));
  EXPECT_EQ(slow.recommended.parts, 4) << "the file asked for parts";
  recommend(proposal, &slow.schemes[0], true, slow);
  EXPECT_EQ(slow.recommended.scheme, "uncut");
  EXPECT_THAT(slow.recommended.settings, ::testing::ElementsAre("partition=none"));
}

}  // namespace
}  // namespace cosimo
