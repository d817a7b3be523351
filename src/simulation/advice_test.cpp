// A run that struggles is told why and what to write instead; a healthy one is told nothing.
#include "simulation/coupling_advice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "simulation/cut_facts.hpp"
#include "simulation/execute.hpp"
#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

Report report_of(const std::string& text) {
  RunOptions options;
  options.threads = 1;
  return execute(config::parse_scenario(text, "test.yaml"), options, {});
}

bool says(const Report& report, const std::string& words) {
  return std::any_of(report.advice.begin(), report.advice.end(),
                     [&](const std::string& a) { return a.find(words) != std::string::npos; });
}

std::string all(const Report& report) {
  std::string text;
  for (const std::string& a : report.advice) text += a + "\n";
  return text.empty() ? "no advice" : text;
}

/// Table 5.6: masses m1 and 1, springs of 1e6, damping d between the masses.
std::string asymmetric(double m1, double d, const std::string& couple, const std::string& control) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 2, mass: [{}, 1], spring: {{c: 1.0e6, d: [0, {}, 0]}}, initial: {{x: [0.05, 0]}},
          loads: [{{harmonic: {{bodies: [2], amplitude: 1.0e5, omega: 50}}}}]}}
simulate: {{end: 1, output: 0.01}}
partition: {{parts: 2}}
couple: {{{}}}
control: {{rtol: 1.0e-3, max_steps: 2000, {}}}
solve: {{method: ida}}
)",
                     m1, d, couple, control);
}

constexpr const char* lighter = "couple: {decomposition: {kind: force-displacement, displaced: lighter}}";

struct Stopped {
  const char *couple, *control;
};

class AsymmetricOscillator : public ::testing::TestWithParam<Stopped> {};

TEST_P(AsymmetricOscillator, StrongDampingAndUnequalMassesAreNamedWithTheRemedies) {
  const Report r = report_of(asymmetric(1e-3, 1e3, GetParam().couple, GetParam().control));
  ASSERT_EQ(r.status, "failed");
  EXPECT_EQ(r.macro_steps, 2000) << "it stops at control.max_steps: " << r.outcome.reason;
  EXPECT_TRUE(says(r, "element 2 between bodies 1 and 2")) << all(r);
  EXPECT_TRUE(says(r, "mass ratio 1e+03, damping ratio 15.8 (rate d/m 1e+06")) << all(r);
  EXPECT_TRUE(says(r, fmt::format("of {} rejected steps", r.rejected_steps))) << all(r);
  EXPECT_TRUE(says(r, "couple: {scheme: implicit} with control: {estimator: imMD}")) << all(r);
  EXPECT_TRUE(says(r, lighter)) << all(r);
}

TEST_P(AsymmetricOscillator, EqualMassesAreNotTold) {
  const Report r = report_of(asymmetric(1, 1e6, GetParam().couple, GetParam().control));
  ASSERT_EQ(r.status, "failed");
  EXPECT_TRUE(says(r, "couple: {scheme: implicit}")) << all(r);
  EXPECT_FALSE(says(r, "displaced: lighter")) << all(r);
}

TEST_P(AsymmetricOscillator, AnUndampedOscillationHasNoCureInTheScheme) {
  const Report r = report_of(asymmetric(1e-6, 0, GetParam().couple, GetParam().control));
  ASSERT_EQ(r.status, "failed");
  EXPECT_TRUE(says(r, "mass ratio 1e+06, damping ratio 0")) << all(r);
  EXPECT_TRUE(says(r, "undamped oscillation of this element")) << all(r);
  EXPECT_FALSE(says(r, "scheme: implicit")) << all(r);
}

INSTANTIATE_TEST_SUITE_P(Table56, AsymmetricOscillator,
                         ::testing::Values(Stopped{"scheme: explicit", "estimator: exMD"},
                                           Stopped{"scheme: explicit", "estimator: exCV"},
                                           Stopped{"scheme: waveform, relaxation: 0.3", "estimator: waCV"}));

TEST(Advice, TheRemediesForStrongDampingWork) {
  const auto reached = [](const std::string& couple, const std::string& estimator) {
    return report_of(asymmetric(1e-3, 1e3, couple, "estimator: " + estimator)).outcome.time;
  };
  const double before = reached("scheme: explicit", "exCV");
  EXPECT_GT(reached("scheme: implicit", "imMD"), 20 * before);
  EXPECT_GT(reached("scheme: semi-implicit", "imCV"), 20 * before);
  EXPECT_GT(
      reached("scheme: explicit, decomposition: {kind: force-displacement, displaced: lighter}", "exCV"),
      20 * before);
}

