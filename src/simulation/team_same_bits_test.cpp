#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosimo/simulation.hpp"
#include "simulation/execute.hpp"
#include "simulation/ranks_testing.hpp"

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

std::string network(int masses, std::string_view method) {
  return fmt::format(R"(cosimo: 1
model:
  network:
    masses: {}
    neighbours: 6
    spring: {{c: {{uniform: [300, 700]}}, d: 0.5}}
    mass: {{uniform: [0.5, 1.5]}}
    velocity: {{uniform: [-0.2, 0.2]}}
    fixed: 40
    gravity: 9.81
simulate: {{end: 0.1, output: 0.05}}
solve: {{method: {}}}
partition: none
)",
                     masses, method);
}

/// A net in the plane with dampers along its springs, wind and contacts; bodies are listed in this order.
std::string net(int width, const std::vector<int>& order) {
  std::string text = "cosimo: 1\nmodel:\n  gravity: [0, -9.81]\n  bodies:\n";
  for (const int b : order)
    text += fmt::format(
        "    - {{name: m{}, kind: point, dimensions: 2, mass: {}, position: [{}, {}], velocity: [{}, "
        "0.1]}}\n",
        b, 1 + 0.1 * (b % 7), b % width, b / width + 0.01 * (b % 5), 0.01 * (b % 11));
  text += "  elements:\n";
  const int count = static_cast<int>(order.size());
  const auto add = [&](std::string_view kind, int b, const std::string& rest) {
    text += fmt::format("    - {{name: {}{}, kind: {}, {}}}\n", kind.substr(0, 1), text.size(), kind,
                        fmt::format(fmt::runtime(rest), b));
  };
  for (int b = 0; b < count; ++b) {
    if (b % width + 1 < width)
      add("spring", b,
          fmt::format("from: m{{}}, to: m{}, c: 2000, d: 3{}", b + 1, b % 3 == 0 ? ", C: 5000" : ""));
    if (b + width < count)
      add("spring", b, fmt::format("from: m{{}}, to: m{}, c: 3000, d: 1, length: 1", b + width));
    if (b < width) add("contact", b, "body: m{}, stiffness: 1.0e5");
    if (b % 50 == 0) add("applied", b, "to: m{}, force: [\"3*sin(9*t)\", \"0\"]");
  }
  return text + "simulate: {end: 0.1, output: 0.05}\nsolve: {method: merson}\npartition: none\n";
}

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
TEST(TeamSameBits, ChainsByRosenbrock) {
  expect_same_bits(std::string(chain) + "solve: {method: rosenbrock}\n");
}
TEST(TeamSameBits, LatticesByWavesAndSeams) {
  expect_same_bits(lattice(90, 130));
}
TEST(TeamSameBits, LongElementsStageByStage) {
  expect_same_bits(lattice(1300, 9));
}

TEST(TeamSameBits, NetworksInSpace) {
  expect_same_bits(network(3700, "rk"));
}
TEST(TeamSameBits, NetworksByMerson) {
  expect_same_bits(network(1500, "merson"));
}

std::vector<int> in_order(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(TeamSameBits, NetsWithContactsAndWind) {
  expect_same_bits(net(50, in_order(2600)));
}

TEST(TeamSameBits, ShuffledBodiesDifferByRounding) {
  const auto places = [](const std::vector<int>& order) {
    RunOptions options;
    options.threads = 2;
    Simulation simulation(Scenario::parse(net(50, order)), options);
    EXPECT_TRUE(simulation.advance(simulation.end()).ok);
    std::vector<double> found;
    for (std::size_t b = 0; b < order.size(); ++b)
      for (const char* axis : {"x", "y"}) found.push_back(simulation.get(fmt::format("m{}.{}", b, axis)));
    return found;
  };
  std::vector<int> order = in_order(2600);
  const std::vector<double> plain = places(order);
  std::ranges::shuffle(order, std::mt19937_64(5));
  const std::vector<double> shuffled = places(order);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(plain[i], shuffled[i], 1e-11) << i;
}

TEST(TeamSameBits, SmallModelsAreNotShared) {
  EXPECT_EQ(run_on(lattice(20, 20), 4).report.threads, 1);
}

/// Threads that parts leave over take steps together inside them. `most`: more than the parts can use.
void expect_same_bits_in_parts(const std::string& text, int parts, int most) {
  const Outcome alone = run_on(text, 1);
  EXPECT_EQ(alone.report.parts, parts);
  EXPECT_EQ(alone.report.threads, 1);
  for (const int threads : {2, parts + 1, most}) {
    const Outcome shared = run_on(text, threads);
    EXPECT_GE(shared.report.threads, std::min(threads, parts + 1));
    EXPECT_LE(shared.report.threads, threads);
    EXPECT_EQ(shared.values, alone.values) << threads << " threads";
    EXPECT_EQ(shared.report.micro_steps_total, alone.report.micro_steps_total);
  }
}

std::string with_partition(std::string text, const std::string& partition, const std::string& more = "") {
  const std::string whole = "partition: none\n";
  text.replace(text.find(whole), whole.size(), "partition: " + partition + "\n" + more);
  return text;
}

TEST(TeamSameBits, PartsOfChainsWithOverlap) {
  expect_same_bits_in_parts(with_partition(chain, "{parts: 2}", "couple: {decomposition: overlap}\n"), 2, 7);
}
TEST(TeamSameBits, PartsOfUnequalSizeAndClassicCuts) {
  expect_same_bits_in_parts(with_partition(chain, "{method: manual, cuts: [3001]}",
                                           "couple: {scheme: explicit}\ncontrol: {step: 1.0e-6}\n"),
                            2, 6);
}
TEST(TeamSameBits, PartsOfLatticesDrivenByMotion) {
  expect_same_bits_in_parts(
      with_partition(
          lattice(90, 130), "{parts: 2}",
          "couple: {scheme: explicit, decomposition: force-displacement}\ncontrol: {step: 1.0e-4}\n"),
      2, 5);
}
TEST(TeamSameBits, PartsOfLatticesWithOverlap) {
  expect_same_bits_in_parts(
      with_partition(lattice(90, 130), "{parts: 2}", "couple: {decomposition: overlap}\n"), 2, 5);
}
TEST(TeamSameBits, PartsOfNetworks) {
  expect_same_bits_in_parts(with_partition(network(3700, "rk"), "{parts: 2}",
                                           "couple: {scheme: explicit}\ncontrol: {step: 1.0e-3}\n"),
                            2, 5);
}

/// The same on ranks, which are threads of this process.
TEST(TeamSameBits, RanksTimesPartsTimesThreads) {
  const std::string text = with_partition(chain, "{parts: 2}", "couple: {decomposition: overlap}\n");
  const auto run = [&](int threads) {
    return testing::on_ranks(text, 2, {.threads = threads, .crowd = true});
  };
  const testing::RanksRun one = run(1), many = run(4);
  EXPECT_EQ(testing::difference(one.results, many.results), "");
  std::int64_t threads = 0;
  for (const RankReport& rank : many.report().rank_reports) threads += rank.threads;
  EXPECT_GT(threads, 2);
}

/// Lanes beside the actual one would share its team: there is none.
TEST(TeamSameBits, PartsWithComparisonLanesHaveNoTeam) {
  const Outcome outcome = run_on(
      with_partition(chain, "{parts: 2}", "couple: {scheme: explicit}\ncontrol: {estimator: exLE}\n"), 8);
  EXPECT_LE(outcome.report.threads, 4);
}

}  // namespace
}  // namespace cosimo
