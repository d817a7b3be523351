#include <gtest/gtest.h>

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "simulation/execute.hpp"

namespace cosimo {
namespace {

std::string lattice(int columns, int rows) {
  return fmt::format(R"(cosimo: 1
model:
  lattice:
    size: [{}, {}]
    mass: 0.01
    spring: {{c: 1.0e4, d: 0.05, C: 1.0e6}}
    initial: {{v: {{uniform: [-1, 1]}}}}
simulate: {{end: 3.0e-3, output: 1.0e-3}}
solve: {{method: rk}}
partition: none
)",
                     columns, rows);
}

const char* const chain = R"(cosimo: 1
model:
  chain:
    masses: 12003
    mass: {uniform: [4.0e-5, 6.0e-5]}
    spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}
    initial: {v: {uniform: [-100, 100]}}
    loads: [{harmonic: {bodies: [6000], amplitude: 10, omega: 1.0e4}}]
simulate: {end: 1.0e-4, output: 5.0e-5}
partition: none
)";

struct Outcome {
  std::vector<double> values;
  Report report;
};

Outcome run_on(const std::string& text, int threads) {
  const config::Scenario scenario = config::parse_scenario(text, "test");
  RunOptions options;
  options.threads = threads;
  TestHooks hooks;
  hooks.crowd = true;
  Engine engine(scenario, options, hooks);
  for (const double until : {scenario.simulate.end / 2, scenario.simulate.end})
    EXPECT_EQ(engine.advance(until).status, LoopResult::Status::ok);
  const std::size_t size = engine.assembly().collected.size();
  Outcome outcome{std::vector<double>(2 * size), {}};
  engine.state(std::span(outcome.values).first(size), std::span(outcome.values).last(size));
  outcome.report = engine.finish();
  return outcome;
}

void expect_same_bits(const std::string& text) {
  const Outcome alone = run_on(text, 1);
  EXPECT_EQ(alone.report.threads, 1);
  EXPECT_GT(alone.report.micro_steps_total, 5);
  for (const int threads : {2, 3, 5}) {
    const Outcome shared = run_on(text, threads);
    EXPECT_GT(shared.report.threads, 1) << "so large a model is shared";
    EXPECT_EQ(shared.values, alone.values) << threads << " threads";
    EXPECT_EQ(shared.report.micro_steps_total, alone.report.micro_steps_total);
  }
}

TEST(TeamSameBits, ChainsByWavesAndSeams) {
  expect_same_bits(chain);
}
TEST(TeamSameBits, LatticesByWavesAndSeams) {
  expect_same_bits(lattice(90, 130));
}
TEST(TeamSameBits, LongElementsStageByStage) {
  expect_same_bits(lattice(1300, 9));
}

TEST(TeamSameBits, SmallModelsAreNotShared) {
  EXPECT_EQ(run_on(lattice(20, 20), 4).report.threads, 1);
}

}  // namespace
}  // namespace cosimo
