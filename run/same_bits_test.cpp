// Promises 1 and 2: the same bits for any number of threads, and no trace of a step taken back.
#include <gtest/gtest.h>

#include "run/testing.hpp"

namespace cosimo::testing {
namespace {

std::string chain(const std::string& control, const std::string& solve) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 203, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}, seed: 7,
          loads: [{{impulse: {{bodies: {{beside_cuts_of: 7}}, sign: alternating, amplitude: 1.0e4, start: 2.0e-5,
                              duration: 1.0e-5, steepness: 1.0e-6}}}}]}}
partition: {{parts: 7}}
simulate: {{end: 6.0e-5, output: 7.0e-7}}
control: {{{}}}
solve: {{{}}}
)",
                     control, solve);
}

struct Case {
  const char* name;
  const char* control;
  const char* solve;
};

const Case cases[] = {
    {"exCVrk", "estimator: exCV, rtol: 1.0e-4", "method: rk"},
    {"exLErk", "estimator: exLE, rtol: 1.0e-4", "method: rk"},
    {"exMDrk", "estimator: exMD, rtol: 1.0e-4, order: {max: 4, strategy: conservative}", "method: rk"},
    {"exCVauto", "estimator: exCV, rtol: 1.0e-4", "method: auto"},
    {"exMDrosenbrock", "estimator: exMD, rtol: 1.0e-4", "method: rosenbrock"},
    {"exMDida", "estimator: exMD, rtol: 1.0e-4", "method: ida"},
    {"exCVidaklu", "estimator: exCV, rtol: 1.0e-4", "method: ida, linear: klu"},
    {"fixedrk", "step: 3.0e-7, order: 2", "method: rk"},
    {"fixedida", "step: 3.0e-7, order: 2", "method: ida, stop: exact"},
};

class SameBits : public ::testing::TestWithParam<Case> {};

Memory run(const Case& c, int threads, int rollback_every) {
  Bench bench(chain(c.control, c.solve), threads);
  bench.loop.rollback_every = rollback_every;
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  return std::move(bench.memory);
}

void expect_same(const Memory& a, const Memory& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.u, b.u);
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    EXPECT_EQ(a.steps[i].H, b.steps[i].H);
    EXPECT_EQ(a.steps[i].kappa, b.steps[i].kappa);
    EXPECT_EQ(a.steps[i].error, b.steps[i].error);
  }
}

TEST_P(SameBits, OneTwoAndThreeThreadsAgree) {
  const Memory one = run(GetParam(), 1, 0);
  ASSERT_GT(one.accepted(), 20u);
  expect_same(one, run(GetParam(), 2, 0));
  expect_same(one, run(GetParam(), 3, 0));
}

TEST_P(SameBits, EveryFifthStepTakenBackAndRepeatedLeavesNoTrace) {
  expect_same(run(GetParam(), 2, 0), run(GetParam(), 2, 5));
}

INSTANTIATE_TEST_SUITE_P(Runs, SameBits, ::testing::ValuesIn(cases),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace cosimo::testing
