// How mechanisms start, and models that are refused: end to end, with names and lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "simulation/execute.hpp"
#include "simulation/mechanism_testing.hpp"
#include "simulation/unsupported.hpp"

namespace cosimo::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double g = 9.81;

struct Standing {
  explicit Standing(const std::string& guides)
      : text(
            fmt::format("cosimo: 1\nmodel:\n  vehicle: {{speed: 0, road: {{roughness: 0}}{}}}\n  start: "
                        "{{equilibrium: true}}\nsimulate: {{end: 1, output: 0.1}}\nsolve: {{rtol: 1.0e-8}}\n",
                        guides)) {}
  std::string text;
};

class Vehicle : public ::testing::TestWithParam<const char*> {};

/// Guides are joints or bushings: at rest from the first instant on, the tyres carry the weight.
TEST_P(Vehicle, StandsOnItsSprings) {
  const WholeRun run(Standing(GetParam()).text);
  const Dynamics& dynamics = run.dynamics();
  std::vector<double> a(dynamics.size());
  const auto work = dynamics.make_workspace();
  ASSERT_TRUE(dynamics.acceleration(0, run.q(0), run.v(0), {}, a.data(), nullptr, *work));
  for (const double x : a) EXPECT_NEAR(x, 0, 1e-6);
  const Mechanism& mechanism = *run.model().mechanism;
  double carried = 0, weight = 0;
  for (const Body& body : mechanism.bodies) weight += body.mass * g;
  for (const auto& element : mechanism.elements) {
    if (element->kind() != "contact") continue;
    const Frame wheel = dynamics.frame(element->at_to.body.index(), run.q(0), run.v(0));
    Effort effort;
    ASSERT_TRUE(element->effort(0, Frame{}, marker_frame(wheel, element->at_to), effort));
    EXPECT_GT(std::fabs(effort.force[2]), 0.2 * weight);
    carried += std::fabs(effort.force[2]);
  }
  EXPECT_NEAR(carried, weight, 1e-6 * weight);
  const std::size_t last = run.rows() - 1;
  for (std::size_t i = 0; i < dynamics.size(); ++i) EXPECT_NEAR(run.q(last)[i], run.q(0)[i], 1e-8) << i;
}
INSTANTIATE_TEST_SUITE_P(Guides, Vehicle,
                         ::testing::Values("",
                                           ", compliant: {stiffness: 1.0e6, damping: 2.0e3, "
                                           "rotational_stiffness: 1.0e5, rotational_damping: 200}"));

TEST(Start, StatesBesideTheJointsAreBroughtOntoThem) {
  const WholeRun run(scenario_of(R"(  gravity: [0, -9.81]
  bodies:
    - {name: rod, kind: planar, mass: 1, inertia: 0.1, center: [0.5, 0], angular_velocity: 1}
    - {name: second, kind: planar, mass: 1, inertia: 0.1, center: [0.5, 0], position: [1.02, -0.01]}
  joints:
    - {name: pin, kind: revolute, to: rod, at: [0, 0]}
    - {name: elbow, kind: revolute, from: rod, to: second, at_from: [1, 0], at_to: [0, 0]}
  start: {assemble: true}
)",
                                 1, 0.1, {"rk", 1e-8}));
  const Dynamics::Residuals start = run.dynamics().residuals(0, run.q(0), run.v(0));
  EXPECT_LT(start.position, 1e-12);
  EXPECT_LT(start.velocity, 1e-12);
}

