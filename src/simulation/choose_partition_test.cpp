// A scenario without `partition:`: whole, or cut where regions need steps of very different length.
#include "simulation/choose_partition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulation/ranks_testing.hpp"
#include "simulation/same_bits.hpp"

namespace cosimo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Light masses in the middle of a chain of heavy ones.
std::string chain(int masses, const std::string& light, const std::string& rest = "") {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: {0}, spring: {{c: 1.0e6, d: 1}}, seed: 7, initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}}},
          mass: {{blocks: [{{count: {1}, value: 1}}, {{count: 6, value: {2}}}, {{count: {3}, value: 1}}]}}}}
simulate: {{end: 5.0e-3, output: 1.0e-3}}
{4}
)",
                     masses, masses / 2 - 3, light, masses - masses / 2 - 3, rest);
}

std::string chosen(const std::string& text) {
  return assemble(config::parse_scenario(text, "test"))->choices.front();
}

TEST(WithoutPartition, CutsWhereStepsDiffer) {
  const auto assembly = assemble(config::parse_scenario(chain(3000, "1.0e-4"), "test"));
  EXPECT_GT(assembly->components(), 2U);
  EXPECT_TRUE(assembly->plan.overlap);
  EXPECT_THAT(assembly->choices.front(), StartsWith("partition: auto -> "));
  EXPECT_THAT(assembly->choices.front(), HasSubstr("of the work"));
  // The light masses have a part of their own, with a few heavy ones.
  std::size_t smallest = 3000;
  for (const Part& part : assembly->partition.parts) smallest = std::min(smallest, part.bodies.size());
  EXPECT_LT(smallest, 40U);
}

TEST(WithoutPartition, IsWholeWhereNothingIsGained) {
  for (const std::string& text :
       {chain(3000, "1"), chain(3000, "0.3"),
        std::string("cosimo: 1\nmodel: {lattice: {size: [60, 60], mass: 1, spring: {c: 1}}}\n"
                    "simulate: {end: 1, output: 1}\n")})
    EXPECT_EQ(chosen(text), "partition: auto -> whole: no region needs far shorter steps than the rest");
  EXPECT_THAT(chosen(chain(40, "1.0e-4")), HasSubstr("-> whole: some bodies need")) << "too small";
  EXPECT_THAT(chosen(chain(3000, "1.0e-4", "couple: {decomposition: force-force}")),
              HasSubstr("-> whole: what the file says of cuts"));
  EXPECT_THAT(chosen(chain(3000, "1.0e-4", "solve: {method: rosenbrock}")), HasSubstr("-> whole"));
}

TEST(WithoutPartition, WholeGivesTheBitsOfNone) {
  const std::string text = chain(200, "1");
  expect_same(outcome_of(text, 1, 0), outcome_of(text + "partition: none\n", 1, 0));
}

TEST(WithoutPartition, ThreadsChangeNothing) {
  const std::string text = chain(3000, "1.0e-4");
  const Outcome one = outcome_of(text, 1, 0);
  expect_same(one, outcome_of(text, 3, 0));
  EXPECT_GT(one.micro_steps.size(), 2U) << "it is cut";
}

TEST(WithoutPartition, CutsSaveWorkAndKeepTheAccuracy) {
  const std::string text = chain(3000, "1.0e-4");
  const auto run = [&](std::vector<std::string> settings) {
    auto bench = std::make_unique<Bench>(text, 1, TestHooks{}, settings);
    EXPECT_EQ(bench->run().status, LoopResult::Status::ok);
    return bench;
  };
  const auto open = run({}), whole = run({"partition=none"}),
             tight = run({"partition=none", "solve.rtol=1e-10"});
  const auto work = [](Bench& bench) {
    double sum = 0;
    for (std::size_t i = 0; i < bench.lanes->size(); ++i) sum += bench.lanes->lane(i).work();
    return sum;
  };
  EXPECT_LT(3 * work(*open), work(*whole));
  const Deviation ours = deviation(open->memory, tight->memory),
                  theirs = deviation(whole->memory, tight->memory);
  EXPECT_LT(ours.position, std::max(3 * theirs.position, 1e-5));
  EXPECT_LT(ours.velocity, std::max(3 * theirs.velocity, 1e-5));
}

TEST(WithoutPartition, SeveralRanksCutAsPartsAuto) {
  const std::string open = chain(2000, "1");
  const RanksRun two = on_ranks(open, 2), three = on_ranks(open, 3);
  EXPECT_EQ(difference(two, three), "");
  EXPECT_EQ(difference(two.results, on_ranks(open + "partition: {parts: auto}\n", 1).results), "");
  EXPECT_EQ(two.report().parts, 2);
  EXPECT_EQ(two.report().choices.front(),
            "partition: auto -> 2 parts of about 1000 bodies: ranks cannot share a step");
  EXPECT_EQ(on_ranks(open + "partition: none\n", 2).report().parts, 1);
}

}  // namespace
}  // namespace cosimo::testing
