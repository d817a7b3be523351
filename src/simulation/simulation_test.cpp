#include "cosimo/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "results/recorder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const std::string chain_model = R"(cosimo: 1
model:
  chain: {masses: 60, mass: 1, spring: {c: 1.0e4, d: 1, C: 1.0e6},
          initial: {x: {uniform: [-0.01, 0.01]}, v: {uniform: [-1, 1]}}, seed: 5}
simulate: {end: 0.4, output: 0.01}
)";
const std::string pendulum = R"(cosimo: 1
model:
  gravity: [0, -9.81, 0]
  bodies: [{name: arm, kind: planar, mass: 1, inertia: 0.1, position: [0.5, 0]}]
  joints: [{name: pin, kind: revolute, to: arm, at: [0, 0]}]
simulate: {end: 1, output: 0.1}
)";

const std::string loop = R"yaml(cosimo: 1
subsystems:
  - {name: pid, pid: {kp: 2, ki: 4, reference: "1 + 0.1*sin(3*t)"}}
  - {name: plant, lag: {time_constant: 0.5, gain: 2}}
connections: [{from: plant.out, to: pid.measured}, {from: pid.out, to: plant.in}]
simulate: {end: 0.4, output: 0.01}
)yaml";

/// Uncut, every family of couplings, and no model at all.
std::vector<std::string> all_kinds() {
  return {chain_model,
          loop,
          loop + "couple: {scheme: implicit}\n",
          chain_model + "partition: {parts: 3}\n",
          chain_model + "partition: {parts: 3}\ncouple: {scheme: explicit}\ncontrol: {rtol: 1.0e-4}\n",
          chain_model + "partition: {parts: 3}\ncouple: {scheme: implicit}\ncontrol: {rtol: 1.0e-4}\n",
          chain_model + "partition: {parts: 3}\ncouple: {scheme: waveform}\ncontrol: {step: 1.0e-3}\n",
          chain_model +
              "partition: {parts: 2}\nsolve: {method: ida}\ncontrol: {estimator: exMD, rtol: 1.0e-4}\n"};
}

RunOptions into(const std::filesystem::path& folder) {
  RunOptions options;
  options.output_dir = folder;
  return options;
}

TEST(Simulation, OneAdvanceIsARun) {
  for (const std::string& text : all_kinds()) {
    const Scenario scenario = Scenario::parse(text);
    const test::TemporaryFolder folder;
    Simulation simulation(scenario, into(folder / "a"));
    ASSERT_TRUE(simulation.advance(simulation.end()).ok);
    const Report mine = simulation.report();
    const Report theirs = run(scenario, into(folder / "b"));
    EXPECT_EQ(mine.macro_steps, theirs.macro_steps);
    EXPECT_EQ(mine.micro_steps_total, theirs.micro_steps_total);
    const Comparison difference = compare(folder / "a", folder / "b");
    EXPECT_EQ(difference.both, 0) << text;
    EXPECT_EQ(difference.rows, 41U);
  }
}

TEST(Simulation, StopsExactlyWhereItIsAskedTo) {
  for (const std::string& text : all_kinds()) {
    Simulation whole(Scenario::parse(text)), stepped(Scenario::parse(text));
    ASSERT_TRUE(whole.advance(0.4).ok);
    for (const double t : {0.0, 0.0137, 0.0137, 0.1, 0.25001, 0.4}) {
      const Simulation::Outcome outcome = stepped.advance(t);
      ASSERT_TRUE(outcome.ok) << outcome.reason;
      EXPECT_EQ(outcome.time, t);
      EXPECT_EQ(stepped.time(), t);
    }
    const std::string one = text.starts_with(loop) ? "plant.out" : "30.x";
    EXPECT_NEAR(stepped.get(one), whole.get(one), 2e-4) << text;
    EXPECT_NE(whole.get(one), 0);
  }
}

TEST(Simulation, GoesBackToTheBit) {
  for (const std::string& text : all_kinds()) {
    Simulation simulation(Scenario::parse(text));
    ASSERT_TRUE(simulation.advance(0.1).ok);
    const std::vector<double> before = simulation.values();
    const auto state = simulation.save();
    ASSERT_TRUE(simulation.advance(0.4).ok);
    const std::vector<double> first = simulation.values();
    simulation.restore(state);
    EXPECT_EQ(simulation.time(), 0.1);
    EXPECT_EQ(simulation.values(), before);
    ASSERT_TRUE(simulation.advance(0.4).ok);
    EXPECT_EQ(simulation.values(), first) << text;

    RunOptions two_threads;
    two_threads.threads = 2;
    Simulation other(Scenario::parse(text), two_threads);
    other.restore(state);
    ASSERT_TRUE(other.advance(0.4).ok);
    EXPECT_EQ(other.values(), first) << "in another simulation: " << text;
  }
}

