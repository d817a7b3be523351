// Joints that begin at given angles and speeds, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "cosimo/simulation.hpp"

namespace cosimo {
namespace {

/// Two links along x, the joints in their ends.
std::string arm(const std::string& kind, const std::string& shoulder, const std::string& elbow) {
  const bool rigid = kind == "rigid";
  const std::string body = ", kind: " + kind + ", mass: 1, inertia: " + (rigid ? "[0.1, 0.1, 0.1]" : "0.1");
  const std::string zero = rigid ? "[0, 0, 0]" : "[0, 0]", one = rigid ? "[1, 0, 0]" : "[1, 0]";
  return "cosimo: 1\nmodel:\n  bodies:\n    - {name: upper" + body + "}\n    - {name: lower" + body +
         ", position: " + one +
         "}\n  joints:\n    - {name: elbow, kind: revolute, from: lower, to: upper, at: " + one + elbow +
         "}\n    - {name: shoulder, kind: revolute, to: upper, at: " + zero + shoulder +
         "}\nsimulate: {end: 1, output: 0.1}\n";
}

TEST(JointStart, MovesWhatIsBeyondTheJoint) {
  for (const std::string kind : {"planar", "rigid"}) {
    // The elbow is the angle of `upper` against `lower`: the other way round.
    Simulation run(
        Scenario::parse(arm(kind, ", start: {angle: 0.5, speed: 2}", ", start: {angle: -0.25, speed: 3}")));
    EXPECT_NEAR(run.get("shoulder.angle"), 0.5, 1e-12);
    EXPECT_NEAR(run.get("shoulder.speed"), 2, 1e-12);
    EXPECT_NEAR(run.get("elbow.angle"), -0.25, 1e-12);
    EXPECT_NEAR(run.get("elbow.speed"), 3, 1e-12);
    EXPECT_NEAR(run.get("lower.x"), std::cos(0.5), 1e-12);
    EXPECT_NEAR(run.get("lower.y"), std::sin(0.5), 1e-12);
    EXPECT_NEAR(run.get("der(lower.x)"), -2 * std::sin(0.5), 1e-12);
    EXPECT_NEAR(run.get("der(lower.y)"), 2 * std::cos(0.5), 1e-12);
    if (kind == "planar") {
      EXPECT_NEAR(run.get("lower.phi"), 0.75, 1e-12);
      EXPECT_NEAR(run.get("der(lower.phi)"), -1, 1e-12);
    } else {
      EXPECT_NEAR(run.get("lower.qz"), std::sin(0.375), 1e-12);
      EXPECT_NEAR(run.get("lower.wz"), -1, 1e-12);
    }
  }
}

TEST(JointStart, SpeedsWithoutAnglesLeaveThePlacement) {
  Simulation run(Scenario::parse(arm("rigid", "", ", start: {speed: 3}")));
  EXPECT_EQ(run.get("lower.x"), 1);
  EXPECT_NEAR(run.get("shoulder.speed"), 0, 1e-13);
  EXPECT_NEAR(run.get("lower.wz"), -3, 1e-13);
}

TEST(JointStart, SlidesAndScrews) {
  Simulation run(Scenario::parse(R"(cosimo: 1
model:
  bodies:
    - {name: sledge, kind: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 1, 0]}
    - {name: screw, kind: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 1, 2]}
  joints:
    - {name: rail, kind: prismatic, to: sledge, at: [0, 1, 0], axis: [1, 0, 0], start: {displacement: 3, speed: -1}}
    - {name: thread, kind: cylindrical, from: sledge, to: screw, at: [0, 1, 0], axis: [0, 0, 1],
       start: {angle: 1, angular_speed: 5, displacement: 0.5, speed: 0.2}}
simulate: {end: 1, output: 0.1}
)"));
  EXPECT_NEAR(run.get("screw.x"), 3, 1e-12);
  EXPECT_NEAR(run.get("screw.z"), 2.5, 1e-12);
  EXPECT_NEAR(run.get("der(screw.x)"), -1, 1e-12);
  EXPECT_NEAR(run.get("der(screw.z)"), 0.2, 1e-12);
  EXPECT_NEAR(run.get("screw.wz"), 5, 1e-12);
  EXPECT_NEAR(run.get("thread.angle"), 1, 1e-12);
  EXPECT_NEAR(run.get("thread.angular_speed"), 5, 1e-12);
  EXPECT_NEAR(run.get("thread.displacement"), 0.5, 1e-12);
  EXPECT_NEAR(run.get("rail.displacement"), 3, 1e-12);
  EXPECT_NEAR(run.get("rail.speed"), -1, 1e-12);
}

/// A parallelogram: the crank says where all begin.
std::string parallelogram(const std::string& left, const std::string& right) {
  const std::string body = ", kind: planar, mass: 1, inertia: 0.1";
  return "cosimo: 1\nmodel:\n  bodies:\n    - {name: crank" + body + "}\n    - {name: coupler" + body +
         ", position: [0, 1]}\n    - {name: rocker" + body +
         ", position: [2, 0]}\n  joints:\n    - {name: left, kind: revolute, to: crank, at: [0, 0]" + left +
         "}\n    - {name: right, kind: revolute, to: rocker, at: [2, 0]" + right +
         "}\n    - {name: top, kind: revolute, from: crank, to: coupler, at: [0, 1]}\n"
         "    - {name: corner, kind: revolute, from: coupler, to: rocker, at: [2, 1]}\n"
         "simulate: {end: 1, output: 0.1}\n";
}

TEST(JointStart, ClosesLoops) {
  Simulation run(Scenario::parse(parallelogram(", start: {angle: 0.4, speed: 1.5}", "")));
  EXPECT_NEAR(run.get("left.angle"), 0.4, 1e-10);
  EXPECT_NEAR(run.get("right.angle"), 0.4, 1e-9);
  EXPECT_NEAR(run.get("right.speed"), 1.5, 1e-9);
  EXPECT_NEAR(run.get("coupler.x"), -std::sin(0.4), 1e-9);
  EXPECT_NEAR(run.get("coupler.phi"), 0, 1e-9);
  Simulation both(Scenario::parse(parallelogram(", start: {angle: 0.4}", ", start: {angle: 0.4}")));
  EXPECT_NEAR(both.get("right.angle"), 0.4, 1e-9) << "both say the same";
}

TEST(JointStart, RefusesLoopsThatContradict) {
  try {
    Simulation run(
        Scenario::parse(parallelogram(", start: {angle: 2.5}", ", start: {angle: -2.5}"), "loop.yaml"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the start values of joints do not fit together"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("leave out `start`"));
    EXPECT_EQ(error.faults().front().file, "loop.yaml");
    EXPECT_GT(error.faults().front().line, 0);
  }
}

}  // namespace
}  // namespace cosimo
