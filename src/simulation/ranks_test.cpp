// Promise 3: whole runs give the same bits on any number of ranks times threads, also on more ranks than
// parts and with steps taken back. Ranks are threads of this process.
#include <gtest/gtest.h>

#include <ostream>

#include "simulation/ranks_testing.hpp"
#include "simulation/train_testing.hpp"

namespace cosimo::testing {
namespace {

/// A violent start, and impulses beside the cuts: steps are rejected.
std::string chain(const std::string& rest, const std::string& partition = "partition: {parts: 5}") {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 33, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}, seed: 7,
          loads: [{{impulse: {{bodies: {{beside_cuts_of: 5}}, sign: alternating, amplitude: 1.0e4, start: 1.0e-5,
                              duration: 5.0e-6, steepness: 1.0e-6}}}}]}}
{}
simulate: {{end: 3.0e-5, output: 7.0e-7}}
{}
)",
                     partition, rest);
}

std::string long_chain(const std::string& rest, const std::string& output = "7.0e-7") {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 160, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}, seed: 58}}
partition: {{parts: 6}}
simulate: {{end: 4.0e-5, output: {}}}
{}
)",
                     output, rest);
}

/// Cut by METIS: parts with several neighbours, columns of a part not side by side.
std::string lattice(const std::string& rest, const std::string& record = "all") {
  return fmt::format(R"(cosimo: 1
model:
  lattice: {{size: [36, 4], mass: 1, spring: {{c: 1, d: 0.02, C: 0.5}},
            initial: {{x: {{uniform: [-1, 1]}}, v: {{uniform: [-1, 1]}}}}, seed: 6}}
partition: {{parts: 6}}
simulate: {{end: 2, output: 0.25, record: {}}}
solve: {{method: rk, rtol: 1.0e-6}}
{}
)",
                     record, rest);
}

/// Bodies of several coordinates, constraints inside the parts, bushings between them.
std::string rods(const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  pendulum: {{links: 12, length: 0.2, mass: 0.3, body: rod, joint: revolute, angle: 0.4,
             compliant: {{every: 2, stiffness: 2.0e3, damping: 2}}}}
partition: {{parts: 4}}
simulate: {{end: 0.03, output: 0.002}}
{}
)",
                     rest);
}

