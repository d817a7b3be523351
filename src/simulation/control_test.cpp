// Behaviour of whole controlled runs: order shares, events, the cut of Section 5.4, failure messages.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

TEST(Control, CuttingOneMassFurtherSavesMostMacroSteps) {
  // Published over 1 s: 2 941 675 -> 334 829 macro steps, a factor 8.8.
  std::size_t steps[2];
  for (const bool shift : {false, true}) {
    Bench bench(section_5_4(shift,
                            "simulate: {end: 5.0e-3, output: 1.0e-4, record: coupling}\n"
                            "control: {estimator: exCV, rtol: 1.0e-5, atol_u: 0.1}"));
    const LoopResult result = bench.run();
    ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
    steps[shift ? 1 : 0] = bench.memory.accepted();
  }
  const double ratio = static_cast<double>(steps[0]) / static_cast<double>(steps[1]);
  EXPECT_GT(ratio, 4.4) << steps[0] << " -> " << steps[1];
  EXPECT_LT(ratio, 17.6) << steps[0] << " -> " << steps[1];
}

/// Section 5.8 reduced: impulses on the bodies beside 4 cuts. Original partition cuts right there,
/// the repartitioned one half a part further.
Memory section_5_8(bool repartitioned) {
  Bench bench(fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 400, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}}, seed: 2,
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}},
          loads: [{{impulse: {{bodies: {{beside_cuts_of: 4}}, sign: alternating, amplitude: 1.0e6, start: 1.0e-4,
                              duration: 1.0e-3, steepness: 1.0e-6}}}}]}}
partition: {{method: manual, cuts: [{}]}}
simulate: {{end: 2.0e-4, output: 1.0e-6, record: coupling}}
control: {{estimator: exCV, rtol: 1.0e-5}}
)",
                          repartitioned ? "51, 151, 251, 351" : "101, 201, 301"));
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  return std::move(bench.memory);
}

int lowest_order(const Memory& m, double from, double to) {
  int lowest = 9;
  for (const StepRow& row : m.steps)
    if (row.accepted && row.t >= from && row.t < to) lowest = std::min(lowest, row.kappa);
  return lowest;
}

double smallest_step(const Memory& m, double from, double to) {
  double smallest = INFINITY;
  for (const StepRow& row : m.steps)
    if (row.accepted && row.t >= from && row.t < to) smallest = std::min(smallest, row.H);
  return smallest;
}

TEST(Control, RepartitionedModelKeepsItsOrderThroughTheImpulse) {
  const Memory original = section_5_8(false), moved = section_5_8(true);
  EXPECT_EQ(lowest_order(original, 9.0e-5, 1.1e-4), 0);
  EXPECT_GE(lowest_order(moved, 9.0e-5, 1.1e-4), 2);
  EXPECT_LT(smallest_step(original, 9.0e-5, 1.1e-4), 0.2 * smallest_step(moved, 9.0e-5, 1.1e-4));
}

TEST(Control, StepBelowTheMinimumNamesTimeCouplingAndRemedy) {
  Bench bench(two_masses(1,
                         "simulate: {end: 0.1}\ncontrol: {estimator: exCV, rtol: 1.0e-9, min_step: 1.0e-3, "
                         "first_step: 1.0e-2}"));
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::failed);
  EXPECT_NE(result.reason.find("t = "), std::string::npos);
  EXPECT_NE(result.reason.find("coupling 1"), std::string::npos) << result.reason;
  EXPECT_NE(result.reason.find("try"), std::string::npos);
}

TEST(Control, TooManyMacroStepsEndTheRunByTheNameOfTheLimit) {
  for (const char* control :
       {"estimator: exCV, max_steps: 7", "step: 1.0e-3, max_steps: 7}\ncouple: {scheme: explicit"}) {
    Bench bench(
        two_masses(1, std::string("simulate: {end: 0.1, output: macro}\ncontrol: {") + control + "}"));
    const LoopResult result = bench.run();
    EXPECT_EQ(result.status, LoopResult::Status::failed);
    EXPECT_NE(result.reason.find("control.max_steps"), std::string::npos) << result.reason;
    EXPECT_NE(result.reason.find("7"), std::string::npos) << result.reason;
    EXPECT_EQ(bench.memory.accepted(), 7u);
    EXPECT_GT(result.time, 0.0);
    EXPECT_LT(result.time, 0.1);
    EXPECT_EQ(bench.memory.time.back(), result.time);
  }
}

