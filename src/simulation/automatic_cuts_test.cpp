// What cutting by cost is worth in runs, against the cuts of the documents.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

std::size_t macro_steps(const std::string& text, std::span<const std::string> settings = {}) {
  Bench bench(text, 1, {}, settings);
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  return bench.memory.accepted();
}

/// Section 5.4, second model: exCV, force/force, rtol 1e-5, atol_u 0.1; the first hundredth of the second.
TEST(AutomaticCuts, NeedNoMoreMacroStepsThanTheImprovedCutOf54) {
  const std::string rest =
      "simulate: {end: 0.01, output: 1.0e-3}\n"
      "couple: {scheme: explicit, decomposition: force-force}\n"
      "control: {estimator: exCV, rtol: 1.0e-5, atol_u: 0.1}\n";
  const std::vector<std::string> automatic{"partition={method: auto, parts: 11}"};
  const std::size_t first = macro_steps(section_5_4(false, rest)),
                    improved = macro_steps(section_5_4(true, rest)),
                    own = macro_steps(section_5_4(false, rest), automatic);
  EXPECT_LE(own, improved);
  EXPECT_GE(first, 5 * own);
}

/// Work of the busiest subsystem: bodies times evaluations, contacts in a few of 1000 masses at each end
/// (5.8).
double critical_work(const std::string& partition) {
  const std::string text = R"(cosimo: 1
model:
  chain: {masses: 1000, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}, seed: 58,
          initial: {v: {uniform: [-100, 100]}},
          loads: [{contact: {bodies: [3, 5, 7, 994, 996, 999], A: -1.0e-2, B: 5.0e5}},
                  {harmonic: {bodies: [3, 5, 7, 994, 996, 999], amplitude: 2.0e4, omega: 0, phase: 1.5707963267948966}}]}
simulate: {end: 5.0e-5, output: 1.0e-5}
couple: {scheme: explicit, decomposition: force-force}
control: {estimator: exCV, rtol: 1.0e-4}
partition: )" + partition + "\n";
  Bench bench(text);
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  double most = 0;
  for (std::size_t i = 0; i < bench.lanes->size(); ++i) most = std::max(most, bench.lanes->lane(i).work());
  return most;
}

TEST(AutomaticCuts, PutStiffContactsIntoSmallSubsystems) {
  EXPECT_LT(3 * critical_work("{method: auto, parts: 5}"), critical_work("{method: equal, parts: 5}"));
}

}  // namespace
}  // namespace cosimo::testing
