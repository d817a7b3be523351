// Runs of chains of which every rank builds its own stretches (multibody/window.hpp).
#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "simulation/ranks_testing.hpp"
#include "simulation/testing.hpp"
#include "simulation/together.hpp"

namespace cosimo {
namespace {

using testing::difference;
using testing::on_ranks;

constexpr const char* chain = R"(
cosimo: 1
model:
  chain: {masses: 4000, mass: {uniform: [4.0e-5, 6.0e-5]}, seed: 3,
          spring: {c: {uniform: [2.0e6, 3.0e6]}, d: 0.25, C: 1.0e10, D: 5.0e-5},
          initial: {x: {uniform: [-1.0e-4, 1.0e-4]}, v: {uniform: [-1, 1]}},
          loads: [{harmonic: {bodies: {fraction: 0.1}, amplitude: 1.0, omega: 1.0e5}},
                  {impulse: {bodies: [90, 2000, 3990], amplitude: 5, start: [1.0e-6], duration: 1.0e-6,
                             steepness: 1.0e-7}}]}
)";

constexpr const char* few_steps = R"(
simulate: {end: 2.0e-6, output: 5.0e-7, record: [1, 500, 501, 2222, 4000]}
partition: {parts: 8}
)";

/// Every rank has but its own bodies, and nothing in the results tells.
TEST(WindowedRuns, SameBits) {
  const std::string overlap = "couple: {scheme: explicit, decomposition: overlap}\n";
  const std::string cases[] = {
      overlap, overlap + "control: {step: 5.0e-7}\n",
      // Far beyond the margin that is known from the start, and it must grow on the way.
      overlap + "control: {step: 1.0e-4, rtol: 1.0e-10}\n",
      "couple: {scheme: explicit, decomposition: overlap, layers: 90}\ncontrol: {step: 1.0e-6}\n",
      "couple: {scheme: explicit, decomposition: {kind: force-displacement, displaced: lighter}}\n",
      "couple: {scheme: implicit, decomposition: force-force}\n"};
  for (const std::string& how : cases) {
    std::string text = chain + std::string(few_steps) + how;
    const bool far = how.find("1.0e-4") != std::string::npos;
    if (far) text.replace(text.find("end: 2.0e-6, output: 5.0e-7"), 27, "end: 1.0e-4, output: 5.0e-5");
    const auto one = on_ranks(text, 1);
    EXPECT_EQ(one.report().status, "ok") << one.report().outcome.reason;
    EXPECT_TRUE(!far || one.report().layers > 66) << one.report().layers;
    for (const int ranks : {2, 3}) EXPECT_EQ(difference(one, on_ranks(text, ranks)), "") << ranks << how;
  }
}

TEST(WindowedRuns, MoreRanksThanParts) {
  const std::string text = std::string(chain) +
                           "simulate: {end: 1.0e-6, output: 5.0e-7}\npartition: {parts: 2}\n"
                           "couple: {scheme: explicit, decomposition: overlap}\n";
  EXPECT_EQ(difference(on_ranks(text, 1), on_ranks(text, 4)), "");
}

TEST(WindowedRuns, AutoMayDecideNotToCut) {
  const std::string text =
      std::string(chain) +
      "simulate: {end: 1.0e-6, output: 5.0e-7, record: coupling}\npartition: {parts: 400}\n";
  const auto one = on_ranks(text, 1), two = on_ranks(text, 2);
  EXPECT_EQ(one.report().scheme, "none");
  EXPECT_EQ(difference(one, two), "");
}

/// Fast bodies in the middle: placement by cost, and one-sided cuts keep their parts together.
TEST(WindowedRuns, PlacedByWhatTheirBodiesCost) {
  const std::string text = R"(
cosimo: 1
model:
  chain: {masses: 900, mass: {blocks: [{count: 300, value: 1.0e-3}, {count: 300, value: 1.0e-6},
                                       {count: 300, value: 1.0e-3}]},
          spring: {c: 1.0e5, d: 0.01}, initial: {v: {uniform: [-1, 1]}}, seed: 2}
simulate: {end: 2.0e-5, output: 5.0e-6}
partition: {parts: 9}
couple: {scheme: explicit, decomposition: overlap}
)";
  const auto one = on_ranks(text, 1), three = on_ranks(text, 3);
  EXPECT_EQ(difference(one, three), "");
  const auto& parts = three.report().subsystems;
  EXPECT_NE(three.report().choices.front().find("one-sided"), std::string::npos);
  // Three parts of nine are the dear ones: by numbers of bodies one rank would run them all.
  const auto ranks_of_dear = std::set<std::int64_t>{parts[3].rank, parts[4].rank, parts[5].rank};
  EXPECT_GT(ranks_of_dear.size(), 1u);
  EXPECT_EQ(parts[2].rank, parts[3].rank) << "across a one-sided cut";
}

/// A mass that only the last rank builds is wrong: all ranks hear of it, none waits for ever.
TEST(WindowedRuns, ABadMassOnOneRank) {
  config::Scenario scenario = config::parse_scenario(std::string(chain) + few_steps, "test.yaml");
  std::vector<double> mass(4000, 5e-5);
  mass[3700] = -1;
  scenario.chain.mass = mass;
  for (const int ranks : {1, 4}) {
    std::vector<std::string> told(static_cast<std::size_t>(ranks));
    run_ranks(ranks, [&](Exchange& exchange) {
      try {
        execute(scenario, {}, {.exchange = &exchange});
      } catch (const Error& error) {
        told[static_cast<std::size_t>(exchange.rank())] = error.what();
      }
    });
    for (const std::string& text : told)
      EXPECT_NE(text.find("the mass of body 3701 is not positive"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace cosimo