TEST(Simulation, TheInitialStateCanBeSaved) {
  for (const std::string& text : all_kinds()) {
    Simulation simulation(Scenario::parse(text));
    const auto state = simulation.save();
    ASSERT_TRUE(simulation.advance(0.2).ok);
    const std::vector<double> first = simulation.values();
    simulation.restore(state);
    EXPECT_EQ(simulation.time(), 0);
    ASSERT_TRUE(simulation.advance(0.2).ok);
    EXPECT_EQ(simulation.values(), first) << text;
  }
}

TEST(Simulation, KnowsTheInitialStateByName) {
  const Simulation simulation(Scenario::parse(pendulum));
  EXPECT_THAT(simulation.variables(), Contains("arm.x"));
  EXPECT_THAT(simulation.variables(), Contains("der(arm.phi)"));
  EXPECT_EQ(simulation.time(), 0);
  EXPECT_EQ(simulation.get("arm.x"), 0.5);
  EXPECT_EQ(simulation.get("der(arm.y)"), 0);
  EXPECT_EQ(simulation.values().size(), simulation.variables().size());
}

/// A push in the middle: each mass on its own spring goes on as the closed form says.
TEST(Simulation, GoesOnFromAStateThatWasSet) {
  const std::string chain = R"(cosimo: 1
model: {chain: {masses: 2, mass: 1, spring: {c: [100, 0, 25]}, initial: {x: [0.3, 0.1], v: 0}}}
simulate: {end: 1, output: 0.5}
solve: {rtol: 1.0e-9}
)";
  for (const std::string& rest : {std::string(), std::string("partition: {parts: 2}\n"),
                                  std::string("solve: {rtol: 1.0e-9, method: ida}\n"),
                                  std::string("partition: {parts: 2}\ncouple: {scheme: explicit}\n"),
                                  std::string("partition: {parts: 2}\ncouple: {scheme: implicit}\n")}) {
    std::string text = chain;
    if (rest.starts_with("solve")) text.erase(text.find("solve"));
    Simulation simulation(Scenario::parse(text + rest));
    ASSERT_TRUE(simulation.advance(0.4).ok);
    simulation.set("der(1.x)", 2);
    simulation.set("1.x", 0.2);
    EXPECT_EQ(simulation.get("1.x"), 0.2) << rest;
    EXPECT_EQ(simulation.get("der(1.x)"), 2) << rest;
    const auto state = simulation.save();
    ASSERT_TRUE(simulation.advance(1).ok);
    const double x = simulation.get("1.x");
    EXPECT_NEAR(x, 0.2 * std::cos(10 * 0.6) + 0.2 * std::sin(10 * 0.6), 1e-5) << rest;
    EXPECT_NEAR(simulation.get("2.x"), 0.1 * std::cos(5.0), 1e-5) << rest;
    simulation.restore(state);
    ASSERT_TRUE(simulation.advance(1).ok);
    EXPECT_EQ(simulation.get("1.x"), x) << "the state that was set is part of what is saved: " << rest;
  }
}

TEST(Simulation, AStateCanBeSetBeforeTheFirstStep) {
  Simulation simulation(Scenario::parse(chain_model + "partition: {parts: 3}\n"));
  simulation.set("7.x", 0.005);
  EXPECT_EQ(simulation.get("7.x"), 0.005);
  const auto state = simulation.save();
  simulation.restore(state);
  EXPECT_EQ(simulation.get("7.x"), 0.005);
  ASSERT_TRUE(simulation.advance(0.1).ok);
}

