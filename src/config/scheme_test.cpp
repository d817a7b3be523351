// The coupling schemes in a scenario: every key of `couple:`, what `scheme: auto` means, what is shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "config/schemes.hpp"
#include "config/testing.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using testing::faults_of;
using testing::parse;
using testing::Settings;
using testing::word;

struct Meaning {
  Settings settings;
  std::string scheme, decomposition, estimator;
};

class Scheme : public ::testing::TestWithParam<Meaning> {};

TEST_P(Scheme, FollowsFromTheSettingsAndSurvivesTheEffectiveFile) {
  const Scenario s = parse(GetParam().settings);
  EXPECT_EQ(word(s.couple.scheme), GetParam().scheme);
  EXPECT_EQ(word(s.couple.decomposition), GetParam().decomposition);
  EXPECT_EQ(word(s.control.estimator), GetParam().estimator);
  const Scenario again = parse_scenario(s.effective, "scenario");
  EXPECT_EQ(again.effective, s.effective);
  EXPECT_EQ(again.couple.scheme, s.couple.scheme);
  EXPECT_EQ(again.couple.decomposition, s.couple.decomposition);
  EXPECT_EQ(again.couple.predictor, s.couple.predictor);
  EXPECT_EQ(again.couple.cuts.size(), s.couple.cuts.size());
  EXPECT_EQ(again.control.estimator, s.control.estimator);
  EXPECT_EQ(again.control.order, s.control.order);
}

INSTANTIATE_TEST_SUITE_P(
    Written, Scheme,
    ::testing::Values(
        Meaning{{"couple.scheme=explicit"}, "explicit", "force-force", "exCV"},
        Meaning{{"couple.scheme=implicit"}, "implicit", "force-force", "imCV"},
        Meaning{{"couple.scheme=semi-implicit"}, "semi-implicit", "force-force", "imCV"},
        Meaning{{"couple.scheme=waveform"}, "waveform", "force-force", "waCV"},
        Meaning{{"couple.scheme=implicit", "control.step=0.01"}, "implicit", "force-force", ""},
        Meaning{{"couple.scheme=implicit", "control.step=0.01", "control.estimator=imMD"},
                "implicit",
                "force-force",
                "imMD"},
        Meaning{{"couple.scheme=semi-implicit", "control.estimator=imMD"},
                "semi-implicit",
                "force-force",
                "imMD"},
        Meaning{{"couple.scheme=waveform", "control.estimator=imMD"}, "waveform", "force-force", "imMD"},
        Meaning{{"couple={scheme: waveform, sequence: gauss-seidel}"}, "waveform", "force-force", "waCV"},
        Meaning{{"couple={scheme: implicit, decomposition: force-displacement, update: none}"},
                "implicit",
                "force-displacement",
                "imCV"},
        Meaning{{"couple={scheme: waveform, decomposition: {kind: force-displacement}, update: none}"},
                "waveform",
                "force-displacement",
                "waCV"},
        Meaning{
            {"couple={scheme: implicit, jacobian: sap, refresh: always}"}, "implicit", "force-force", "imCV"},
        Meaning{{"couple.scheme=implicit", "solve.method=ida", "control.order={max: 3}"},
                "implicit",
                "force-force",
                "imCV"}));

INSTANTIATE_TEST_SUITE_P(
    Auto, Scheme,
    ::testing::Values(
        Meaning{{}, "", "", ""}, Meaning{{"couple.sequence=jacobi"}, "", "", ""},
        Meaning{{"couple={update: consistent, predictor: extrapolation}"}, "", "", ""},
        Meaning{{"control.estimator=imCV"}, "implicit", "force-force", "imCV"},
        Meaning{{"control.estimator=imMD", "couple.jacobian=fd"}, "implicit", "force-force", "imMD"},
        Meaning{{"control.estimator=waCV", "couple.relaxation=0.3"}, "waveform", "force-force", "waCV"},
        Meaning{{"control.estimator=waCV", "couple.decomposition=displacement-displacement"},
                "waveform",
                "displacement-displacement",
                "waCV"},
        Meaning{{"control.estimator=exMD"}, "explicit", "force-force", "exMD"},
        Meaning{{"control.order=2"}, "explicit", "force-force", "exCV"},
        Meaning{{"couple.layers=3"}, "explicit", "overlap", "exOV"},
        Meaning{{"couple.decomposition=overlap"}, "explicit", "overlap", "exOV"},
        Meaning{{"couple.decomposition=force-displacement"}, "explicit", "force-displacement", "exCV"},
        Meaning{{"couple.decomposition=[{cut: 26, kind: force-displacement}]"},
                "explicit",
                "force-force",
                "exCV"},
        Meaning{{"couple.sequence=gauss-seidel"}, "explicit", "force-force", "exCV"},
        Meaning{{"couple.sequence={gauss-seidel: [4, 2, 1, 3]}"}, "explicit", "force-force", "exCV"},
        Meaning{{"couple={decomposition: force-displacement, update: none}", "control.step=0.01"},
                "explicit",
                "force-displacement",
                ""},
        Meaning{{"couple.predictor={acc: {degree: 2}}"}, "explicit", "force-force", "exCV"},
        Meaning{
            {"couple.predictor={acc: {degree: 2}}", "control.order=2"}, "explicit", "force-force", "exCV"},
        Meaning{{"couple.predictor={accrel: {degree: 1, omega: 0.5}}", "control.order=0"},
                "explicit",
                "force-force",
                "exCV"},
        Meaning{{"couple={sequence: gauss-seidel, predictor: {acc: {degree: 0}}}", "control.step=0.01"},
                "explicit",
                "force-force",
                ""}));

