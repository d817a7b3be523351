// What goes together with which coupling scheme, swept over the tables of config/schemes.hpp. The messages
// are in tests/bad_input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "config/schemes.hpp"
#include "config/testing.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

using testing::faults_of;
using testing::Settings;

/// Every estimator on every scheme is either accepted or refused with one fault that names the valid ones.
TEST(SchemeRules, EstimatorsBySchemes) {
  const Names estimators{"exLE", "exMD", "exCV", "exOV", "imMD", "imCV", "waCV"};
  for (const char* name : {"explicit", "semi-implicit", "implicit", "waveform"}) {
    const Names& valid = find_scheme(name)->estimators;
    for (const std::string_view estimator : estimators) {
      const auto faults = faults_of({std::string("couple={scheme: ") + name + ", decomposition: force-force}",
                                     "control.estimator=" + std::string(estimator)});
      if (std::find(valid.begin(), valid.end(), estimator) != valid.end()) {
        EXPECT_TRUE(faults.empty()) << name << ' ' << estimator;
        continue;
      }
      ASSERT_EQ(faults.size(), 1U) << name << ' ' << estimator;
      EXPECT_EQ(faults[0].field, "control.estimator");
      EXPECT_EQ(faults[0].value, estimator);
      EXPECT_THAT(faults[0].remedy, HasSubstr(quoted_list(valid)));
    }
  }
}

/// Every key of a scheme is either accepted or refused with one fault that names the schemes that have it.
TEST(SchemeRules, KeysBySchemes) {
  for (const char* name : {"auto", "explicit", "semi-implicit", "implicit", "waveform"}) {
    const SchemeTraits* scheme = find_scheme(name);
    for (const SchemeKey& key : scheme_keys()) {
      const std::string value = key.name == "jacobian"         ? "fd"
                                : key.name == "refresh"        ? "always"
                                : key.name == "max_iterations" ? "7"
                                                               : "0.25";
      Settings settings{std::string("couple.scheme=") + name,
                        "couple." + std::string(key.name) + "=" + value};
      const bool has = scheme != nullptr && scheme->*key.ability;
      if (has && key.name == "perturbation_min") settings.emplace_back("couple.jacobian=fd");
      const auto faults = faults_of(settings);
      ASSERT_EQ(faults.size(), has ? 0U : 1U) << name << ' ' << key.name;
      if (has) continue;
      EXPECT_EQ(faults[0].field, "couple." + std::string(key.name));
      EXPECT_EQ(faults[0].value, value);
      EXPECT_THAT(faults[0].remedy, HasSubstr(quoted_list(schemes_with(key.ability), "scheme: ")));
    }
  }
}

TEST(SchemeRules, EveryFaultIsReported) {
  const auto faults = faults_of(
      {"couple={scheme: explicit, jacobian: fd, tau: 0.1, relaxation: 0.5}", "control.estimator=imCV"});
  std::vector<std::string> fields;
  for (const Fault& fault : faults) fields.push_back(fault.field);
  EXPECT_THAT(fields, UnorderedElementsAre("couple.jacobian", "couple.tau", "couple.relaxation",
                                           "control.estimator"));
}

TEST(SchemeRules, SchemeThatAutoMeansIsNamed) {
  const auto faults = faults_of({"control.estimator=imCV", "couple.sequence=gauss-seidel"});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].field, "couple.sequence");
  EXPECT_THAT(faults[0].problem, HasSubstr("`scheme: auto` means `implicit` here"));
}

TEST(SchemeRules, MisspeltSchemeIsTheOnlyFault) {
  const auto faults =
      faults_of({"couple={scheme: implict, jacobian: fd, tau: 0.1, layers: 3}", "control.estimator=imCV"});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].field, "couple.scheme");
}

}  // namespace
}  // namespace cosimo::config