struct Case {
  const char* name;
  std::string text;
  bool rejects = false;  ///< steps must have been
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

std::string couple(const std::string& coupling, const std::string& control,
                   const std::string& solve = "method: rk") {
  return fmt::format("couple: {{{}}}\ncontrol: {{{}}}\nsolve: {{{}}}", coupling, control, solve);
}
const std::string fixed = "step: 5.0e-7, order: 2", overlap = "couple: {decomposition: overlap}\n";
/// The first step is too long: some are taken back.
std::string controlled(const char* estimator) {
  return fmt::format("estimator: {}, rtol: 1.0e-3, first_step: 4.0e-6", estimator);
}
const std::string exCV = controlled("exCV"), exMD = controlled("exMD"), exLE = controlled("exLE"),
                  imCV = controlled("imCV"), imMD = controlled("imMD"), waCV = controlled("waCV");

const Case cases[] = {
    {"Overlap", long_chain(overlap)},
    {"OverlapRejects", long_chain(overlap + "control: {first_step: 5.0e-6}\n"), true},
    {"OverlapFixed", long_chain("couple: {decomposition: overlap, layers: 9}\ncontrol: {step: 1.0e-6}\n")},
    {"OverlapEveryPoint", long_chain(overlap + "control: {rtol: 1.0e-3}\n", "macro")},
    {"ExplicitCV", chain(couple("scheme: explicit", exCV)), true},
    {"ExplicitMD", chain(couple("scheme: explicit", exMD)), true},
    {"ExplicitLE", chain(couple("scheme: explicit", exLE, "method: auto")), true},
    {"ExplicitFixed", chain(couple("scheme: explicit", "step: 2.0e-7, order: 2"))},
    {"GaussSeidel", chain(couple("scheme: explicit, sequence: gauss-seidel", exCV)), true},
    {"GaussSeidelOrdered",
     chain(couple("scheme: explicit, sequence: {gauss-seidel: [3, 1, 5, 4, 2]}", fixed))},
    {"ForceDisplacement", chain(couple("scheme: explicit, decomposition: force-displacement", exCV)), true},
    {"Acc", chain(couple("scheme: explicit, predictor: {acc: {degree: 1}}", exLE)), true},
    {"AccWhole",
     chain(couple("scheme: explicit, sequence: gauss-seidel, predictor: {acc: {degree: 1, course: whole}}",
                  "step: 5.0e-7"))},
    {"Accrel", chain(couple("scheme: explicit, predictor: {accrel: {degree: 1, omega: 0.16666666666666667}}",
                            "estimator: exCV, rtol: 1.0e-3, order: 1"))},
    {"ImplicitFd", chain(couple("scheme: implicit, jacobian: fd", imCV)), true},
    {"ImplicitSensitivity", chain(couple("scheme: implicit, jacobian: sensitivity", imMD)), true},
    {"ImplicitSap", chain(couple("scheme: implicit, jacobian: sap", imMD, "method: rosenbrock"))},
    {"ImplicitFdFixed", chain(couple("scheme: implicit, jacobian: fd, refresh: always", fixed))},
    {"ImplicitMixed",
     chain(couple("scheme: implicit, decomposition: [{cut: 8, kind: force-displacement}, {cut: 15, kind: "
                  "force-displacement, displaced: first}, {cut: 28, kind: displacement-displacement}]",
                  imCV))},
    {"SemiImplicit", chain(couple("scheme: semi-implicit", imCV))},
    {"SemiImplicitFdFixed", chain(couple("scheme: semi-implicit, jacobian: fd", fixed))},
    {"Waveform", chain(couple("scheme: waveform, relaxation: 0.3", waCV)), true},
    {"WaveformForceDisplacement", chain(couple("scheme: waveform, decomposition: force-displacement", waCV))},
    {"WaveformMixedGaussSeidel",
     chain(couple(
         "scheme: waveform, sequence: gauss-seidel, decomposition: [{cut: 8, kind: force-displacement}, "
         "{cut: 15, kind: displacement-displacement}]",
         waCV))},
    {"GaussSeidelNoUpdate",
     chain(couple(
         "scheme: explicit, sequence: gauss-seidel, update: none, decomposition: {kind: force-displacement, "
         "displaced: first}",
         "step: 1.0e-7, order: 1"))},
    {"WaveformFixed", chain(couple("scheme: waveform", fixed))},
    {"WaveformGaussSeidel", chain(couple("scheme: waveform, sequence: gauss-seidel, relaxation: 0.1", waCV))},
    {"LatticeOverlap", lattice(overlap)},
    {"LatticeExplicit", lattice("couple: {scheme: explicit}\ncontrol: {estimator: exMD, rtol: 1.0e-4}\n")},
    {"LatticeExplicitFixed", lattice("couple: {scheme: explicit}\ncontrol: {step: 0.02, order: 2}\n")},
    {"LatticeImplicit",
     lattice("couple: {scheme: implicit, jacobian: sap}\ncontrol: {estimator: imMD, rtol: 1.0e-4}\n")},
    {"LatticeWaveform", lattice("couple: {scheme: waveform}\ncontrol: {estimator: waCV, rtol: 1.0e-3}\n")},
    {"LatticeRecordsSome",
     lattice("couple: {scheme: explicit}\ncontrol: {step: 0.02, order: 2}\n", "[1, 2, 3, 70, 100]")},
    {"LatticeRecordsCoupling", lattice("couple: {decomposition: overlap}\n", "coupling")},
    {"RodsOverlap", rods("couple: {decomposition: overlap, layers: 2}\n")},
    {"TrainOverlap", train(40, "partition: {parts: 5}\ncouple: {decomposition: overlap, layers: 3}\n")},
    {"RodsExplicit", rods("couple: {scheme: explicit}\ncontrol: {estimator: exCV, rtol: 1.0e-3}\n")},
    {"RodsImplicit", rods("couple: {scheme: implicit}\ncontrol: {estimator: imCV, rtol: 1.0e-3}\n")},
    {"RodsWaveform", rods("couple: {scheme: waveform}\ncontrol: {step: 5.0e-4, order: 2}\n")},
    {"Automatic", chain("")},
    {"Uncut", chain("", "partition: none")},
};

class Ranks : public ::testing::TestWithParam<Case> {};

TEST_P(Ranks, OneToFourTimesOneAndTwoThreadsAgree) {
  const RanksRun one = on_ranks(GetParam().text, 1);
  ASSERT_EQ(one.report().status, "ok") << one.report().outcome.reason;
  if (one.report().parts > 1) {
    ASSERT_GT(one.report().macro_steps, 5);
  }
  if (GetParam().rejects) {
    ASSERT_GT(one.report().rejected_steps, 0);
  }
  for (int ranks = 1; ranks <= 4; ++ranks)
    for (const int threads : {1, 2}) {
      const RanksRun run = on_ranks(GetParam().text, ranks, {.threads = threads});
      ASSERT_EQ(difference(one, run), "") << ranks << " ranks of " << threads << " threads";
      EXPECT_EQ(run.report().ranks, ranks);
    }
}

TEST_P(Ranks, MoreThanThereArePartsChangeNothing) {
  const RanksRun one = on_ranks(GetParam().text, 1);
  ASSERT_EQ(difference(one, on_ranks(GetParam().text, 8)), "");
}

/// Rows too wide to be held by one rank go to the file in blocks.
TEST(RanksOfAWideModel, WriteRowsInBlocks) {
  const std::string text = R"(cosimo: 1
model:
  chain: {masses: 140000, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25}, initial: {x: 0, v: {uniform: [-100, 100]}}, seed: 3}
partition: {parts: 4}
simulate: {end: 4.0e-7, output: 1.0e-7}
couple: {scheme: explicit}
control: {step: 1.0e-7, order: 1}
solve: {method: rk}
)";
  const RanksRun one = on_ranks(text, 1);
  ASSERT_EQ(one.report().status, "ok") << one.report().outcome.reason;
  for (const int ranks : {2, 5}) EXPECT_EQ(difference(one, on_ranks(text, ranks)), "") << ranks << " ranks";
}

INSTANTIATE_TEST_SUITE_P(Runs, Ranks, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace cosimo::testing
