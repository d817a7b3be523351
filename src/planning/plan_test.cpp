#include "cosimo/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "planning/plan_pilot.hpp"
#include "planning/plan_proposal.hpp"
#include "planning/plan_schedule.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// ---- the schedule

TEST(StepSchedule, IsLongestFirst) {
  const std::vector<double> solve{3, 5, 3, 4, 3};
  StepSchedule schedule;
  EXPECT_EQ(schedule.seconds({.solve = solve}, 1), 18);
  EXPECT_EQ(schedule.seconds({.solve = solve}, 2), 10);  // 5 + 3 and 4 + 3 + 3; the best is 9
  EXPECT_EQ(schedule.seconds({.solve = solve}, 3), 7);   // 5, 4 + 3, 3 + 3
  EXPECT_EQ(schedule.seconds({.solve = solve}, 5), 5);
  EXPECT_EQ(schedule.seconds({.solve = solve}, 99), 5);
  EXPECT_EQ(schedule.seconds({.solve = solve}, unlimited_cores), 5);
}

TEST(StepSchedule, AddsWhatOneThreadDoes) {
  const std::vector<double> solve{2, 2};
  StepSchedule schedule;
  const StepCost cost{.solve = solve, .serial = 0.5, .hand_over = 0.25};
  EXPECT_EQ(schedule.seconds(cost, 1), 4.5) << "nothing is handed over on one core";
  EXPECT_EQ(schedule.seconds(cost, 2), 2.75);
  EXPECT_EQ(schedule.seconds(cost, unlimited_cores), 2.75);
}

TEST(StepSchedule, LanesBesideFillGaps) {
  const std::vector<double> solve{4, 1};
  StepSchedule schedule;
  EXPECT_EQ(schedule.seconds({.solve = solve, .beside = 3}, 2), 4) << "the second core has room for it";
  EXPECT_EQ(schedule.seconds({.solve = solve, .beside = 5}, 2), 5);
  EXPECT_EQ(schedule.seconds({.solve = solve, .beside = 5}, 1), 10);
  EXPECT_EQ(schedule.seconds({.solve = solve, .beside = 50}, unlimited_cores), 4);
}

TEST(StepSchedule, StagesFollowOneAnother) {
  const std::vector<double> solve{4, 1, 3, 2};
  const std::vector<int> stages{0, 1, 0, 1};
  StepSchedule schedule(stages);
  EXPECT_EQ(schedule.seconds({.solve = solve}, 1), 10);
  EXPECT_EQ(schedule.seconds({.solve = solve}, 2), 6);
  EXPECT_EQ(schedule.seconds({.solve = solve}, unlimited_cores), 6);
}

