// Which schemes a plan tries and why, and whole plans that try them.
#include "planning/plan_schemes.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "cosimo/plan.hpp"

namespace cosimo {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// 60 equal masses in two parts; damping ratio at the cut d / (2 sqrt(c m / 2)) = d / 1414.
std::string chain(double d, const std::string& rest = "", const std::string& partition = "{parts: 2}") {
  return fmt::format(R"(cosimo: 1
model: {{chain: {{masses: 60, mass: 1.0, spring: {{c: 1.0e6, d: {:.1f}}}, seed: 3, initial: {{v: {{uniform: [-1, 1]}}}}}}}}
simulate: {{end: 0.02, output: 1.0e-3}}
partition: {}
{}
)",
                     d, partition, rest);
}

SchemeIdeas ideas_for(const std::string& text, const std::string& own = "explicit exCV") {
  return scheme_ideas(propose(config::parse_scenario(text, "given.yaml")), own);
}

std::vector<std::string> names(const std::vector<SchemeIdea>& ideas) {
  std::vector<std::string> result;
  for (const SchemeIdea& idea : ideas) result.push_back(idea.name);
  return result;
}

std::string reason(const SchemeIdeas& ideas, const std::string& name) {
  for (const LeftOut& left : ideas.left_out)
    if (left.name == name) return left.reason;
  return "tried";
}

TEST(SchemeIdeas, LightDampingNeedsNoFurtherPasses) {
  const SchemeIdeas ideas = ideas_for(chain(1));
  EXPECT_THAT(names(ideas.worth), ElementsAre("overlap exOV", "explicit exMD"));
  EXPECT_THAT(reason(ideas, "implicit imMD, sap"), HasSubstr("gain nothing"));
  EXPECT_THAT(reason(ideas, "semi-implicit imMD, sap"), HasSubstr("a second pass gains nothing"));
  EXPECT_THAT(reason(ideas, "waveform waCV"), HasSubstr("black boxes"));
  std::string small = chain(1);
  small.replace(small.find("masses: 60"), 10, "masses: 12");
  EXPECT_THAT(reason(ideas_for(small), "overlap exOV"), HasSubstr("too small"));
}

TEST(SchemeIdeas, DampingCallsForAJacobian) {
  const SchemeIdeas some = ideas_for(chain(700));
  EXPECT_THAT(names(some.worth), ElementsAre("explicit exMD", "implicit imMD, sap", "implicit imCV, sap",
                                             "semi-implicit imMD, sap"));
  const SchemeIdeas strong = ideas_for(chain(3000));
  EXPECT_THAT(names(strong.worth),
              ElementsAre("explicit exMD", "implicit imMD, sensitivity", "semi-implicit imMD, sensitivity"));
  EXPECT_THAT(reason(strong, "implicit imCV, sensitivity"), HasSubstr("say little about the motion"));
  const SchemeIdeas hopeless = ideas_for(chain(30000));
  EXPECT_THAT(names(hopeless.worth), Not(Contains("explicit exMD")));
  EXPECT_THAT(reason(hopeless, "explicit exMD"), HasSubstr("near m/d"));
}

TEST(SchemeIdeas, UnequalMassesToo) {
  std::string text = chain(1, "", "{parts: 2, fix: [31]}");
  text.replace(text.find("mass: 1.0"), 9, "mass: {blocks: [{count: 30, value: 1}, {count: 30, value: 100}]}");
  EXPECT_THAT(names(ideas_for(text).worth), Contains("implicit imMD, sap"));
}

TEST(SchemeIdeas, AFixedStepLeavesNothingToCompare) {
  const SchemeIdeas ideas = ideas_for(
      chain(1, "control: {step: 1.0e-4, order: 1}\ncouple: {scheme: explicit}"), "explicit, fixed step");
  EXPECT_THAT(ideas.worth, IsEmpty());
  EXPECT_THAT(reason(ideas, "other schemes"), HasSubstr("fixed"));
}

TEST(SchemeIdeas, NoOverlapWithMultistepMethods) {
  EXPECT_THAT(reason(ideas_for(chain(1, "solve: {method: ida}")), "overlap exOV"), HasSubstr("ida"));
}

