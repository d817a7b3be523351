#include "series/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace cosimo::series {
namespace {

using ::testing::ElementsAre;

Plan plan_of(const std::string& body) {
  return read_plan("cosimo: 1\nsweep:\n  scenario: x.yaml\n  measure: {m: max(1.x)}\n" + body, "series.yaml",
                   "here");
}

TEST(Plan, AGridTakesAllWithAllTheLastFastest) {
  const Plan plan = plan_of("  vary:\n    a.b: [1, 2]\n    c: [x, [1, 2], {d: 3}]\n");
  ASSERT_EQ(plan.count, 6U);
  EXPECT_THAT(plan.settings(0), ElementsAre("a.b=1", "c=x"));
  EXPECT_THAT(plan.settings(1), ElementsAre("a.b=1", "c=[1, 2]"));
  EXPECT_THAT(plan.settings(5), ElementsAre("a.b=2", "c={d: 3}"));
  EXPECT_EQ(plan.scenario, std::filesystem::path("here/x.yaml"));
}

TEST(Plan, TextsKeepTheirUnitsAndQuotes) {
  const Plan plan = plan_of("  vary:\n    v: [15 km/h, \"off\", true, 1e-3]\n");
  EXPECT_THAT(plan.axes[0].values, ElementsAre("15 km/h", "\"off\"", "true", "1e-3"));
}

TEST(Plan, RangesHaveBothEndsExactly) {
  const Plan plan =
      plan_of("  vary:\n    k: {from: 1.0e6, to: 4.0e6, points: 3, scale: log}\n    s: {range: [-1, 1]}\n");
  EXPECT_EQ(plan.count, 9U);
  EXPECT_THAT(plan.axes[0].values, ElementsAre("1.0e+06", "2.0e+06", "4.0e+06"));
  EXPECT_THAT(plan.axes[1].values, ElementsAre("-1", "0", "1"));
}

TEST(Plan, AListTakesFirstWithFirst) {
  const Plan plan = plan_of("  vary:\n    a: [1, 2]\n    b: [3, 4]\n  design: list\n");
  ASSERT_EQ(plan.count, 2U);
  EXPECT_THAT(plan.settings(1), ElementsAre("a=2", "b=4"));
}

TEST(Plan, ALatinHypercubeHasOnePointPerStratumAndDividesLists) {
  const Plan plan = plan_of(
      "  vary:\n    a: {from: 0, to: 8}\n    w: [x, y]\n  design: latin-hypercube\n  n: 8\n  seed: 3\n");
  ASSERT_EQ(plan.count, 8U);
  std::set<int> strata;
  int x = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    strata.insert(static_cast<int>(std::floor(std::stod(plan.value(i, 0)))));
    x += plan.value(i, 1) == "x" ? 1 : 0;
  }
  EXPECT_EQ(strata.size(), 8U);
  EXPECT_EQ(x, 4);
}

TEST(Plan, TiedKeysFollowOthersAndThoseBeforeThem) {
  const Plan plan = plan_of(
      "  vary:\n    m.k: [1, 2]\n    d: {formula: 0.5*k}\n    e: {formula: d + other}\n    z: {values: [10], "
      "name: "
      "other}\n");
  ASSERT_EQ(plan.count, 2U);
  EXPECT_THAT(plan.settings(1), ElementsAre("m.k=2", "z=10", "d=1", "e=11"));
}

TEST(Plan, LimitsAreInSecondsAndMegabytes) {
  const Plan plan =
      plan_of("  vary: {a: [1]}\n  limits: {time: 2 min, memory: 4 GB}\n  keep: results of the failed\n");
  EXPECT_EQ(plan.time_limit, 120);
  EXPECT_EQ(plan.memory_limit, 4096);
  EXPECT_EQ(plan.keep, Keep::failed);
}

}  // namespace
}  // namespace cosimo::series
