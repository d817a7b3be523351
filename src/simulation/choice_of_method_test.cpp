// `method: auto` on lattices, where an implicit attempt costs many explicit ones (integrator/stiffness.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

Counters counters_of(int width, double damping, const char* rtol) {
  Bench bench(fmt::format(R"(cosimo: 1
model:
  lattice: {{size: [{0}, {0}], mass: 1, spring: {{c: 1, d: {1}}},
            initial: {{x: {{uniform: [-1, 1]}}, v: {{uniform: [-1, 1]}}}}, seed: 6}}
simulate: {{end: 100, output: 10}}
solve: {{rtol: {2}}}
)",
                          width, damping, rtol));
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  return bench.lanes->lane(0).status().counters;
}

/// rk runs at its limit of stability, which is as long as accuracy allows: no matrix is worth its cost.
TEST(ChoiceOfMethod, ALatticeThatOnlySwingsIsNotFactorised) {
  const Counters counters = counters_of(40, 0.02, "1.0e-2");
  EXPECT_LT(counters.steps, 300);
  EXPECT_EQ(counters.factorizations, 0);
}

/// What rk stirs up at its limit must die down before the implicit method takes long steps, which takes more
/// than three of them. With rk alone it takes 480 000 steps.
TEST(ChoiceOfMethod, AStiffLatticeIsLeftToTheImplicitMethod) {
  const Counters counters = counters_of(30, 2000, "1.0e-6");
  EXPECT_LT(counters.steps, 5000);
  EXPECT_GT(counters.factorizations, 100);
}

}  // namespace
}  // namespace cosimo::testing
