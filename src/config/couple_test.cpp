// The two families of cuts in a scenario: which settings mean which family, and what neither allows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "config/testing.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

using testing::faults_of;
using testing::parse;
using testing::Settings;
using testing::word;

void expect_equal(const Scenario& a, const Scenario& b) {
  EXPECT_EQ(a.couple.scheme, b.couple.scheme);
  EXPECT_EQ(a.couple.decomposition, b.couple.decomposition);
  EXPECT_EQ(a.couple.layers, b.couple.layers);
  EXPECT_EQ(a.couple.least_squares, b.couple.least_squares);
  EXPECT_EQ(a.control.step, b.control.step);
  EXPECT_EQ(a.control.estimator, b.control.estimator);
  EXPECT_EQ(a.control.rtol, b.control.rtol);
  EXPECT_EQ(a.control.atol_pos, b.control.atol_pos);
  EXPECT_EQ(a.control.atol_vel, b.control.atol_vel);
  EXPECT_EQ(a.control.order, b.control.order);
  EXPECT_EQ(a.control.order_max, b.control.order_max);
  EXPECT_EQ(a.control.strategy, b.control.strategy);
  EXPECT_EQ(a.solve.method, b.solve.method);
  EXPECT_EQ(a.effective, b.effective);
}

struct Meaning {
  Settings settings;
  std::string decomposition, estimator;
};

class Decomposition : public ::testing::TestWithParam<Meaning> {};

TEST_P(Decomposition, FollowsFromTheSettingsAndSurvivesTheEffectiveFile) {
  const Scenario s = parse(GetParam().settings);
  EXPECT_EQ(word(s.couple.decomposition), GetParam().decomposition);
  EXPECT_EQ(word(s.control.estimator), GetParam().estimator);
  expect_equal(parse_scenario(s.effective, "scenario"), s);
  const Scenario uncut = parse_scenario(s.effective, "scenario", Settings{"partition=none"});
  EXPECT_FALSE(uncut.partition.given);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, Decomposition,
    ::testing::Values(Meaning{{}, "", ""}, Meaning{{"control.step=0.01"}, "", ""},
                      Meaning{
                          {"control.rtol=1e-5", "solve.method=rk", "couple.predictor=extrapolation"}, "", ""},
                      Meaning{{"couple.scheme=explicit"}, "force-force", "exCV"},
                      Meaning{{"couple.scheme=explicit", "control.step=0.01"}, "force-force", ""},
                      Meaning{{"couple.scheme=explicit", "couple.decomposition=overlap"}, "overlap", "exOV"},
                      Meaning{{"couple.decomposition=overlap"}, "overlap", "exOV"},
                      Meaning{{"couple.decomposition=overlap", "control.step=0.01"}, "overlap", ""},
                      Meaning{{"couple.decomposition=overlap", "couple.layers=4", "control.step=0.01",
                               "control.estimator=exOV"},
                              "overlap",
                              "exOV"},
                      Meaning{{"couple.decomposition=force-force"}, "force-force", "exCV"},
                      Meaning{{"couple.layers=4"}, "overlap", "exOV"},
                      Meaning{{"couple.layers=auto"}, "overlap", "exOV"},
                      Meaning{{"control.estimator=exOV"}, "overlap", "exOV"},
                      Meaning{{"control.estimator=exCV"}, "force-force", "exCV"},
                      Meaning{{"control.estimator=exMD", "control.step=0.01"}, "force-force", "exMD"},
                      Meaning{{"control.order=2"}, "force-force", "exCV"},
                      Meaning{{"control.order.strategy=conservative"}, "force-force", "exCV"},
                      Meaning{{"couple.predictor={least-squares: 8}"}, "force-force", "exCV"},
                      Meaning{{"solve.method=ida"}, "force-force", "exCV"},
                      Meaning{{"solve.parts=[{parts: [2], method: ida}]"}, "force-force", "exCV"}));

TEST(Couple, LayersAreAutomaticOrCounted) {
  EXPECT_FALSE(parse({"couple.decomposition=overlap"}).couple.layers);
  EXPECT_FALSE(parse({"couple.layers=auto"}).couple.layers);
  EXPECT_EQ(parse({"couple.layers=7"}).couple.layers, 7);
}

TEST(Couple, NoLayersAreClassicCuts) {
  const auto faults = faults_of({"couple.layers=0"});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].field, "couple.layers");
  EXPECT_EQ(faults[0].value, "0");
  EXPECT_THAT(faults[0].remedy, HasSubstr("`layers: auto`"));
  EXPECT_THAT(faults[0].remedy, HasSubstr("`decomposition: force-force`"));
}

TEST(Couple, ToleranceOfTheMacroStepFollowsTheDecomposition) {
  EXPECT_FALSE(parse({"solve.rtol=1e-8"}).control.rtol);
  EXPECT_EQ(parse({"solve.rtol=1e-8", "couple.scheme=explicit"}).control.rtol, 1e-4);
  EXPECT_EQ(parse({"solve.rtol=1e-8", "couple.layers=4"}).control.rtol, 1e-9);
  EXPECT_EQ(parse({"solve.rtol=1e-8", "couple.layers=4", "control.rtol=1e-3"}).control.rtol, 1e-3);
}

TEST(Couple, UncutModelsMayCarrySettingsOfCuts) {
  EXPECT_EQ(parse({"partition=none", "couple.layers=3"}).couple.layers, 3);
  EXPECT_EQ(parse({"partition=none", "couple.decomposition=overlap"}).couple.decomposition,
            cosimo::Decomposition::overlap);
}

