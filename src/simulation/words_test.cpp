// What the program says about models, runs and comparisons, word by word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cosimo/cosimo.hpp"
#include "cosimo/report.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string described(const std::string& model, const std::string& rest = "") {
  return Scenario::parse("cosimo: 1\nsimulate: {end: 1}\nmodel: " + model + "\n" + rest).describe();
}

TEST(Words, AnotherJacobianThanTheOneGivenIsTold) {
  const std::string implicit = "partition: {parts: 2}\ncouple: {scheme: implicit",
                    network = "{network: {masses: 6, spring: {c: 1}}}";
  EXPECT_THAT(described(network, implicit + ", jacobian: sensitivity}"),
              HasSubstr("jacobian: sensitivity -> fd"));
  EXPECT_THAT(described(network, implicit + ", jacobian: sap}"), Not(HasSubstr("jacobian:")));
  EXPECT_THAT(described("{chain: {masses: 6, mass: 1, spring: {c: 1}}}", implicit + "}"),
              Not(HasSubstr("jacobian:")));
}

TEST(Words, AModelTellsItsMobility) {
  // Three rods and four pins in space: 18 freedoms, 20 rows; the planar loop makes three of them redundant.
  EXPECT_THAT(
      described("{four_bars: {loops: 1, dimensions: 3}}"),
      HasSubstr(
          "mobility 1: 18 freedoms of the bodies less 17 independent constraints (3 more are redundant)"));
  // A door on two hinges: the second one adds nothing.
  const std::string door =
      "{bodies: [{name: door, kind: rigid, mass: 1, inertia: [1, 1, 1]}], joints: [{name: low, kind: "
      "revolute, to: "
      "door, at: [0, 0, 0], axis: [0, 0, 1]}";
  EXPECT_THAT(described(door + "]}"),
              StartsWith("1 body, 0 elements, 1 joint; mobility 1: 6 freedoms of the bodies less "
                         "5 independent constraints; simulated to t = 1\n"));
  EXPECT_THAT(
      described(door + ", {name: high, kind: revolute, to: door, at: [0, 0, 2], axis: [0, 0, 1]}]}"),
      StartsWith(
          "1 body, 0 elements, 2 joints; mobility 1: 6 freedoms of the bodies less 5 independent constraints "
          "(5 more are redundant)"));
  EXPECT_THAT(described(door + ", {name: drive, kind: motor, joint: low, angle: t}]}"),
              HasSubstr("2 joints; mobility 0 beside 1 motor: 6 freedoms of the bodies less 6 independent"));
  EXPECT_THAT(described("{pendulum: {links: 3, length: 1, mass: 1, formulation: minimal}}"),
              HasSubstr("mobility 3"));
}

TEST(Words, OneIsNotSeveral) {
  const std::string one = "{chain: {masses: 1, mass: 1, spring: {c: 1}}}";
  EXPECT_THAT(described(one), StartsWith("1 body, 2 elements; "));
  Report report;
  report.bodies = report.parts = report.threads = 1;
  EXPECT_THAT(to_table(report), HasSubstr("1 body, uncut"));
  report.bodies = report.parts = 2;
  EXPECT_THAT(to_table(report), HasSubstr("2 bodies in 2 subsystems on 1 thread\n"));
}

TEST(Words, TheMostDemandingCutSaysWhatItDid) {
  Report report;
  report.parts = 2;
  report.blame.name = "element 7";
  report.blame.largest_error = 4.6;
  EXPECT_THAT(to_table(report), HasSubstr("element 7: error up to 4.6 times the tolerance\n"));
  report.rejected_steps = report.blame.rejected_steps = 1;
  report.blame.largest_error = 0.5;
  EXPECT_THAT(
      to_table(report),
      HasSubstr("element 7: 1 rejected step, in accepted ones an error up to 0.5 times the tolerance\n"));
}

/// A signal has no element and no bodies: its name says what it is, in summary.json as well.
TEST(Words, TheSummaryNamesTheMostDemandingSignal) {
  Report report;
  report.parts = 2;
  report.blame.name = "pid.out -> cart.force";
  report.blame.largest_error = 0.7;
  EXPECT_THAT(to_table(report), HasSubstr("most demanding signal  pid.out -> cart.force: error up to 0.7"));
  EXPECT_THAT(to_json(report), HasSubstr("\"name\": \"pid.out -> cart.force\""));
  // One that is recorded only has no tolerance to speak of.
  report.blame.largest_error = 1e-296;
  EXPECT_THAT(to_table(report), Not(HasSubstr("most demanding")));
}

TEST(Words, AnUncutRunHasNoMacroSteps) {
  Report report;
  report.bodies = 7;
  report.parts = 1;
  report.micro_steps_total = report.micro_steps_max = 812;
  EXPECT_THAT(to_table(report), HasSubstr("812 kept\n"));
  EXPECT_THAT(to_table(report), Not(HasSubstr("subsystem")));
  const Progress uncut{.time = 1, .end = 4, .cut = false, .micro_steps = 812, .H = 0.1, .wall_s = 2};
  EXPECT_EQ(to_text(uncut), " 25.0 %  6.0 s left  t = 1 of 4  812 micro steps");
  const Progress cut{.time = 1, .end = 4, .macro_steps = 1, .rejected = 2, .H = 0.1, .kappa = 3};
  EXPECT_EQ(to_text(cut), " 25.0 %  t = 1 of 4  H = 1.00e-01  order 3  1 step, 2 rejected");
  const Progress overlap{.time = 1, .end = 4, .macro_steps = 5, .H = 0.1, .layers = 1};
  EXPECT_EQ(to_text(overlap), " 25.0 %  t = 1 of 4  H = 1.00e-01  1 layer  5 steps, 0 rejected");
}

TEST(Words, AComparisonNamesWhoHardlyMoves) {
  Comparison c{.rows = 1, .bodies = 20, .share = 1e-3};
  EXPECT_EQ(weighed_otherwise(c), "");
  EXPECT_THAT(to_text(c), StartsWith("20 bodies at 1 output time\n"));
  for (const std::int64_t body : {1, 2, 3, 7})
    c.still.push_back({body, std::to_string(body), body != 7, body == 7});
  EXPECT_EQ(weighed_otherwise(c),
            "Weighed by 0.001 of what the most moving body does, because it hardly changes: the position of "
            "3 bodies "
            "(1-3); the velocity of 1 body (7).");
  c.still.clear();
  for (std::int64_t body = 1; body <= 20; ++body)
    c.still.push_back({body, "rod" + std::to_string(body), true, false});
  EXPECT_THAT(
      to_text(c),
      HasSubstr("the position of 20 bodies (rod1, rod2, rod3, rod4, rod5, rod6, rod7, rod8 and 12 more).\n"));
}

}  // namespace
}  // namespace cosimo