TEST(Advice, StandsInTheTableAndInTheSummary) {
  const Report r = report_of(asymmetric(1e-3, 1e3, "scheme: explicit", "estimator: exCV"));
  ASSERT_FALSE(r.advice.empty());
  EXPECT_NE(to_table(r).find(r.advice.front()), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(to_json(r)).at("advice").get<std::vector<std::string>>(), r.advice);
}

TEST(Advice, BesideALightBlockItNamesTheCutOneMassFurther) {
  const std::string rest =
      "simulate: {{end: 1.5e-3, output: 1.0e-4}}\ncouple: {{scheme: {}}}\ncontrol: {{rtol: 1.0e-5}}";
  for (const char* const scheme : {"explicit", "waveform", "implicit"}) {
    const Report wrong = report_of(section_5_4(false, fmt::format(fmt::runtime(rest), scheme)));
    EXPECT_EQ(wrong.status, "ok");
    EXPECT_TRUE(says(wrong, "mass ratio 100")) << scheme << "\n" << all(wrong);
    // Exactly the cuts that section_5_4(true) makes.
    EXPECT_TRUE(says(wrong, "cuts: [40, 52, 90, 102, 140, 152, 190, 202, 240, 252]}")) << scheme << "\n"
                                                                                       << all(wrong);
    const Report right = report_of(section_5_4(true, fmt::format(fmt::runtime(rest), scheme)));
    EXPECT_LT(2 * right.macro_steps, wrong.macro_steps);
    EXPECT_TRUE(right.advice.empty()) << scheme << "\n" << all(right);
  }
}

std::string contact(int cut) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 60, mass: 1, spring: {{c: 1.0e6, d: 20}}, initial: {{v: {{uniform: [-5, 5]}}}}, seed: 3,
          loads: [{{contact: {{bodies: [30], A: -1.0e-2, B: 1.0e5}}}},
                  {{harmonic: {{bodies: [30], amplitude: 2.0e3, omega: 0, phase: 1.5707963267948966}}}}]}}
simulate: {{end: 0.05, output: 1.0e-3}}
partition: {{cuts: [{}]}}
couple: {{scheme: explicit}}
)",
                     cut);
}

TEST(Advice, AContactAtTheCutIsToBeCutAroundOrOverlapped) {
  const Report beside = report_of(contact(31));
  EXPECT_TRUE(says(beside, "element 31 between bodies 30 and 31")) << all(beside);
  EXPECT_TRUE(says(beside, "cut element 34 instead of 31: partition: {method: manual, cuts: [34]}"))
      << all(beside);
  EXPECT_TRUE(says(beside, "couple: {scheme: auto}")) << all(beside);
  const Report left = report_of(contact(30));
  EXPECT_TRUE(says(left, "cut element 27 instead of 30")) << all(left);
  const Report away = report_of(contact(34));
  EXPECT_LT(2 * away.macro_steps, beside.macro_steps);
  EXPECT_TRUE(away.advice.empty()) << all(away);
}

std::string strongly_damped_rod(const std::string& jacobian) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 100, mass: 4.93e-3, spring: {{c: 3.30e10, d: {}}}, ends: [fixed, free],
          loads: [{{impulse: {{bodies: [100], amplitude: -5.0e5, start: 5.0e-7, duration: 5.0e-5, steepness: 1.0e-7}}}}]}}
simulate: {{end: 6.0e-5, output: 1.0e-6}}
partition: {{parts: 20}}
couple: {{scheme: implicit, jacobian: {}}}
control: {{estimator: imMD, rtol: 1.0e-5}}
)",
                     2 * 30 * std::sqrt(3.30e10 * 4.93e-3), jacobian);
}

TEST(Advice, SapWithStrongDampingShouldBeSensitivity) {
  const Report sap = report_of(strongly_damped_rod("sap"));
  EXPECT_TRUE(says(sap, "couple: {jacobian: sensitivity}")) << all(sap);
  EXPECT_TRUE(says(sap, "damping ratio 42.4")) << all(sap);
  const Report sensitivity = report_of(strongly_damped_rod("sensitivity"));
  EXPECT_TRUE(sensitivity.advice.empty()) << all(sensitivity);
  EXPECT_LT(2 * sensitivity.corrector_iterations, sap.corrector_iterations);
}

TEST(Advice, ACautionlessControllerIsToldTheUsualSafety) {
  const Report r = report_of(two_masses(2,
                                        "simulate: {end: 0.1, output: 1.0e-3}\ncouple: {scheme: "
                                        "explicit}\ncontrol: {estimator: exMD, safety: 1}"));
  ASSERT_GT(r.rejected_steps, 20);
  EXPECT_TRUE(says(r, "control: {safety: 6}")) << all(r);
}