std::string refusal(const std::string& text) {
  try {
    Bench bench(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "it was accepted";
}

/// A rod of 1 m on a pin, with its places and velocities as wanted.
std::string pinned_rod(const std::string& point, const std::string& velocities,
                       const std::string& start = "") {
  return "cosimo: 1\nmodel:\n  bodies:\n    - {name: rod, kind: planar, mass: 1, inertia: 0.1, center: [0.5, "
         "0]" +
         velocities +
         "}\n  joints:\n    - {name: pin, kind: revolute, to: rod, at_from: [0, 0], at_to: " + point + "}\n" +
         start + "simulate: {end: 0.1}\n";
}
constexpr const char* wanted = "  start: {assemble: true}\n";

std::vector<Report::Shift> shifts_of(const std::string& text) {
  return execute(config::parse_scenario(text, "test", {}), {}, {}).assembly;
}

TEST(Start, LargeShiftsMustBeAskedFor) {
  const std::string moved = pinned_rod("[0.2, 0]", "");
  EXPECT_THAT(refusal(moved),
              AllOf(HasSubstr("test:6:"), HasSubstr("model.joints.pin"), HasSubstr("position"),
                    HasSubstr("rod by 0.2"), HasSubstr("start: {assemble: true}")));
  const auto shifts = shifts_of(pinned_rod("[0.2, 0]", "", wanted));
  ASSERT_EQ(shifts.size(), 1U);
  EXPECT_EQ(shifts[0].quantity, "position");
  EXPECT_EQ(shifts[0].body, "rod");
  EXPECT_NEAR(shifts[0].amount, 0.2, 1e-9);
  // The centre stands still in the file: the joint takes most of the rotation away.
  const std::string turning = ", velocity: [0, -0.5], angular_velocity: 1";
  EXPECT_THAT(
      refusal(pinned_rod("[0, 0]", turning)),
      AllOf(HasSubstr("test:4:"), HasSubstr("model.bodies.rod"), HasSubstr("angular velocity of rod")));
  EXPECT_THAT(refusal(pinned_rod("[0, 0]", turning, wanted)), "it was accepted");
}

TEST(Start, SmallShiftsAreToldAndRoundingIsNot) {
  EXPECT_EQ(shifts_of(pinned_rod("[0.0004, 0]", "")).size(), 1U);
  EXPECT_THAT(shifts_of(pinned_rod("[0.0000000001, 0]", ", angular_velocity: 1.0")), IsEmpty());
}

/// A motor turns what the file leaves alone: told, but nobody has said anything else.
TEST(Start, VelocitiesThatAreNotGivenFollowTheJoints) {
  const std::string motor = "    - {name: m, kind: motor, joint: pin, angle: 3*t}\n";
  const auto shifts = shifts_of(pinned_rod("[0, 0]", "", motor));
  ASSERT_EQ(shifts.size(), 1U);
  EXPECT_EQ(shifts[0].quantity, "angular_velocity");
  EXPECT_NEAR(shifts[0].amount, 3, 1e-9);
  EXPECT_THAT(refusal(pinned_rod("[0, 0]", ", angular_velocity: 0", motor)), HasSubstr("rod by 3"));
}

TEST(Start, CheckTellsTheShiftsAndRunsNoticeThem) {
  const std::string text = pinned_rod("[0.2, 0]", "", wanted);
  EXPECT_THAT(Scenario::parse(text).describe(), HasSubstr("position of rod by 0.2"));
  std::vector<std::string> notices;
  RunOptions options;
  options.notice = [&](const std::string& notice) { notices.push_back(notice); };
  const Report report = run(Scenario::parse(text), options);
  EXPECT_THAT(notices, ElementsAre(HasSubstr("position of rod by 0.2")));
  EXPECT_THAT(to_json(report), HasSubstr("\"assembly\""));
}

TEST(BadMechanism, LinearSolversOfScalarModelsAreRefused) {
  for (const char* linear : {"dense", "structured"}) {
    const std::string text = fmt::format(
        "cosimo: 1\nmodel: {{pendulum: {{links: 2}}}}\nsimulate: {{end: 1}}\nsolve: {{method: ida, linear: "
        "{}}}\n",
        linear);
    EXPECT_THAT(refusal(text), AllOf(HasSubstr("solve.linear"), HasSubstr("klu")));
  }
}

TEST(BadMechanism, JointThatCannotBeClosedIsNamedWithItsLine) {
  const std::string message = refusal(R"(cosimo: 1
model:
  bodies:
    - {name: rod, kind: planar, mass: 1, inertia: 0.1, center: [0.5, 0]}
  joints:
    - {name: left, kind: revolute, to: rod, at: [0, 0]}
    - {name: right, kind: revolute, to: rod, at_from: [3, 0], at_to: [1, 0]}
simulate: {end: 1}
)");
  EXPECT_THAT(message, ::testing::AnyOf(HasSubstr("test:6:"), HasSubstr("test:7:")));
  EXPECT_THAT(message, ::testing::AnyOf(HasSubstr("model.joints.left"), HasSubstr("model.joints.right")));
  EXPECT_THAT(message, HasSubstr("cannot be closed"));
}

TEST(BadMechanism, EquilibriumThatDoesNotExist) {
  EXPECT_THAT(refusal(R"(cosimo: 1
model:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: stone, kind: point, mass: 1}
  start: {equilibrium: true}
simulate: {end: 1}
)"),
              HasSubstr("no state is found in which all forces balance"));
}

TEST(BadMechanism, RosenbrockIsRefused) {
  const std::string message = refusal(scenario_of("  pendulum: {links: 2}\n", 1, 0.1, {"rosenbrock", 1e-6}));
  EXPECT_THAT(message, HasSubstr("rosenbrock"));
  EXPECT_THAT(message, HasSubstr("radau"));
}

std::vector<std::string> adrift(const std::string& model) {
  return unsupported_bodies(*Bench("cosimo: 1\nmodel:\n" + model + "simulate: {end: 1}\n").assembly->graph);
}

TEST(Unsupported, BodiesThatNothingJoinsToTheGround) {
  const std::string two = R"(  bodies:
    - {name: held, kind: point, mass: 1, position: [0, 0, 1]}
    - {name: lost, kind: point, mass: 1, position: [0, 0, 2]}
    - {name: found, kind: point, mass: 1, position: [0, 0, 3]}
  elements:
    - {name: s1, kind: spring, to: held, c: 10}
    - {name: s2, kind: spring, from: lost, to: found, c: 10}
    - {name: push, kind: applied, to: lost, force: [1, 0, 0]}
)";
  EXPECT_THAT(adrift(two),
              ElementsAre(AllOf(HasSubstr("lost"), HasSubstr("1 more"), Not(HasSubstr("gravity")))));
  EXPECT_THAT(adrift("  gravity: [0, 0, -9.81]\n" + two), ElementsAre(HasSubstr("gravity")));
  EXPECT_THAT(adrift(two + "    - {name: s3, kind: spring, from: held, to: found, c: 1}\n"), IsEmpty());
}