TEST(SchemeIdeas, MechanismsUseFiniteDifferences) {
  const SchemeIdeas ideas = ideas_for(R"(cosimo: 1
model: {pendulum: {links: 6, body: rod, compliant: {every: 3, stiffness: 1.0e4, damping: 1.0e4}}}
simulate: {end: 0.01, output: macro}
partition: {parts: 2}
couple: {scheme: explicit}
)");
  EXPECT_THAT(names(ideas.worth), Contains("implicit imMD, fd"));
}

TEST(SchemeIdeas, SettingsMakeValidScenarios) {
  const config::Scenario given = config::parse_scenario(
      chain(700,
            "control: {estimator: exCV, rtol: 1.0e-3, atol_u: 2, safety: 4, max_steps: 999, order: 2}\n"
            "couple: {scheme: explicit}"),
      "given.yaml");
  const SchemeIdeas ideas = scheme_ideas(propose(given), "explicit exCV");
  ASSERT_THAT(ideas.worth, Not(IsEmpty()));
  for (const SchemeIdea& idea : ideas.worth) {
    const config::Scenario made =
        config::parse_scenario(given.effective, "given.yaml", settings_for(idea, given, 1e-5));
    EXPECT_EQ(made.control.estimator, idea.estimator) << idea.name;
    EXPECT_DOUBLE_EQ(made.control.rtol.value(), 1e-5);
    EXPECT_NEAR(made.control.atol_u.value(), 2e-2, 1e-12) << "follows rtol";
    EXPECT_EQ(made.control.safety, 4);
    EXPECT_EQ(made.control.max_steps, 999);
    EXPECT_EQ(made.control.order, 2);
  }
}

TEST(SchemeIdeas, NumbersAreThoseOfYaml) {
  EXPECT_EQ(yaml_number(1e-5), "1.0e-05");
  EXPECT_EQ(yaml_number(1.5e-7), "1.5e-07");
  EXPECT_EQ(yaml_number(6), "6");
}

// ---- whole plans

PlanOptions patient() {
  PlanOptions options;
  options.pilot_s = 10;
  return options;
}

const SchemeTrial* find(const CutPlan& plan, const std::string& name) {
  for (const SchemeTrial& trial : plan.schemes)
    if (trial.name == name) return &trial;
  return nullptr;
}

TEST(PlanSchemes, EveryTrialHasTimesErrorAndMemory) {
  const CutPlan found = plan(Scenario::parse(chain(700, "couple: {scheme: explicit}")), patient());
  EXPECT_EQ(found.status, CutPlan::Status::ok);
  ASSERT_THAT(found.schemes, Not(IsEmpty()));
  EXPECT_TRUE(found.schemes.front().of_file);
  for (const char* name : {"explicit exCV", "uncut", "implicit imMD, sap", "semi-implicit imMD, sap"}) {
    const SchemeTrial* trial = find(found, name);
    ASSERT_NE(trial, nullptr) << name;
    EXPECT_TRUE(trial->ok);
    EXPECT_GE(trial->error_seen, 0);
    EXPECT_LT(trial->error_seen, 0.1);
    EXPECT_LE(trial->error.low, trial->error.value);
    EXPECT_LE(trial->error.value, trial->error.high);
    ASSERT_GE(trial->predictions.size(), 11U);
    for (const Prediction& p : trial->predictions) {
      EXPECT_GT(p.wall_s.low, 0);
      EXPECT_LE(p.wall_s.low, p.wall_s.value);
      EXPECT_LE(p.wall_s.value, p.wall_s.high);
      EXPECT_GT(p.memory_mb, 1);
    }
  }
  EXPECT_GT(find(found, "implicit imMD, sap")->passes, 1.5);
  EXPECT_GT(found.error_target, 0);
  EXPECT_EQ(found.confidence.coverage, 1);
  EXPECT_THAT(to_text(found), HasSubstr("left out: "));
  EXPECT_THAT(to_json(found), HasSubstr("\"error_target\""));
}

TEST(PlanSchemes, TheNewScenarioIsWhatIsRecommended) {
  const Scenario given = Scenario::parse(chain(700));
  const CutPlan found = plan(given, patient());
  const config::Scenario written = config::parse_scenario(found.scenario, "new.yaml");
  const config::Scenario made =
      config::parse_scenario(given.data().effective, "new.yaml", found.recommended.settings);
  EXPECT_EQ(written.effective, made.effective);
  if (found.recommended.parts > 1 && found.recommended.settings.size() > 1) {
    EXPECT_EQ(written.control.estimator, choice_of<Estimator>(found.recommended.estimator));
    EXPECT_DOUBLE_EQ(written.control.rtol.value(), found.recommended.rtol);
  }
}

