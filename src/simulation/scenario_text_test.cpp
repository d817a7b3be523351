#include "cosimo/scenario_text.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace cosimo {
namespace {

using testing::Contains;
using testing::HasSubstr;

const ScenarioKey* find(const std::vector<ScenarioKey>& keys, const std::string& name) {
  const auto key =
      std::find_if(keys.begin(), keys.end(), [&](const ScenarioKey& k) { return k.key == name; });
  return key == keys.end() ? nullptr : &*key;
}

TEST(ScenarioText, KeysSayWhatTheyTake) {
  const std::vector<ScenarioKey> keys = scenario_keys();
  const ScenarioKey* const rtol = find(keys, "control.rtol");
  ASSERT_NE(rtol, nullptr);
  EXPECT_FALSE(rtol->meaning.empty());
  EXPECT_FALSE(rtol->section);
  const ScenarioKey* const scheme = find(keys, "couple.scheme");
  ASSERT_NE(scheme, nullptr);
  EXPECT_THAT(scheme->words, Contains("implicit"));
  const ScenarioKey* const chain = find(keys, "model.chain");
  ASSERT_NE(chain, nullptr);
  EXPECT_TRUE(chain->section);
  ASSERT_NE(find(keys, "control.order"), nullptr);
  EXPECT_FALSE(find(keys, "control.order")->section) << "may be a number as well";
  ASSERT_NE(find(keys, "simulate.end"), nullptr);
  EXPECT_TRUE(find(keys, "simulate.end")->required);
}

TEST(ScenarioText, EntriesOfListsHaveANumber) {
  const std::vector<ScenarioKey> keys = scenario_keys();
  const ScenarioKey* const kind = find(keys, "model.bodies.N.kind");
  ASSERT_NE(kind, nullptr);
  EXPECT_TRUE(kind->in_list);
  EXPECT_THAT(kind->words, testing::IsSupersetOf({"point", "planar", "rigid"}));
}

TEST(ScenarioText, EveryKeyOnce) {
  std::set<std::string> names;
  const std::vector<ScenarioKey> keys = scenario_keys();
  for (const ScenarioKey& key : keys) EXPECT_TRUE(names.insert(key.key).second) << key.key;
  EXPECT_GT(names.size(), 150u);
}

/// The schema comes from the same table: its keys at the outermost two levels are here, but for the chapters
/// of files that run a scenario many times. In a scenario they mean nothing.
TEST(ScenarioText, ListsWhatTheSchemaLists) {
  const auto schema = nlohmann::json::parse(scenario_schema());
  const std::vector<ScenarioKey> keys = scenario_keys();
  const std::set<std::string> of_series{"sweep", "optimise"};
  for (const auto& [name, value] : schema["properties"].items()) {
    EXPECT_EQ(find(keys, name) == nullptr, of_series.contains(name)) << name;
    if (of_series.contains(name)) continue;
    if (!value.contains("properties")) continue;
    for (const auto& [inner, ignored] : value["properties"].items())
      EXPECT_NE(find(keys, name + "." + inner), nullptr) << name << "." << inner;
  }
}

TEST(ScenarioText, TheEffectiveTextIsAScenario) {
  const Scenario scenario = Scenario::parse(
      "cosimo: 1\nmodel: {chain: {masses: 3, mass: 1, spring: {c: 1}}}\nsimulate: {end: 1}\n");
  EXPECT_THAT(effective_text(scenario), HasSubstr("rtol"));
  EXPECT_EQ(effective_text(Scenario::parse(effective_text(scenario))), effective_text(scenario));
}

}  // namespace
}  // namespace cosimo