/// What was carried over a bound meets the stop there, before the first step and after, and is thrown back.
TEST(Simulation, AStopActsOnABodyThatWasSetBeyondIt) {
  for (const char* method : {"rk", "radau", "ida"})
    for (const double begin : {0.0, 0.1}) {
      Simulation simulation(Scenario::parse(std::string(R"(cosimo: 1
model:
  bodies: [{name: block, kind: point, dimensions: 1, mass: 1, position: [0.5]}]
  elements: [{name: end, kind: stop, to: block, measure: displacement, axis: [1], upper: 1, stiffness: 1.0e+4}]
simulate: {end: 1, output: 0.5}
solve: {rtol: 1.0e-8, method: )") + method + "}\n"));
      if (begin > 0) {
        ASSERT_TRUE(simulation.advance(begin).ok);
      }
      simulation.set("block.x", 1.01);
      ASSERT_TRUE(simulation.advance(begin + 0.2).ok);
      EXPECT_NEAR(simulation.get("der(block.x)"), -1, 1e-4) << method << ' ' << begin;
    }
}

TEST(Simulation, RefusesToSetWhatFollowsFromTheRest) {
  Simulation simulation(Scenario::parse(pendulum));
  const auto refused = [&](const char* name, double value) {
    try {
      simulation.set(name, value);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused("arm.x", 0.1), HasSubstr("joints"));
  EXPECT_THAT(refused("energy.kinetic", 1), HasSubstr("follows from the motion"));
  EXPECT_THAT(refused("arm.x", NAN), HasSubstr("finite"));
  EXPECT_THAT(refused("arn.x", 1), HasSubstr("arm.x"));
}

TEST(Simulation, TellsEnergiesAndForcesOfAMechanism) {
  Simulation simulation(Scenario::parse(pendulum));
  const double before = simulation.get("energy.total");
  ASSERT_TRUE(simulation.advance(0.3).ok);
  EXPECT_NEAR(simulation.get("energy.total"), before, 1e-5);
  EXPECT_GT(simulation.get("energy.kinetic"), 0.1);
  EXPECT_NEAR(std::hypot(simulation.get("arm.x"), simulation.get("arm.y")), 0.5, 1e-6);
}

void expect_error(const std::function<void()>& call, const std::string& words) {
  try {
    call();
    ADD_FAILURE() << "accepted: " << words;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

/// 0.5 y' = 2 (2 (r - y) + 4 z) - y, z' = r - y.
TEST(Simulation, TellsOutputsOfSubsystemsWithoutAModel) {
  Simulation simulation(Scenario::parse(loop, "loop", std::vector<std::string>{"control.rtol=1e-9"}));
  EXPECT_EQ(simulation.variables(), (std::vector<std::string>{"plant.out", "pid.out"}));
  EXPECT_EQ(simulation.get("plant.out"), 0);
  EXPECT_EQ(simulation.get("pid.out"), 2);
  ASSERT_TRUE(simulation.advance(0.313).ok);
  double y = 0, z = 0;
  const auto rates = [](double t, double y_, double z_) {
    const double e = 1 + 0.1 * std::sin(3 * t) - y_;
    return std::pair{(2 * (2 * e + 4 * z_) - y_) / 0.5, e};
  };
  constexpr int steps = 10'000;
  const double h = 0.313 / steps;
  for (int k = 0; k < steps; ++k) {
    const auto [a, b] = rates(k * h, y, z);
    const auto [c, d] = rates((k + 0.5) * h, y + h / 2 * a, z + h / 2 * b);
    y += h * c;
    z += h * d;
  }
  EXPECT_NEAR(simulation.get("plant.out"), y, 1e-7);
  EXPECT_NEAR(simulation.get("pid.out"), 2 * (1 + 0.1 * std::sin(3 * 0.313) - y) + 4 * z, 1e-7);
  EXPECT_THROW(simulation.set("plant.out", 1), Error);
}

TEST(Simulation, SaysWhatIsWrong) {
  Simulation simulation(Scenario::parse(pendulum));
  expect_error([&] { simulation.get("arm.w"); }, "did you mean arm.");
  expect_error([&] { simulation.advance(2); }, "beyond simulate.end");
  expect_error([&] { simulation.advance(std::nan("")); }, "lies behind");
  ASSERT_TRUE(simulation.advance(0.5).ok);
  expect_error([&] { simulation.advance(0.4); }, "has reached 0.5");
  Simulation other(Scenario::parse(chain_model));
  ASSERT_TRUE(other.advance(0.01).ok);
  expect_error([&] { other.restore(simulation.save()); }, "another scenario");
  expect_error([&] { other.restore({}); }, "not a saved state");
  EXPECT_EQ(other.time(), 0.01) << "a refused state changes nothing";
  EXPECT_EQ(simulation.report().status, "ok");
  expect_error([&] { simulation.advance(0.6); }, "has reported");
  const test::TemporaryFolder folder;
  Simulation written(Scenario::parse(pendulum), into(folder / "out"));
  expect_error([&] { written.save(); }, "without an output folder");
}

TEST(Simulation, AReportBeforeTheEndLeavesWhatWasReached) {
  const test::TemporaryFolder folder;
  Simulation simulation(Scenario::parse(pendulum), into(folder / "out"));
  ASSERT_TRUE(simulation.advance(0.55).ok);
  EXPECT_EQ(simulation.report().outcome.time, 0.55);
  const Results results = read_results(folder / "out/results.h5");
  EXPECT_EQ(results.time.back(), 0.55);
  EXPECT_EQ(results.time.size(), 7U);
}

}  // namespace
}  // namespace cosimo
