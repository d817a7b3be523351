// Promises 1 and 2: the same bits for any number of threads, and no trace of a step taken back.
#include <gtest/gtest.h>

#include "simulation/same_bits.hpp"

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

/// Bodies pressed against stiff walls, as in Section 5.8: `auto` leaves rk there and comes back.
std::string contacts(const std::string& control, const std::string& solve) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 60, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: 0, v: {{uniform: [-100, 100]}}}}, seed: 58,
          loads: [{{contact: {{bodies: [3, 5, 7, 30, 55, 58], A: -1.0e-2, B: 5.0e5}}}}]}}
partition: {{parts: 3}}
simulate: {{end: 1.0e-4, output: 7.0e-7}}
control: {{{}}}
solve: {{{}}}
)",
                     control, solve);
}

struct Case {
  const char* name;
  const char* control;
  const char* solve;
  bool switches = false;  ///< run the model with contacts, and `auto` must have changed its method
};

const Case cases[] = {
    {"exCVrk", "estimator: exCV, rtol: 1.0e-4", "method: rk"},
    {"exLErk", "estimator: exLE, rtol: 1.0e-4", "method: rk"},
    {"exMDrk", "estimator: exMD, rtol: 1.0e-4, order: {max: 4, strategy: conservative}", "method: rk"},
    {"exCVauto", "estimator: exCV, rtol: 1.0e-4", "method: auto"},
    {"exCVautoswitching", "estimator: exCV, rtol: 1.0e-4", "method: auto", true},
    {"exMDautoswitching", "estimator: exMD, rtol: 1.0e-4", "method: auto", true},
    {"exMDrosenbrock", "estimator: exMD, rtol: 1.0e-4", "method: rosenbrock"},
    {"exMDida", "estimator: exMD, rtol: 1.0e-4", "method: ida"},
    {"exCVidaklu", "estimator: exCV, rtol: 1.0e-4", "method: ida, linear: klu"},
    {"fixedrk", "step: 3.0e-7, order: 2", "method: rk"},
    {"fixedida", "step: 3.0e-7, order: 2", "method: ida, stop: exact"},
};

class SameBits : public ::testing::TestWithParam<Case> {};

Outcome run(const Case& c, int threads, int rollback_every) {
  return outcome_of(c.switches ? contacts(c.control, c.solve) : chain(c.control, c.solve), threads,
                    rollback_every);
}

/// Every part has contacts, so every part has to change its method.
void expect_switches(const Case& c, const Outcome& outcome) {
  if (!c.switches) return;
  for (std::size_t i = 0; i < outcome.switches.size(); ++i)
    EXPECT_GT(outcome.switches[i], 0) << "subsystem " << i + 1;
}

TEST_P(SameBits, OneTwoAndThreeThreadsAgree) {
  const Outcome one = run(GetParam(), 1, 0);
  ASSERT_GT(one.memory.accepted(), 20u);
  expect_switches(GetParam(), one);
  expect_same(one, run(GetParam(), 2, 0));
  expect_same(one, run(GetParam(), 3, 0));
}

TEST_P(SameBits, EveryFifthStepTakenBackAndRepeatedLeavesNoTrace) {
  const Outcome straight = run(GetParam(), 2, 0);
  expect_switches(GetParam(), straight);
  expect_same(straight, run(GetParam(), 2, 5));
}

INSTANTIATE_TEST_SUITE_P(Runs, SameBits, ::testing::ValuesIn(cases),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace cosimo::testing