TEST(Unsupported, WhatStandsOrFliesAsAWholeIsLeftAlone) {
  EXPECT_THAT(adrift("  vehicle: {}\n"), IsEmpty());
  EXPECT_THAT(adrift("  pendulum: {links: 3}\n"), IsEmpty());
  EXPECT_THAT(adrift("  chain: {masses: 4, mass: 1, spring: {c: 1}, ends: [free, free]}\n"), IsEmpty());
  EXPECT_THAT(adrift("  network: {masses: 5, spring: {c: 1}}\n"), IsEmpty());
  EXPECT_THAT(adrift("  network: {masses: 5, spring: {c: 1}, gravity: 9.81}\n"),
              ElementsAre(HasSubstr("4 more")));
}

TEST(Summary, NamesTheStiffMethodOfMechanisms) {
  const auto scenario = config::parse_scenario(
      scenario_of(
          "  bodies:\n    - {name: a, kind: point, dimensions: 2, mass: 1.0e-3, position: [1, 0], velocity: "
          "[0, 1]}\n  elements:\n    - {name: s, kind: spring, to: a, c: 1.0e6, d: 1.0e3, length: 1}\n",
          1, 0.1, {"auto", 1e-5}),
      "test", {});
  const Report report = execute(scenario, {}, {});
  ASSERT_EQ(report.status, "ok");
  EXPECT_THAT(report.choices, Contains(HasSubstr("radau for some time")));
}

}  // namespace
}  // namespace cosimo::testing