TEST(StepSchedule, CountsOfCores) {
  EXPECT_THAT(core_counts(1, 2), ElementsAre(1));
  EXPECT_THAT(core_counts(8, 2), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(core_counts(9, 6), ElementsAre(1, 2, 4, 6, 8, 16));
  EXPECT_EQ(core_counts(1'000'000, 0).back(), 4096);
}

// ---- times of a pilot run

/// Two subsystems; a start phase of small steps up to t = 0.1, then steps of 0.1 up to 1, one of them taken
/// back first.
Pilot made_by_hand() {
  Pilot pilot;
  pilot.subsystems = 2;
  pilot.reached = 1;
  const auto step = [&](double t, double H, bool accepted, double first, double second) {
    pilot.costs.steps.push_back({.t = t, .H = H, .accepted = accepted});
    pilot.costs.solve.insert(pilot.costs.solve.end(), {first, second});
  };
  for (int i = 0; i < 10; ++i) step(0.01 * i, 0.01, true, 1, 1);
  for (int i = 1; i < 10; ++i) {
    if (i == 5) step(0.1 * i, 0.2, false, 3, 3);
    step(0.1 * i, 0.1, true, 2, 1);
  }
  return pilot;
}

TEST(PilotTimes, LeaveTheStartPhaseOut) {
  const Pilot pilot = made_by_hand();
  const Stretch stretch = steady_stretch(pilot, 1);
  EXPECT_DOUBLE_EQ(stretch.begin, 0.1 * 3);
  EXPECT_DOUBLE_EQ(stretch.end, 1);
  EXPECT_DOUBLE_EQ(PilotTimes(pilot, {.cores = 1}).rate(stretch), (7 * 3 + 6) / 0.7);
  EXPECT_DOUBLE_EQ(PilotTimes(pilot, {.cores = 2}).rate(stretch), (7 * 2 + 3) / 0.7);
  // 10 small steps, two others, and 9.7 at the rate of the stretch.
  EXPECT_NEAR(PilotTimes(pilot, {.cores = 1}).expected(stretch, 10), 10 * 2 + 2 * 3 + 9.7 * 27 / 0.7, 1e-9);
  // To where the run came: just what it took.
  const double all = std::accumulate(pilot.costs.solve.begin(), pilot.costs.solve.end(), 0.0);
  EXPECT_NEAR(PilotTimes(pilot, {.cores = 1}).expected(stretch, 1), all, 1e-9);
}

TEST(PilotTimes, TakeAllWhereStepsAreFew) {
  const Pilot pilot = made_by_hand();
  const Stretch start = steady_stretch(pilot, 0.05);
  EXPECT_DOUBLE_EQ(start.begin, 0);
  EXPECT_DOUBLE_EQ(start.end, 0.05);
  const Stretch tiny = steady_stretch(pilot, 0.005);
  EXPECT_DOUBLE_EQ(tiny.begin, 0);
  EXPECT_DOUBLE_EQ(tiny.end, 1);
}

TEST(PilotTimes, RepetitionsCountWithTheirShortestPieces) {
  Pilot pilot = made_by_hand();
  PilotCosts again = pilot.costs;
  again.steps.resize(2);
  again.solve = {0.5, 7, 9, 0.25};
  again.steps[1].serial = 3;
  pilot.costs.take_shorter(again, 2);
  EXPECT_EQ(pilot.costs.solve[0], 0.5);
  EXPECT_EQ(pilot.costs.solve[1], 1);
  EXPECT_EQ(pilot.costs.solve[2], 1);
  EXPECT_EQ(pilot.costs.solve[3], 0.25);
  EXPECT_EQ(pilot.costs.steps[1].serial, 0);
  EXPECT_EQ(pilot.costs.steps.size(), 20U);
}

TEST(PilotTimes, FollowTheCountedWork) {
  PilotCosts costs;
  costs.steps.resize(4);
  // The first subsystem was disturbed once; nothing is known of the second one's work.
  costs.solve = {2, 7, 40, 7, 8, 7, 2, 9};
  costs.work = {1, 0, 4, 0, 4, 0, 1, 0};
  costs.follow_work(2);
  EXPECT_THAT(costs.solve, ElementsAre(2, 7, 8, 7, 8, 7, 2, 9));
}

// ---- proposals

/// 60 masses, all springs alike but a soft one in the middle: element 31.
std::string soft_middle(const std::string& partition,
                        const std::string& rest = "couple: {scheme: explicit}") {
  return R"(cosimo: 1
model:
  chain: {masses: 60, mass: 1.0, seed: 3, initial: {x: {uniform: [-1.0e-3, 1.0e-3]}}, spring: {d: 1.0,
          c: {blocks: [{count: 30, value: 1.0e6}, {count: 1, value: 1.0e3}, {count: 30, value: 1.0e6}]}}}
simulate: {end: 0.02, output: 1.0e-3}
)" + (partition.empty() ? "" : "partition: {" + partition + "}\n") +
         rest + "\n";
}

std::vector<std::int64_t> cuts_of(const std::string& text) {
  const auto assembly = assemble(config::parse_scenario(text, "new.yaml"));
  return assembly->layout.cut_elements;
}

std::vector<std::int64_t> numbers(const std::vector<PlannedCut>& cuts) {
  std::vector<std::int64_t> result;
  for (const PlannedCut& cut : cuts) result.push_back(cut.element);
  return result;
}

Proposal propose_for(const std::string& text) {
  return propose(config::parse_scenario(text, "given.yaml"));
}

TEST(Propose, CutsWhereTheChainIsSoft) {
  // Whatever method the file names: its number of parts counts.
  for (const char* partition : {"parts: 2", "parts: 2, method: metis", "method: manual, cuts: [7]"}) {
    const Proposal proposal = propose_for(soft_middle(partition));
    const std::vector<PlannedCut> cuts = planned_cuts(proposal);
    ASSERT_THAT(numbers(cuts), ElementsAre(31)) << partition;
    EXPECT_THAT(cuts[0].reason, StartsWith("soft: "));
    EXPECT_EQ(cuts[0].bodies[0], "body 30");
    EXPECT_THAT(cuts[0].parts, ElementsAre(1, 2));
    EXPECT_THAT(cuts_of(proposal.scenario.effective), ElementsAre(31));
    const std::vector<PlannedPart> parts = planned_parts(proposal);
    EXPECT_EQ(parts[0].bodies + parts[1].bodies, 60);
    EXPECT_DOUBLE_EQ(parts[0].expected_share + parts[1].expected_share, 1);
  }
}

TEST(Propose, RespectsWishes) {
  const std::vector<PlannedCut> fixed = planned_cuts(propose_for(soft_middle("parts: 2, fix: [11]")));
  ASSERT_THAT(numbers(fixed), ElementsAre(11));
  EXPECT_THAT(fixed[0].reason, StartsWith("as the file says"));
  EXPECT_THAT(numbers(planned_cuts(propose_for(soft_middle("parts: 2, forbid: [31]")))),
              Not(::testing::Contains(31)));
  EXPECT_THAT(numbers(planned_cuts(propose_for(soft_middle("parts: 2, add: [11]")))), ElementsAre(11, 31));
  EXPECT_THROW(propose_for(soft_middle("parts: 2, fix: [11, 41]")), Error);
}

