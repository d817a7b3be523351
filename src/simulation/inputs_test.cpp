// Inputs of a scenario that somebody outside sets while the run goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cosimo/cosimo.h"
#include "cosimo/simulation.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

/// A mass of 2 that nothing holds, and a force on it.
std::string free_mass(const std::string& rest = "") {
  return R"(cosimo: 1
model: {chain: {masses: 1, mass: 2, spring: {c: [0, 0], d: 0}, ends: [free, free], initial: {x: 0, v: 0}}}
subsystems: [{name: push, input: {start: 4}}]
connections: [{from: push.out, to: 1.force}]
simulate: {end: 10, output: 1}
)" + rest;
}

/// Two masses with a cut between them and a lag that the input drives.
const char* const cut = R"(cosimo: 1
model: {chain: {masses: 2, mass: [2, 1], spring: {c: [8, 3, 0], d: [0.4, 0.1, 0]}, ends: [fixed, free], initial: {x: [0.5, 0], v: 0}}}
partition: {parts: 2}
subsystems:
  - {name: push, input: {}}
  - {name: servo, lag: {time_constant: 0.1}}
connections:
  - {from: push.out, to: servo.in}
  - {from: servo.out, to: 2.force}
simulate: {end: 4, output: 1}
)";

TEST(Inputs, AConstantForceAcceleratesAMass) {
  Simulation run(Scenario::parse(free_mass()));
  ASSERT_TRUE(run.advance(1).ok);
  EXPECT_NEAR(run.get("1.x"), 1, 1e-12);
  run.set("push", -4);
  EXPECT_EQ(run.get("push"), -4);
  ASSERT_TRUE(run.advance(3).ok);
  EXPECT_NEAR(run.get("der(1.x)"), 2 - 4, 1e-12);
  EXPECT_NEAR(run.get("1.x"), 1 + 4 - 4, 1e-12);
}

TEST(Inputs, ACourseIsFollowedExactly) {
  Simulation run(Scenario::parse(free_mass()));
  run.set_course("push", {0, 2, 6});  // 2 t + 3 t^2
  EXPECT_EQ(run.get("push"), 0);
  ASSERT_TRUE(run.advance(2).ok);
  EXPECT_EQ(run.get("push"), 16);
  EXPECT_NEAR(run.get("der(1.x)"), 0.5 * (4 + 8), 1e-12);
  EXPECT_NEAR(run.get("1.x"), 0.5 * (8.0 / 3 + 4), 1e-12);
}

TEST(Inputs, WhereNothingElseIsCoupledStepsAreLong) {
  Simulation run(Scenario::parse(free_mass()));
  for (int k = 1; k <= 10; ++k) {
    run.set("push", k);
    ASSERT_TRUE(run.advance(k).ok);
  }
  EXPECT_EQ(run.report().macro_steps, 10);
}

TEST(Inputs, TheSameValueIsNoEvent) {
  Simulation told(Scenario::parse(cut)), silent(Scenario::parse(cut));
  for (double t : {0.5, 1.0, 1.7, 2.0}) {
    told.set("push", 0);
    ASSERT_TRUE(told.advance(t).ok);
    ASSERT_TRUE(silent.advance(t).ok);
    EXPECT_EQ(told.values(), silent.values());
  }
}

TEST(Inputs, AStepGoesThroughCutsAndComponents) {
  const std::string tight = "control: {rtol: 1.0e-7}\nsolve: {rtol: 1.0e-9}\n";
  Simulation whole(
      Scenario::parse(std::string(cut) + tight, "whole", std::vector<std::string>{"partition=none"}));
  Simulation parts(Scenario::parse(std::string(cut) + tight));
  for (Simulation* run : {&whole, &parts}) {
    ASSERT_TRUE(run->advance(1).ok);
    run->set("push", 5);
    ASSERT_TRUE(run->advance(2).ok);
    run->set_course("push", {5, -2});
    ASSERT_TRUE(run->advance(4).ok);
    EXPECT_EQ(run->get("push"), 1);
  }
  EXPECT_NEAR(parts.get("servo.out"), 1 + 2 * 0.1, 1e-5);
  EXPECT_NEAR(parts.get("2.x"), whole.get("2.x"), 1e-5);
  EXPECT_GT(std::fabs(whole.get("2.x")), 0.1);
}

TEST(Inputs, GoBackWithTheRun) {
  Simulation run(Scenario::parse(cut));
  run.set_course("push", {1, 1});
  ASSERT_TRUE(run.advance(0.5).ok);
  const auto state = run.save();
  ASSERT_TRUE(run.advance(1).ok);
  const auto once = run.values();
  run.set("push", 100);
  ASSERT_TRUE(run.advance(2).ok);
  run.restore(state);
  EXPECT_EQ(run.get("push"), 1.5);
  ASSERT_TRUE(run.advance(1).ok);
  EXPECT_EQ(run.values(), once);
}

TEST(Inputs, EverySchemeTakesThem) {
  const auto end = [](const std::string& couple) {
    Simulation run(Scenario::parse(
        std::string(cut) + "solve: {rtol: 1.0e-8}\ncontrol: {rtol: 1.0e-6}\ncouple: {" + couple + "}\n"));
    for (int k = 1; k <= 8; ++k) {
      run.set_course("push", {0.5 * (k - 1), 1});
      EXPECT_TRUE(run.advance(0.5 * k).ok) << couple;
    }
    return run.get("2.x");
  };
  const double expected = end("scheme: explicit");
  for (const char* couple : {"scheme: implicit", "scheme: semi-implicit", "scheme: waveform",
                             "scheme: explicit, sequence: gauss-seidel"})
    EXPECT_NEAR(end(couple), expected, 2e-4) << couple;
}

TEST(Inputs, WrongCallsAreRefused) {
  Simulation run(Scenario::parse(free_mass()));
  const auto says = [&](auto&& call, const char* text) {
    try {
      call();
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  };
  says([&] { run.set("push", NAN); }, "no number");
  says([&] { run.set_course("1.x", {1}); }, "is no input");
  says([&] { run.set_course("push", {}); }, "at most six derivatives");
  says([&] { run.set_course("push", {0, INFINITY}); }, "no number");
  EXPECT_EQ(run.get("push"), 4);
}

TEST(Inputs, FromC) {
  cosimo_simulation* run = cosimo_create_from_text(free_mass().c_str(), nullptr, 0, 1, nullptr, 0);
  ASSERT_NE(run, nullptr);
  size_t push = 0, x = 0;
  ASSERT_EQ(cosimo_find(run, "push", &push), COSIMO_OK);
  ASSERT_EQ(cosimo_find(run, "1.x", &x), COSIMO_OK);
  const double course[] = {0, 2};
  ASSERT_EQ(cosimo_set_course(run, push, course, 2), COSIMO_OK);
  ASSERT_EQ(cosimo_advance(run, 3), COSIMO_OK);
  double value = 0;
  ASSERT_EQ(cosimo_get(run, &x, 1, &value), COSIMO_OK);
  EXPECT_NEAR(value, 4.5, 1e-12);
  EXPECT_EQ(cosimo_set_course(run, push, course, 0), COSIMO_WRONG);
  cosimo_free(run);
}

TEST(Inputs, AnOpenEndIsNone) {
  RunOptions options;
  options.open_end = true;
  Simulation run(Scenario::parse(free_mass()), options);
  EXPECT_EQ(run.end(), INFINITY);
  ASSERT_TRUE(run.advance(25).ok);
  EXPECT_NEAR(run.get("der(1.x)"), 50, 1e-10);
}

}  // namespace
}  // namespace cosimo