/// Section 5.8: light bodies in contact at one end force small micro steps upon the part that has them, not
/// upon the bulk.
TEST(Control, OnlyThePartWithContactsTakesItsSmallMicroSteps) {
  Bench bench(R"(cosimo: 1
model:
  chain: {masses: 325, mass: {blocks: [{count: 12, value: 5.0e-6}, {count: 313, value: 5.0e-5}]}, seed: 58,
          spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}, initial: {x: 0, v: {uniform: [-100, 100]}},
          loads: [{contact: {bodies: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], A: -1.0e-2, B: 5.0e5}}]}
partition: {method: manual, cuts: [26, 126, 226]}
simulate: {end: 3.0e-4, output: 1.0e-5, record: coupling}
control: {estimator: exMD, rtol: 1.0e-5}
)");
  const LoopResult result = bench.run();
  ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  const auto micro_steps = [&](std::size_t i) { return bench.lanes->lane(i).status().counters.steps; };
  ASSERT_EQ(bench.lanes->size(), 4u);
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_LT(3 * micro_steps(i), micro_steps(0)) << "subsystem " << i + 1 << ": " << micro_steps(i);
}

TEST(Control, DivergentFixedStepRunEndsWithAMessageAndKeepsWhatItHad) {
  Bench bench(two_masses(1, "simulate: {end: 50, output: macro}\ncontrol: {step: 2.0e-2, order: 3}"));
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::failed);
  EXPECT_GT(result.time, 0.0);
  EXPECT_LT(result.time, 50.0);
  EXPECT_FALSE(result.reason.empty());
  EXPECT_EQ(bench.memory.time.back(), result.time);
}

TEST(Control, FixedStepWithoutOrderLetsTheOrderFollowTheSolution) {
  // At this step degree 5 would diverge; the scaled derivatives say so.
  Bench bench(table_5_1(false,
                        "simulate: {end: 0.25, output: 1.0e-3}\ncontrol: {step: 1.0e-5}\n"
                        "couple: {scheme: explicit}\nsolve: {method: rk, rtol: 1.0e-8}"));
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  EXPECT_NEAR(bench.memory.position.back(), -0.15940, 1e-3);
  EXPECT_NEAR(bench.memory.steps.back().H, 1.0e-5, 1e-13);
}

TEST(Control, OutputTimesAreMetExactlyAndEndIsTheLastRow) {
  Bench bench(two_masses(1, "simulate: {end: 0.01, output: 3.0e-3}\ncontrol: {estimator: exMD}"));
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  const std::vector<double> expected{0.0, 3.0e-3, 6.0e-3, 3 * 3.0e-3, 0.01};
  EXPECT_EQ(bench.memory.time, expected);
}

TEST(Control, AnalyticSolutionOfTheLinearOscillatorIsMet) {
  // M1 by its modes: M x'' + K x = 0.
  Bench bench(two_masses(1,
                         "simulate: {end: 0.1, output: 1.0e-2}\ncontrol: {estimator: exMD, rtol: 1.0e-8}\n"
                         "solve: {rtol: 1.0e-11}"));
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  const double m1 = 2, m2 = 1, c1 = 1e5, cc = 5e3, c2 = 1e3;
  const double a = (c1 + cc) / m1, b = -cc / m1, c = -cc / m2, d = (c2 + cc) / m2;
  const double mean = 0.5 * (a + d), root = std::sqrt(0.25 * (a - d) * (a - d) + b * c);
  for (std::size_t row = 0; row < bench.memory.time.size(); ++row) {
    const double t = bench.memory.time[row];
    double x1 = 0;
    const double w2[] = {mean + root, mean - root};
    for (int k = 0; k < 2; ++k) {
      // Mode shape (1, r), modal coordinates from the initial state via the other mode's shape.
      const double r = (w2[k] - a) / b, other = (w2[1 - k] - a) / b, w = std::sqrt(w2[k]);
      const double q0 = (0.0 - other * -2.0) / (r - other), p0 = (-200.0 - other * 100.0) / (r - other);
      x1 += q0 * std::cos(w * t) + p0 / w * std::sin(w * t);
    }
    EXPECT_NEAR(bench.memory.position[2 * row], x1, 1e-4) << "t = " << t;
  }
}

}  // namespace
}  // namespace cosimo::testing