TEST(Propose, NamesCutsOfMechanisms) {
  const Proposal proposal = propose_for(R"(cosimo: 1
model: {pendulum: {links: 9, body: rod, compliant: {every: 3, stiffness: 1.0e4, damping: 10}}}
simulate: {end: 0.01, output: macro}
partition: {parts: 3}
couple: {scheme: explicit}
)");
  EXPECT_THAT(proposal.scenario.partition.cut_names, ElementsAre("joint4", "joint7"));
  EXPECT_EQ(proposal.scenario.partition.method, CutMethod::manual);
  EXPECT_EQ(proposal.partition.parts.size(), 3U);
  EXPECT_EQ(cuts_of(proposal.scenario.effective).size(), 2U);
  EXPECT_THAT(describe_model(proposal), HasSubstr("9 bodies"));
  EXPECT_THAT(plan_picture(proposal), HasSubstr("joint7"));
}

TEST(Propose, RecordsTheSameBodiesUncut) {
  const Proposal proposal = propose_for(
      R"(cosimo: 1
model: {chain: {masses: 20, mass: 1, spring: {c: 1}}}
simulate: {end: 1, output: 0.1, record: coupling}
partition: {parts: 2}
couple: {scheme: explicit}
)");
  EXPECT_EQ(proposal.scenario.simulate.record, config::Record::coupling);
  EXPECT_EQ(proposal.uncut.simulate.record_bodies.size(), 2U);
}

TEST(Propose, NothingToCut) {
  const Proposal proposal = propose_for(soft_middle(""));
  EXPECT_EQ(proposal.partition.parts.size(), 1U) << "60 masses are one part by themselves";
  EXPECT_FALSE(proposal.scenario.partition.given);
  EXPECT_THAT(plan_picture(proposal), HasSubstr("nothing is cut"));
}

// ---- the whole

/// Enough for slow builds to reach the end of these small models.
PlanOptions patient() {
  PlanOptions options;
  options.pilot_s = 10;
  return options;
}

TEST(Plan, TellsTimesForAllNumbersOfCores) {
  const CutPlan found = plan(Scenario::parse(soft_middle("parts: 2")), patient());
  EXPECT_EQ(found.status, CutPlan::Status::ok);
  ASSERT_GE(found.times.size(), 3U);
  EXPECT_EQ(found.times[0].cores, 1);
  EXPECT_EQ(found.times[1].cores, 2);
  EXPECT_EQ(found.times.back().cores, 0);
  EXPECT_GT(found.uncut_wall_s, 0);
  for (const ExpectedTime& time : found.times)
    EXPECT_NEAR(time.speedup * time.wall_s, found.uncut_wall_s, 1e-9);
  EXPECT_NEAR(found.parts[0].measured_share + found.parts[1].measured_share, 1, 1e-12);
  EXPECT_EQ(found.pilot.reached, 0.02);
  EXPECT_EQ(found.uncut.reached, 0.02);
  EXPECT_FALSE(found.recommendation.empty());
  EXPECT_THAT(found.scenario, StartsWith("# scenario cut into 2 parts"));
  EXPECT_THAT(cuts_of(found.scenario), ElementsAre(31));
  EXPECT_EQ(found.recommended.parts, 2);
  EXPECT_EQ(found.recommended.settings.front(), "partition={method: manual, cuts: [31]}");
  EXPECT_THAT(to_text(found), HasSubstr("element 31 between body 30 and body 31"));
  EXPECT_THAT(to_json(found), HasSubstr("\"cores\": \"unlimited\""));
}

TEST(Plan, StopsAPilotRunInTime) {
  const Scenario endless =
      Scenario::parse(soft_middle("parts: 2"), "endless",
                      std::vector<std::string>{"simulate.end=1.0e+5", "simulate.output=1"});
  PlanOptions brief;
  brief.pilot_s = 0.2;
  brief.total_s = 1;
  const CutPlan found = plan(endless, brief);
  EXPECT_EQ(found.status, CutPlan::Status::ok);
  EXPECT_GT(found.pilot.reached, 0);
  EXPECT_LT(found.pilot.reached, 1.0e4);
  EXPECT_LE(found.uncut.reached, found.pilot.reached);
  EXPECT_GT(found.uncut_wall_s, found.uncut.wall_s);
  EXPECT_FALSE(found.times.empty());
}

TEST(Plan, AFailedPilotRunStillShowsTheCuts) {
  const CutPlan found =
      plan(Scenario::parse(soft_middle("parts: 2", "couple: {scheme: explicit}\ncontrol: {max_steps: 3}")),
           patient());
  EXPECT_EQ(found.status, CutPlan::Status::failed);
  EXPECT_TRUE(found.times.empty());
  EXPECT_THAT(numbers(found.cuts), ElementsAre(31));
  EXPECT_THAT(to_text(found), HasSubstr("control.max_steps"));
  EXPECT_THAT(found.recommendation, StartsWith("No recommendation"));
}

TEST(Plan, CanBeInterrupted) {
  const std::atomic<bool> interrupt{true};
  PlanOptions options = patient();
  options.interrupt = &interrupt;
  const CutPlan found = plan(Scenario::parse(soft_middle("parts: 2")), options);
  EXPECT_EQ(found.status, CutPlan::Status::interrupted);
  EXPECT_EQ(found.parts.size(), 2U);
}

}  // namespace
}  // namespace cosimo
