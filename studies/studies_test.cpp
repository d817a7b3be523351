// Every study, small: it comes to an end, says what it should, and says the same when it is repeated.
#include "studies/studies.hpp"
#include "studies/names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "studies/conduct.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo::studies {
namespace {

using nlohmann::json;

constexpr double small = 0.02;

json conducted(const Study& study, int threads) {
  const test::TemporaryFolder place;
  const std::filesystem::path folder = place / "study";
  conduct(study, {.folder = folder, .scale = small, .threads = threads});
  std::ifstream file(folder / "study.json");
  json result = json::parse(file);
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
  EXPECT_FALSE(std::filesystem::exists(folder / trials_folder));
  for (const json& figure : result["figures"])
    EXPECT_TRUE(std::filesystem::exists(folder / "data" / (figure["id"].get<std::string>() + ".csv")));
  return result;
}

/// Without what a clock decides.
json untimed(json study) {
  for (const char* part : {"statements", "figures", "tables"}) {
    json kept = json::array();
    for (json& item : study[part])
      if (!item["timed"].get<bool>()) kept.push_back(std::move(item));
    study[part] = std::move(kept);
  }
  return study;
}

class EveryStudy : public testing::TestWithParam<std::string> {};

TEST_P(EveryStudy, EndsAndSaysTheSameOnAnyNumberOfThreads) {
  const Study& study = find_study(GetParam());
  const json once = conducted(study, 1);
  EXPECT_EQ(once["failed"], "");
  EXPECT_FALSE(once["statements"].empty());
  EXPECT_FALSE(once["settings"].empty());
  EXPECT_FALSE(once["figures"].empty() && once["tables"].empty());
  std::set<std::string> ids;
  for (const char* part : {"figures", "tables"})
    for (const json& item : once[part]) {
      EXPECT_TRUE(ids.insert(item["id"].get<std::string>()).second) << item["id"] << " twice";
      EXPECT_THAT(item["id"].get<std::string>(), testing::MatchesRegex("[A-Za-z0-9_-]+"));
    }
  for (const json& figure : once["figures"])
    for (const json& series : figure["series"]) {
      EXPECT_EQ(series["x"].size(), series["y"].size()) << figure["id"] << " " << series["name"];
      EXPECT_FALSE(series["x"].empty()) << figure["id"] << " " << series["name"];
    }
  for (const json& table : once["tables"])
    for (const json& row : table["rows"]) EXPECT_EQ(row.size(), table["columns"].size()) << table["id"];
  for (const json& statement : once["statements"]) {
    EXPECT_NE(statement["published"], "");
    EXPECT_NE(statement["where"], "");
    if (statement["verdict"] == "agrees")
      EXPECT_NE(statement["ours"], "") << statement["published"];
    else
      EXPECT_NE(statement["reason"], "") << statement["published"];
  }
  EXPECT_EQ(untimed(once), untimed(conducted(study, 2)));
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Study& study : all_studies()) result.push_back(study.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryStudy, testing::ValuesIn(names()), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Studies, AreThoseOfTheDocuments) {
  EXPECT_THAT(names(), testing::UnorderedElementsAre(
                           "convergence", "predictors", "estimators", "safety", "tolerances", "asymmetry",
                           "subsystems", "scaling-order", "impulses", "micro-steps", "interface-jacobian",
                           "feedthrough", "stability", "n-pendulum", "network", "paper-2017"));
}

TEST(StudyNames, AreThoseOfTheStudies) {
  std::vector<std::string_view> names;
  for (const Study& study : all_studies()) names.push_back(study.name);
  EXPECT_THAT(names, testing::ElementsAreArray(study_names));
}

TEST(Studies, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  try {
    find_study("convergense");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'convergence'?"));
  }
}

TEST(Study, ThatFailsKeepsTheReason) {
  const Study study{.name = "broken",
                    .title = "Broken",
                    .source = "none",
                    .about = {"It fails."},
                    .work = [](Lab&) -> Finding { throw LabFailure("trial 'x' failed"); }};
  const test::TemporaryFolder place;
  const std::filesystem::path folder = place / "study";
  const Conclusion conclusion = conduct(study, {.folder = folder});
  EXPECT_EQ(conclusion.failed, "trial 'x' failed");
  EXPECT_THAT(verdict_table(conclusion), testing::HasSubstr("ended early: trial 'x' failed"));
}

TEST(Study, IsInterruptedBeforeTheNextTrial) {
  const std::atomic<bool> interrupt = true;
  const Study study{.name = "long", .title = "", .source = "", .about = {}, .work = [](Lab& lab) {
                      lab.run("first", "cosimo: 1");
                      return Finding{};
                    }};
  const test::TemporaryFolder place;
  const std::filesystem::path folder = place / "study";
  EXPECT_THROW(conduct(study, {.folder = folder, .interrupt = &interrupt}), LabInterrupted);
}

TEST(Lab, OrdersAreSlopesInLogarithms) {
  const std::vector<double> h{1, 0.5, 0.25};
  const std::vector<double> error{3, 3.0 / 8, 3.0 / 64};
  EXPECT_NEAR(observed_order(h, error), 3, 1e-12);
  EXPECT_TRUE(std::isnan(observed_order(std::vector<double>{1}, std::vector<double>{1})));
  const std::vector<double> spaced = log_spaced(1, 100, 3);
  EXPECT_NEAR(spaced[1], 10, 1e-12);
  EXPECT_EQ(spaced.back(), 100);
}

TEST(VerdictTable, CountsAndExplains) {
  const Study study{.name = "s", .title = "T", .source = "[K] 5", .about = {}, .work = {}};
  Conclusion conclusion{.study = &study};
  conclusion.finding.statements = {judged("A", "here", "1", true, "unused"),
                                   judged("B", "there", "2", false, "because"),
                                   not_shown("C", "where", "small")};
  const std::string text = verdict_table(conclusion);
  EXPECT_THAT(text, testing::HasSubstr("1 of 3 published statements reproduced, 1 differ, 1 not shown"));
  EXPECT_THAT(text, testing::HasSubstr("because"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("unused")));
  const std::string closing = closing_table(std::vector{conclusion});
  EXPECT_THAT(closing, testing::HasSubstr("DIFFERS (s, there)"));
  EXPECT_THAT(closing, testing::HasSubstr("not shown (s, where)"));
}

}  // namespace
}  // namespace cosimo::studies