TEST(Couple, SequenceOfParts) {
  EXPECT_EQ(parse({}).couple.sequence, Sweep::jacobi);
  EXPECT_EQ(parse({"couple.sequence=gauss-seidel"}).couple.sequence, Sweep::gauss_seidel);
  EXPECT_TRUE(parse({"couple.sequence=gauss-seidel"}).couple.order.empty());
  const Couple given = parse({"couple.sequence={gauss-seidel: [4, 2, 1, 3]}"}).couple;
  EXPECT_EQ(given.sequence, Sweep::gauss_seidel);
  EXPECT_THAT(given.order, ElementsAre(4, 2, 1, 3));
  const std::string unknown_number = "partition.parts=auto";
  EXPECT_TRUE(faults_of({unknown_number, "couple.sequence={gauss-seidel: [2, 1]}"}).empty());
  EXPECT_TRUE(faults_of({"partition=none", "couple.sequence={gauss-seidel: [2, 1]}"}).empty());
}

TEST(Couple, DecompositionOfAllCutsWithASide) {
  EXPECT_EQ(parse({"couple.decomposition=force-displacement"}).couple.displaced, Displaced::second);
  EXPECT_EQ(parse({"couple.decomposition={kind: force-displacement}"}).couple.displaced, Displaced::second);
  const Scenario s = parse({"couple.decomposition={kind: force-displacement, displaced: lighter}"});
  EXPECT_EQ(s.couple.decomposition, Decomposition::force_displacement);
  EXPECT_EQ(s.couple.displaced, Displaced::lighter);
  EXPECT_EQ(parse_scenario(s.effective, "scenario").couple.displaced, Displaced::lighter);
  EXPECT_THAT(parse({"couple.decomposition={kind: force-force}"}).effective, Not(HasSubstr("displaced")));
}

TEST(Couple, DecompositionPerCut) {
  const Scenario s =
      parse({"couple.decomposition=[{cut: 76, kind: force-displacement, displaced: heavier},"
             "{cut: 26, kind: displacement-displacement}, {cut: 51, kind: force-displacement}]"});
  for (const Couple& couple : {s.couple, parse_scenario(s.effective, "scenario").couple}) {
    EXPECT_EQ(couple.decomposition, Decomposition::force_force) << "of all others";
    ASSERT_EQ(couple.cuts.size(), 3U);
    EXPECT_EQ(couple.cuts[0].cut, 76);
    EXPECT_EQ(couple.cuts[0].kind, Decomposition::force_displacement);
    EXPECT_EQ(couple.cuts[0].displaced, Displaced::heavier);
    EXPECT_EQ(couple.cuts[1].cut, 26);
    EXPECT_EQ(couple.cuts[1].kind, Decomposition::displacement_displacement);
    EXPECT_EQ(couple.cuts[2].displaced, Displaced::second);
  }
}

