// Overlaps of parts with many cuts: the copies last, and lasting copies are as accurate.
#include <gtest/gtest.h>

#include "simulation/same_bits.hpp"

namespace cosimo::testing {
namespace {

std::string lattice(const std::string& size, const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  lattice: {{size: [{}], mass: 0.01, spring: {{c: 1.0e4, d: 0.05, C: 1.0e3}}, seed: 3,
            initial: {{v: {{uniform: [-1, 1]}}}}}}
simulate: {{end: 2.0e-2, output: 2.0e-3}}
solve: {{method: rk}}
{}
)",
                     size, rest);
}

/// Every one of some hundred cuts asks for its own layers, and one of them always for more than the last
/// time. New copies are new equations, which cost more than the steps that they would save.
TEST(OverlapsOfLattices, CopiesLast) {
  Bench bench(lattice("10, 10, 10", "partition: {parts: 8}\ncouple: {decomposition: overlap}\n"));
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  const std::size_t steps = bench.memory.accepted(), cuts = bench.memory.layers.size() / steps;
  ASSERT_GT(steps, 100U);
  ASSERT_GT(cuts, 300U);
  std::size_t changed = 0;
  for (std::size_t i = cuts; i < bench.memory.layers.size(); ++i)
    changed += bench.memory.layers[i] != bench.memory.layers[i - cuts] ? 1 : 0;
  EXPECT_LT(changed, cuts * steps / 40);
}

TEST(OverlapsOfLattices, AreAsAccurateAsTheWhole) {
  for (const char* size : {"24, 24", "8, 8, 8"}) {
    const auto run = [&](const std::string& rest) {
      auto bench = std::make_unique<Bench>(lattice(size, rest));
      EXPECT_EQ(bench->run().status, LoopResult::Status::ok);
      return bench;
    };
    const auto cut = run("partition: {parts: 4}\ncouple: {decomposition: overlap}\n"),
               whole = run("partition: none\n");
    Bench tight(lattice(size, "partition: none\n"), 1, {}, std::vector<std::string>{"solve.rtol=1e-10"});
    EXPECT_EQ(tight.run().status, LoopResult::Status::ok);
    const Deviation ours = deviation(cut->memory, tight.memory),
                    theirs = deviation(whole->memory, tight.memory);
    EXPECT_LT(ours.position, 3 * theirs.position) << size;
    EXPECT_LT(ours.velocity, 3 * theirs.velocity) << size;
  }
}

TEST(OverlapsOfLattices, GiveTheSameBits) {
  const std::string text = lattice("9, 9, 9", "partition: {parts: 6}\ncouple: {decomposition: overlap}\n");
  const Outcome one = outcome_of(text, 1, 0);
  expect_same(one, outcome_of(text, 3, 0));
  expect_same(one, outcome_of(text, 2, 3));
}

}  // namespace
}  // namespace cosimo::testing
