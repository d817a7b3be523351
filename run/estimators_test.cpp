// Section 5.2: estimators on the two-mass oscillators M1 to M3, and Section 5.3.
#include <gtest/gtest.h>

#include <cmath>

#include "run/testing.hpp"

namespace cosimo::testing {
namespace {

constexpr const char* tight =
    "solve: {method: rosenbrock, rtol: 1.0e-11, atol_pos: 1.0e-12, atol_vel: 1.0e-10}";

struct Pair {
  double estimated, real;
};

/// Share of the steps with an error above a tenth of its maximum that are estimated within a factor 2.
double good_share(const std::vector<Pair>& pairs) {
  double most = 0;
  for (const Pair& p : pairs) most = std::max(most, p.real);
  double counted = 0, good = 0;
  for (const Pair& p : pairs) {
    if (p.real < 0.1 * most) continue;
    counted += 1;
    good += p.estimated >= 0.5 * p.real && p.estimated <= 2 * p.real;
  }
  EXPECT_GE(counted, 10);
  return good / counted;
}

/// Estimated and real local errors of all monitored variables over a run with fixed H, kappa 2. After a
/// bounce of mass 1 (M3) the steps that still ring from it, or from the start, are left out for exLE and
/// exMD: they cannot see a contact that happens inside the step (5.2, and the test of the delay below).
std::vector<std::vector<Pair>> estimates(int model, const std::string& estimator, double H, double end) {
  Bench bench(two_masses(model, fmt::format("simulate: {{end: {}, output: macro, local_error: true}}\n"
                                            "control: {{step: {}, {}}}\n{}",
                                            end, H, section_5_2(estimator), tight)));
  const bool coupling = estimator == "exCV";
  std::vector<std::vector<Pair>> all(coupling ? 1 : 4);
  int step = 0, since_bounce = 0;
  double last_v = 0;
  bench.memory.on_step = [&] {
    const auto& s = bench.classic();
    const double v = s.point().y.from_v[0];
    since_bounce = model == 3 && last_v > 0 && v < 0 ? 0 : since_bounce + 1;
    last_v = v;
    if (++step < 20) return;  // the start of Listing 5.1 uses other steps and orders
    if (coupling) {
      all[0].push_back({s.estimated_coupling()[0], std::fabs(bench.local->coupling_error()[0])});
      return;
    }
    if (model == 3 && since_bounce < 40) return;
    const CutStates& e = s.estimated_states();
    const double estimated[] = {e.from_x[0], e.to_x[0], e.from_v[0], e.to_v[0]};
    const auto pos = bench.local->position_error(), vel = bench.local->velocity_error();
    const double real[] = {pos[0], pos[1], vel[0], vel[1]};
    for (std::size_t i = 0; i < 4; ++i) all[i].push_back({estimated[i], std::fabs(real[i])});
  };
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  return all;
}

struct Case {
  int model;
  const char* estimator;
  double H, end;
};

class EstimatorQuality : public ::testing::TestWithParam<Case> {};

TEST_P(EstimatorQuality, WithinAFactorTwoOfTheTrueLocalError) {
  const Case c = GetParam();
  for (const auto& variable : estimates(c.model, c.estimator, c.H, c.end))
    EXPECT_GE(good_share(variable), 0.9);
}

// The steps of Section 5.2, except M2 with exLE and exMD: see the next test.
INSTANTIATE_TEST_SUITE_P(
    TwoMasses, EstimatorQuality,
    ::testing::Values(Case{1, "exLE", 5e-4, 0.3}, Case{1, "exMD", 5e-4, 0.3}, Case{1, "exCV", 5e-4, 0.3},
                      Case{2, "exLE", 1e-4, 0.3}, Case{2, "exMD", 1e-4, 0.3}, Case{2, "exCV", 5e-4, 0.3},
                      Case{3, "exLE", 1e-4, 0.2}, Case{3, "exMD", 1e-4, 0.2}, Case{3, "exCV", 1e-4, 0.2}),
    [](const auto& test) { return fmt::format("M{}{}", test.param.model, test.param.estimator); });

TEST(Estimators, PeaksOfM2AreUnderestimatedByStateEstimatorsAtThePublishedStep) {
  // 5.2: "certain peaks in the local error are underestimated"; exCV sees them.
  for (const char* estimator : {"exLE", "exMD"}) {
    const double share = good_share(estimates(2, estimator, 5e-4, 0.3)[2]);
    EXPECT_LT(share, 0.9) << estimator;
    EXPECT_GT(share, 0.4) << estimator;
  }
}

std::size_t controlled_steps(int model, const std::string& estimator, double end) {
  Bench bench(two_masses(model, fmt::format("simulate: {{end: {}, output: macro}}\ncontrol: {{{}}}\n{}", end,
                                            section_5_2(estimator), tight)));
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  return bench.memory.accepted();
}

TEST(Estimators, ExLEAndExMDGiveNearlyTheSameMacroSteps) {
  for (const int model : {1, 2}) {
    const auto le = static_cast<double>(controlled_steps(model, "exLE", 0.3));
    const auto md = static_cast<double>(controlled_steps(model, "exMD", 0.3));
    EXPECT_NEAR(le / md, 1.0, 0.1) << "M" << model;
  }
}

/// When mass 1 of M3 meets the wall for the first time, from the uncut model.
double first_contact() {
  Bench bench(two_masses(3,
                         "simulate: {end: 0.03, output: 1.0e-6}\n"
                         "solve: {method: rosenbrock, rtol: 1.0e-11, atol_pos: 1.0e-12, atol_vel: "
                         "1.0e-10}\ncontrol: {step: 1.0e-6}"));
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  const Memory& m = bench.memory;
  for (std::size_t i = 1; i < m.time.size(); ++i)
    if (m.velocity[2 * (i - 1)] > 0 && m.velocity[2 * i] < 0) return m.time[i];
  ADD_FAILURE() << "mass 1 never touched the wall";
  return 0;
}

/// The attempts around the contact: is the first one that covers it accepted, and the one after that?
struct Reaction {
  bool covering_accepted = false, next_accepted = true;
};

Reaction reaction(const std::string& estimator, double contact) {
  Bench bench(two_masses(3, fmt::format("simulate: {{end: 0.03, output: macro}}\ncontrol: {{{}}}\n{}",
                                        section_5_2(estimator), tight)));
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  const auto& steps = bench.memory.steps;
  const auto covering =
      std::find_if(steps.begin(), steps.end(), [&](const StepRow& r) { return r.t + r.H > contact; });
  EXPECT_TRUE(covering != steps.end() && covering + 1 != steps.end());
  return {covering->accepted, (covering + 1)->accepted};
}

TEST(Estimators, ExCVReactsInTheContactStepExMDAndExLEOneStepLater) {
  const double contact = first_contact();
  EXPECT_FALSE(reaction("exCV", contact).covering_accepted);
  for (const char* estimator : {"exMD", "exLE"}) {
    const Reaction r = reaction(estimator, contact);
    EXPECT_TRUE(r.covering_accepted) << estimator;
    EXPECT_FALSE(r.next_accepted) << estimator;
  }
}

/// Table 5.3, reduced to a third of the simulated time.
double failed_ratio(double safety) {
  Bench bench(fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 150, mass: 5.0e-2, spring: {{c: 2.5e6, d: 25, C: 1.0e10, D: 1.0e-4}}, seed: 3,
          loads: [{{powersine: {{bodies: {{fraction: 0.5}}, sign: random, amplitude: {{uniform: [1.0e6, 1.0e7]}},
                    omega: {{uniform: [500, 5000]}}, exponent: 95}}}}]}}
partition: {{parts: 15}}
simulate: {{end: 0.02, output: 1.0e-3}}
control: {{estimator: exMD, rtol: 1.0e-4, atol_pos: 1.0e-8, atol_vel: 1.0e-4, safety: {}, order: 2, dead_zone: false}}
)",
                          safety));
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  const auto accepted = static_cast<double>(bench.memory.accepted());
  return (static_cast<double>(bench.memory.steps.size()) - accepted) / accepted;
}

TEST(SafetyFactor, FailedStepRatioOfSection53) {
  EXPECT_NEAR(failed_ratio(1), 0.45, 0.12);
  const double six = failed_ratio(6);
  EXPECT_GT(six, 0.003);
  EXPECT_LT(six, 0.06);
}

}  // namespace
}  // namespace cosimo::testing
