// Promises 1 and 2 for every scheme, Jacobian, decomposition and predictor: the same bits for any number of
// threads, and no trace of a step taken back.
#include <gtest/gtest.h>

#include "simulation/same_bits.hpp"

namespace cosimo::testing {
namespace {

std::string chain(const std::string& couple, const std::string& control, const std::string& solve) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 33, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}, seed: 7,
          loads: [{{impulse: {{bodies: {{beside_cuts_of: 5}}, sign: alternating, amplitude: 1.0e4, start: 1.0e-5,
                              duration: 5.0e-6, steepness: 1.0e-6}}}}]}}
partition: {{parts: 5}}
simulate: {{end: 3.0e-5, output: 7.0e-7}}
couple: {{{}}}
control: {{{}}}
solve: {{{}}}
)",
                     couple, control, solve);
}

struct Case {
  const char* name;
  const char* couple;
  const char* control;
  const char* solve = "method: rk";
};

constexpr const char* fixed = "step: 5.0e-7, order: 2";
constexpr const char* imCV = "estimator: imCV, rtol: 1.0e-3";
constexpr const char* imMD = "estimator: imMD, rtol: 1.0e-3";
constexpr const char* waCV = "estimator: waCV, rtol: 1.0e-3";
constexpr const char* exCV = "estimator: exCV, rtol: 1.0e-3";

const Case cases[] = {
    {"fd", "scheme: implicit, jacobian: fd", imCV},
    {"fdFixedIda", "scheme: implicit, jacobian: fd, refresh: always", fixed, "method: ida"},
    {"sap", "scheme: implicit, jacobian: sap", imMD, "method: rosenbrock"},
    {"series2", "scheme: implicit, jacobian: {series: 2}, refresh: always", imCV, "method: auto"},
    {"rkJacobian", "scheme: implicit, jacobian: rk", imMD},
    {"rkJacobianIda", "scheme: implicit, jacobian: rk, refresh: always", imCV, "method: ida"},
    {"sensitivity", "scheme: implicit, jacobian: sensitivity", imCV},
    {"sensitivityAlways", "scheme: implicit, jacobian: sensitivity, refresh: always", imMD},
    {"sensitivityRosenbrock", "scheme: implicit, jacobian: sensitivity", imMD, "method: rosenbrock"},
    {"sensitivityAuto", "scheme: implicit, jacobian: sensitivity", imCV, "method: auto"},
    {"sensitivityIda", "scheme: implicit, jacobian: sensitivity", imCV, "method: ida"},
    {"sensitivityFixed", "scheme: implicit, jacobian: sensitivity", fixed},
    {"semiImplicit", "scheme: semi-implicit", imCV},
    {"semiImplicitFdFixed", "scheme: semi-implicit, jacobian: fd", fixed},
    {"waveform", "scheme: waveform, relaxation: 0.3", waCV},
    {"waveformFixedIda", "scheme: waveform", fixed, "method: ida"},
    {"waveformGaussSeidel", "scheme: waveform, sequence: gauss-seidel, relaxation: 0.1", waCV},
    {"waveformStates", "scheme: waveform", imMD, "method: rosenbrock"},
    {"gaussSeidel", "scheme: explicit, sequence: gauss-seidel", exCV},
    {"gaussSeidelOrdered", "scheme: explicit, sequence: {gauss-seidel: [3, 1, 5, 4, 2]}", fixed},
    {"gaussSeidelExLE", "scheme: explicit, sequence: gauss-seidel", "estimator: exLE, rtol: 1.0e-3"},
    {"forceDisplacement", "scheme: explicit, decomposition: force-displacement", exCV},
    {"forceDisplacementNoUpdate",
     "scheme: explicit, update: none, decomposition: {kind: force-displacement, displaced: first}",
     "step: 1.0e-7, order: 1"},
    {"bothDisplaced", "scheme: implicit, decomposition: displacement-displacement", imCV},
    {"bothDisplacedFd", "scheme: implicit, jacobian: fd, decomposition: displacement-displacement", imMD},
    {"mixed",
     "scheme: implicit, decomposition: [{cut: 8, kind: force-displacement}, {cut: 15, kind: "
     "force-displacement, displaced: first}, {cut: 28, kind: displacement-displacement}]",
     imCV},
    {"mixedWaveform",
     "scheme: waveform, sequence: gauss-seidel, decomposition: [{cut: 8, kind: force-displacement}, {cut: "
     "15, "
     "kind: displacement-displacement}]",
     waCV},
    {"acc", "scheme: explicit, predictor: {acc: {degree: 1}}", "estimator: exLE, rtol: 1.0e-3"},
    {"accWhole", "scheme: explicit, sequence: gauss-seidel, predictor: {acc: {degree: 1, course: whole}}",
     "step: 5.0e-7"},
    {"accNoUpdate", "scheme: explicit, predictor: {acc: {degree: 0, update: none}}", "step: 1.0e-7"},
    {"accrel", "scheme: explicit, predictor: {accrel: {degree: 1, omega: 0.16666666666666667}}",
     "estimator: exCV, rtol: 1.0e-3, order: 1"},
    {"accrelNoUpdate",
     "scheme: explicit, sequence: gauss-seidel, predictor: {accrel: {degree: 0, omega: 0.5, update: none}}",
     "step: 1.0e-7, order: 0"},
};

class SchemeSameBits : public ::testing::TestWithParam<Case> {
 protected:
  static Outcome run(int threads, int rollback_every) {
    const Case& c = GetParam();
    return outcome_of(chain(c.couple, c.control, c.solve), threads, rollback_every);
  }
  static void expect_same_iterations(const Outcome& a, const Outcome& b) {
    expect_same(a, b);
    ASSERT_EQ(a.memory.steps.size(), b.memory.steps.size());
    for (std::size_t i = 0; i < a.memory.steps.size(); ++i)
      EXPECT_EQ(a.memory.steps[i].iterations, b.memory.steps[i].iterations);
  }
};

TEST_P(SchemeSameBits, OneTwoAndThreeThreadsAgree) {
  const Outcome one = run(1, 0);
  ASSERT_GT(one.memory.accepted(), 20u);
  expect_same_iterations(one, run(2, 0));
  expect_same_iterations(one, run(3, 0));
}

TEST_P(SchemeSameBits, EveryFifthStepTakenBackAndRepeatedLeavesNoTrace) {
  expect_same_iterations(run(2, 0), run(2, 5));
}

INSTANTIATE_TEST_SUITE_P(Runs, SchemeSameBits, ::testing::ValuesIn(cases),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace cosimo::testing