TEST(PlanSchemes, AWantedErrorIsAimedAt) {
  PlanOptions options = patient();
  options.error = 1e-5;
  const CutPlan found = plan(Scenario::parse(chain(1, "couple: {scheme: explicit}")), options);
  EXPECT_EQ(found.error_target, 1e-5);
  const SchemeTrial* other = find(found, "explicit exMD");
  ASSERT_NE(other, nullptr);
  EXPECT_LT(other->error_seen, 1e-4);
  options.error = -1;
  EXPECT_THROW(plan(Scenario::parse(chain(1)), options), Error);
}

TEST(PlanSchemes, NothingIsTriedWhenTheTimeIsUp) {
  PlanOptions options;
  options.pilot_s = 0.5;
  options.total_s = 1e-3;
  const CutPlan found = plan(Scenario::parse(chain(700, "couple: {scheme: explicit}")), options);
  EXPECT_EQ(found.status, CutPlan::Status::ok);
  EXPECT_EQ(found.schemes.size(), 2U);
  EXPECT_THAT(found.left_out, Contains(::testing::Field(&LeftOut::reason, HasSubstr("used up"))));
  EXPECT_THAT(found.times, Not(IsEmpty()));
}

TEST(PlanSchemes, ASmallModelIsNotWorthCutting) {
  std::string text = chain(1, "couple: {scheme: explicit}");
  text.replace(text.find("masses: 60"), 10, "masses: 6");
  const CutPlan found = plan(Scenario::parse(text), patient());
  EXPECT_EQ(found.status, CutPlan::Status::ok);
  EXPECT_FALSE(found.worth_cutting);
  EXPECT_THAT(found.recommendation, StartsWith("Do not cut"));
  EXPECT_EQ(found.recommended.parts, 2) << "the file asks for two";
}

TEST(PlanSchemes, AModelOfOnePartHasPredictionsToo) {
  const CutPlan found = plan(Scenario::parse(chain(1, "", "none")), patient());
  EXPECT_EQ(found.status, CutPlan::Status::ok);
  ASSERT_EQ(found.schemes.size(), 1U);
  EXPECT_EQ(found.schemes.front().name, "uncut");
  EXPECT_FALSE(found.schemes.front().predictions.empty());
  EXPECT_EQ(found.recommended.scheme, "uncut");
  EXPECT_THAT(found.recommendation, StartsWith("Do not cut"));
}

TEST(PlanSchemes, Mechanisms) {
  const CutPlan found = plan(Scenario::parse(R"(cosimo: 1
model: {pendulum: {links: 6, body: rod, compliant: {every: 3, stiffness: 1.0e4, damping: 10}}}
simulate: {end: 0.05, output: macro}
partition: {parts: 2}
couple: {scheme: explicit}
)"),
                             patient());
  EXPECT_EQ(found.status, CutPlan::Status::ok);
  EXPECT_EQ(found.schemes.front().name, "explicit exCV");
  EXPECT_GE(found.schemes.front().error_seen, 0);
  EXPECT_NO_THROW(config::parse_scenario(found.scenario, "new.yaml"));
}

TEST(PlanSchemes, ProgressIsTold) {
  std::vector<std::string> told;
  PlanOptions options = patient();
  options.progress = [&](const PlanProgress& now) {
    told.push_back(now.doing);
    EXPECT_EQ(now.limit_s, 150);
  };
  plan(Scenario::parse(chain(1, "couple: {scheme: explicit}")), options);
  EXPECT_THAT(told, Contains("pilot run: uncut"));
  EXPECT_THAT(told, Contains("pilot run: explicit exMD"));
}

TEST(PlanSchemes, InterruptedInTheMiddleItKeepsWhatItHas) {
  std::atomic<bool> interrupt{false};
  PlanOptions options = patient();
  options.interrupt = &interrupt;
  options.progress = [&](const PlanProgress& now) {
    if (now.doing == "pilot run: explicit exMD") interrupt = true;
  };
  const CutPlan found = plan(Scenario::parse(chain(1, "couple: {scheme: explicit}")), options);
  EXPECT_EQ(found.status, CutPlan::Status::interrupted);
  EXPECT_TRUE(found.schemes.front().ok);
  EXPECT_FALSE(found.times.empty());
  EXPECT_THAT(found.recommendation, HasSubstr("interrupted"));
}

}  // namespace
}  // namespace cosimo