TEST(Advice, ARunThatBreaksDownWithAFixedStepIsNotBlamedOnACut) {
  const Report r = report_of(table_5_1(false,
                                       "simulate: {end: 0.25, output: 1.0e-3}\ncouple: {scheme: explicit}\n"
                                       "control: {step: 5.0e-5, order: 2}"));
  ASSERT_EQ(r.status, "failed");
  ASSERT_EQ(r.advice.size(), 1U) << all(r);
  EXPECT_TRUE(says(r, "control.step smaller than 5e-05")) << all(r);
}

TEST(Advice, AMotionThatOnlyGrowsIsNotTakenForTheModels) {
  // Finite to the end, and wrong by many orders of magnitude.
  const Report r = report_of(R"(cosimo: 1
model: {chain: {masses: 2, mass: 1, spring: {c: 100, d: 1}, initial: {x: [0.3, -0.2]}}}
simulate: {end: 8, output: 0.1}
partition: {parts: 2}
couple: {scheme: explicit}
control: {step: 0.15, order: 2}
)");
  ASSERT_EQ(r.status, "ok");
  EXPECT_TRUE(says(r, "the motion grew without bound")) << all(r);
}

TEST(Advice, ALowDegreeIsNamed) {
  const Report r = report_of(table_5_1(false,
                                       "simulate: {end: 0.25, output: 1.0e-3}\ncouple: {scheme: implicit}\n"
                                       "control: {order: 0, rtol: 1.0e-4, max_steps: 300}"));
  ASSERT_EQ(r.status, "failed");
  EXPECT_TRUE(says(r, "leave control.order out")) << all(r);
}

struct Healthy {
  const char *scheme, *estimator, *rtol;
};

class HealthyRuns : public ::testing::TestWithParam<Healthy> {
 protected:
  std::string rest(const char* end) const {
    const Healthy h = GetParam();
    return fmt::format(
        "simulate: {{end: {}, output: 1.0e-3}}\ncouple: {{scheme: {}}}\ncontrol: {{estimator: {}, "
        "rtol: {}}}",
        end, h.scheme, h.estimator, h.rtol);
  }
};

TEST_P(HealthyRuns, GetNoAdvice) {
  for (const int model : {1, 2, 3}) {
    const Report r = report_of(two_masses(model, rest("0.25")));
    EXPECT_EQ(r.status, "ok");
    EXPECT_TRUE(r.advice.empty()) << "M" << model << "\n" << all(r);
  }
  const Report r = report_of(table_5_1(false, rest("0.1")));
  EXPECT_EQ(r.status, "ok");
  EXPECT_TRUE(r.advice.empty()) << "Table 5.1\n" << all(r);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, HealthyRuns,
    ::testing::Values(Healthy{"explicit", "exMD", "1.0e-5"}, Healthy{"explicit", "exCV", "1.0e-4"},
                      Healthy{"explicit", "exCV", "1.0e-3"}, Healthy{"implicit", "imMD", "1.0e-5"},
                      Healthy{"implicit", "imMD", "1.0e-4"}, Healthy{"implicit", "imCV", "1.0e-4"},
                      Healthy{"waveform", "waCV", "1.0e-4"}, Healthy{"semi-implicit", "imCV", "1.0e-4"}));

TEST(CutFacts, AreThoseOfTheTwoBodiesAndTheirElement) {
  const auto scenario = config::parse_scenario(
      "cosimo: 1\nmodel: {chain: {masses: 2, mass: [1, 3], spring: {c: [1, 48, 1], d: [0, 6, 0], D: [0, 2, "
      "0]}}}\n"
      "simulate: {end: 1}\n",
      "test");
  const auto assembly = assemble(scenario);
  const CutFacts rest = cut_facts(*assembly->graph, ElementId{std::size_t{1}});
  EXPECT_EQ(rest.element, 2);
  EXPECT_EQ(rest.bodies[0], 1);
  EXPECT_EQ(rest.bodies[1], 2);
  EXPECT_DOUBLE_EQ(rest.mass_ratio, 3);
  EXPECT_DOUBLE_EQ(rest.frequency, 8);     // sqrt(48 / 0.75)
  EXPECT_DOUBLE_EQ(rest.damping_rate, 8);  // 6 / 0.75
  EXPECT_DOUBLE_EQ(rest.damping_ratio, 0.5);
  const CutFacts moving = cut_facts(*assembly->graph, ElementId{std::size_t{1}}, {0, 2});
  EXPECT_DOUBLE_EQ(moving.damping_rate, 40);  // (6 + 3 * 2 * 2^2) / 0.75
}

}  // namespace
}  // namespace cosimo::testing