TEST(Couple, PredictorsFromAccelerations) {
  const Couple plain = parse({}).couple;
  EXPECT_EQ(plain.predictor, Predictor::extrapolation);
  const Couple fit = parse({"couple.predictor={least-squares: 8}"}).couple;
  EXPECT_EQ(fit.predictor, Predictor::least_squares);
  EXPECT_EQ(fit.least_squares, 8);
  const Scenario acc = parse({"couple.predictor={acc: {degree: 3, update: none}}"});
  EXPECT_EQ(acc.couple.predictor, Predictor::acc);
  EXPECT_EQ(acc.couple.predictor_degree, 3);
  EXPECT_FALSE(acc.couple.predictor_update);
  EXPECT_EQ(acc.couple.least_squares, 0);
  EXPECT_EQ(acc.control.order, 3) << "the order of acc is its degree";
  EXPECT_FALSE(acc.couple.predictor_whole_course);
  EXPECT_THAT(acc.effective, HasSubstr("\n  predictor: {acc: {degree: 3, course: end, update: none}}\n"));
  EXPECT_TRUE(parse({"couple.predictor={acc: {degree: 1, course: whole}}", "control={step: 1e-3}"})
                  .couple.predictor_whole_course);
  EXPECT_THAT(acc.effective, HasSubstr("\n  order: 3\n"));
  const Scenario blend = parse({"couple.predictor={accrel: {degree: 1, omega: 0.25}}", "control.order=2"});
  EXPECT_EQ(blend.couple.predictor, Predictor::accrel);
  EXPECT_EQ(blend.couple.predictor_degree, 1);
  EXPECT_EQ(blend.couple.predictor_omega, 0.25);
  EXPECT_TRUE(blend.couple.predictor_update);
  EXPECT_EQ(blend.control.order, 2);
}

TEST(Couple, CorrectorOptionsAreRead) {
  const Scenario s = parse(
      {"couple={scheme: implicit, jacobian: fd, refresh: always, perturbation_min: 1e-6, max_iterations: 4,"
       "tau: 0.01, corrector_rtol: 1e-10, corrector_atol: 1e-3}"});
  for (const Couple& couple : {s.couple, parse_scenario(s.effective, "scenario").couple}) {
    EXPECT_EQ(couple.jacobian, JacobianMethod::fd);
    EXPECT_EQ(couple.refresh, Refresh::always);
    EXPECT_EQ(couple.perturbation_min, 1e-6);
    EXPECT_EQ(couple.max_iterations, 4);
    EXPECT_EQ(couple.tau, 0.01);
    EXPECT_EQ(couple.corrector_rtol, 1e-10);
    EXPECT_EQ(couple.corrector_atol, 1e-3);
  }
  const Couple series = parse({"couple={scheme: semi-implicit, jacobian: {series: 3}}"}).couple;
  EXPECT_EQ(series.jacobian, JacobianMethod::series);
  EXPECT_EQ(series.series_terms, 3);
  EXPECT_EQ(parse({"couple={scheme: waveform, relaxation: 0.3}"}).couple.relaxation, 0.3);
}

TEST(Couple, DefaultsOfTheTableAreThoseOfTheStruct) {
  const Couple expected;
  for (const char* scheme : {"auto", "explicit", "semi-implicit", "implicit", "waveform"}) {
    const Couple couple = parse({std::string("couple.scheme=") + scheme}).couple;
    EXPECT_EQ(couple.sequence, expected.sequence);
    EXPECT_EQ(couple.update, expected.update);
    EXPECT_EQ(couple.displaced, expected.displaced);
    EXPECT_EQ(couple.predictor, expected.predictor);
    EXPECT_EQ(couple.relaxation, expected.relaxation);
    EXPECT_EQ(couple.jacobian, expected.jacobian);
    EXPECT_EQ(couple.refresh, expected.refresh);
    EXPECT_EQ(couple.perturbation_min, expected.perturbation_min);
    EXPECT_EQ(couple.max_iterations, expected.max_iterations);
    EXPECT_EQ(couple.tau, expected.tau);
    EXPECT_EQ(couple.corrector_rtol, expected.corrector_rtol);
    EXPECT_EQ(couple.corrector_atol, expected.corrector_atol);
  }
}

/// The keys of the effective file are exactly those of the table of schemes.
TEST(Couple, EffectiveFileShowsOnlyWhatTheSchemeHas) {
  for (const char* name : {"explicit", "semi-implicit", "implicit", "waveform"}) {
    const std::string effective = parse({std::string("couple.scheme=") + name}).effective;
    const SchemeTraits& scheme = *find_scheme(name);
    for (const SchemeKey& key : scheme_keys()) {
      const bool shown = effective.find("\n  " + std::string(key.name) + ":") != std::string::npos;
      const bool expected = scheme.*key.ability && key.name != "perturbation_min";  // `fd` only
      EXPECT_EQ(shown, expected) << name << ' ' << key.name;
    }
  }
  EXPECT_THAT(parse({"couple={scheme: implicit, jacobian: fd}"}).effective,
              HasSubstr("\n  perturbation_min: auto\n"));
}

TEST(Couple, ToleranceOfAllClassicSchemes) {
  for (const char* scheme : {"explicit", "semi-implicit", "implicit", "waveform"}) {
    EXPECT_EQ(parse({std::string("couple.scheme=") + scheme}).control.rtol, 1e-4) << scheme;
  }
}

}  // namespace
}  // namespace cosimo::config
