#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "config/definition.hpp"
#include "config/scenario.hpp"
#include "numerics/expression.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string page(const char* name) {
  std::ifstream stream(std::filesystem::path(COSIMO_SOURCE_DIR) / "docs" / name);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(Schema, CommittedFileIsUpToDate) {
  EXPECT_EQ(page("scenario.schema.json"), json_schema())
      << "renew it by: cosimo schema > docs/scenario.schema.json";
}

TEST(Formulas, AllFunctionsAreInTheListForUsers) {
  const std::string text = page("multibody.md");
  const std::size_t begin = text.find("\n## Formulas\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string list = text.substr(begin, text.find("\n## ", begin + 1) - begin);
  for (const std::string_view name : function_names())
    EXPECT_THAT(list, HasSubstr("`" + std::string(name) + "("));
}

TEST(Schema, HoldsAvailableNamesOnly) {
  const std::string schema = json_schema();
  for (const char* name :
       {"\"masses\"", "\"half_sine\"", "\"beside_cuts_of\"", "\"exMD\"", "\"least-squares\"", "\"exOV\"",
        "\"overlap\"", "\"layers\"", "\"waveform\"", "\"imCV\"", "\"relaxation\"", "\"accrel\"",
        "\"displaced\"", "\"series\"", "\"subsystems\""}) {
    EXPECT_THAT(schema, HasSubstr(name));
  }
  EXPECT_THAT(schema, Not(HasSubstr("\"ranks\"")));
}

void expect_described(const Form& form, const std::string& path, const std::string& reference) {
  for (const Key& key : form.keys) {
    const std::string here = path + "." + key.name;
    EXPECT_THAT(reference, HasSubstr(key.name)) << here;
    if (!key.available) {
      EXPECT_FALSE(key.hint.empty()) << here;
      continue;
    }
    EXPECT_FALSE(key.description.empty()) << here;
    EXPECT_FALSE(key.forms.empty()) << here;
    for (const Form& inner : key.forms) {
      expect_described(inner, here, reference);
      for (const Form& entry : inner.entry) expect_described(entry, here, reference);
    }
  }
}

TEST(Reference, DescribesEveryKey) {
  expect_described(scenario_definition(), "", reference_markdown());
}

TEST(Reference, RowsHaveFiveCells) {
  std::istringstream lines(reference_markdown());
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| key |")) in_table = true;
    if (!line.starts_with("|")) in_table = false;
    if (!in_table) continue;
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    EXPECT_EQ(bars, 6U) << line;
  }
}

}  // namespace
}  // namespace cosimo::config