struct Refusal {
  Settings settings;
  std::string field, value, remedy;
};

class CoupleRefusal : public ::testing::TestWithParam<Refusal> {};

TEST_P(CoupleRefusal, NamesFieldValueAndRemedy) {
  const auto faults = faults_of(GetParam().settings);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].field, GetParam().field);
  EXPECT_EQ(faults[0].value, GetParam().value);
  EXPECT_THAT(faults[0].remedy, HasSubstr(GetParam().remedy));
}

const char* const overlap = "couple.decomposition=overlap";
const char* const force_force = "couple.decomposition=force-force";

INSTANTIATE_TEST_SUITE_P(
    Settings, CoupleRefusal,
    ::testing::Values(
        Refusal{{force_force, "couple.layers=4"}, "couple.layers", "4", "`decomposition: overlap`"},
        Refusal{{force_force, "couple.layers=auto"}, "couple.layers", "auto", "leave it out"},
        Refusal{
            {force_force, "control.estimator=exOV"}, "control.estimator", "exOV", "`exCV`, `exLE` or `exMD`"},
        Refusal{{"couple.scheme=explicit", "couple.layers=4"},
                "couple.layers",
                "4",
                "add `decomposition: overlap`"},
        Refusal{{"couple.scheme=explicit", "control.estimator=exOV"},
                "control.estimator",
                "exOV",
                "add `decomposition: overlap`"},
        Refusal{{overlap, "control.estimator=exCV"}, "control.estimator", "exCV", "`exOV`, or leave it out"},
        Refusal{{overlap, "control.estimator=exLE"}, "control.estimator", "exLE", "`exOV`, or leave it out"},
        Refusal{{overlap, "control.estimator=exMD"}, "control.estimator", "exMD", "`exOV`, or leave it out"},
        Refusal{{"couple.layers=4", "control.estimator=exCV"}, "control.estimator", "exCV", "`exOV`"},
        Refusal{
            {overlap, "solve.method=ida"}, "solve.method", "ida", "`rk`, `merson`, `rosenbrock` or `auto`"},
        Refusal{{"control.estimator=exOV", "solve.method=ida"}, "solve.method", "ida", "`rk`"},
        Refusal{{overlap, "solve.parts=[{parts: [2], method: ida}]"}, "solve.parts.1.method", "ida", "`rk`"},
        Refusal{{overlap, "couple.predictor={least-squares: 8}"},
                "couple.predictor.least-squares",
                "8",
                "`decomposition: force-force`"},
        Refusal{{overlap, "couple.predictor={least-squares: 3}"},
                "couple.predictor.least-squares",
                "3",
                "leave it out"},
        Refusal{{overlap, "control.order=2"}, "control.order", "2", "leave it out"},
        Refusal{{overlap, "control.order.strategy=conservative"},
                "control.order",
                "{strategy: conservative}",
                "leave it out"}));

TEST(Solve, SettingsWithoutEffectAreRefused) {
  const auto refused = [](const Settings& settings, const std::string& field) {
    const auto faults = faults_of(settings);
    ASSERT_EQ(faults.size(), 1U) << field;
    EXPECT_EQ(faults[0].field, field);
  };
  refused({"solve={method: rk, linear: klu}"}, "solve.linear");
  refused({"solve={method: rk, stop: exact}"}, "solve.stop");
  refused({"solve={method: rosenbrock, stop: exact}"}, "solve.stop");
  refused({"solve={stop: exact}"}, "solve.stop");
  refused({"solve={parts: [{parts: [1], method: rk, linear: dense}]}"}, "solve.parts.1.linear");
  refused({"solve={method: rk, parts: [{parts: [1], linear: dense}]}"}, "solve.parts.1.linear");
  refused({"solve={method: rk, linear: klu, parts: [{parts: [1], method: ida, linear: dense}]}"},
          "solve.linear");
  refused({"solve={method: ida, parts: [{parts: [1], method: auto, stop: exact}]}"}, "solve.parts.1.stop");
}

TEST(Solve, SettingsThatSomePartUsesAreKept) {
  for (const char* solve : {"{method: rk, linear: auto, stop: adjusted}", "{method: rosenbrock, linear: klu}",
                            "{linear: structured}", "{method: ida, linear: dense, stop: exact}",
                            "{method: ida, stop: exact, parts: [{parts: [1], method: rk}]}",
                            "{method: rk, linear: klu, parts: [{parts: [1], method: rosenbrock}]}",
                            "{method: rk, stop: exact, parts: [{parts: [1], method: ida}]}"}) {
    EXPECT_TRUE(faults_of({std::string("solve=") + solve}).empty()) << solve;
  }
}

TEST(Parameter, MustStayWithinTheRangeOfNumbers) {
  const auto field_of = [](const std::string& x) {
    const auto faults = faults_of({"model.chain.initial.x=" + x});
    return faults.size() == 1 ? faults[0].field : std::to_string(faults.size()) + " faults";
  };
  EXPECT_EQ(field_of("{uniform: [-1.7e308, 1.7e308]}"), "model.chain.initial.x.uniform");
  EXPECT_EQ(field_of("{half_sine: {base: 1e300, factor: 1e10, period: 3}}"),
            "model.chain.initial.x.half_sine.factor");
  EXPECT_EQ(field_of("{uniform: [-8e307, 8e307]}"), "0 faults");
  EXPECT_EQ(field_of("{ramp: [-1.7e308, 1.7e308]}"), "0 faults");
}

}  // namespace
}  // namespace cosimo::config
