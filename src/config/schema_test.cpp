#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
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

/// The names in backticks at the beginning of calls: `sin(a)`.
std::set<std::string> calls_in(const std::string& text) {
  std::set<std::string> found;
  const std::regex call("`([a-z0-9]+)\\(");
  for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

TEST(Formulas, PageHasAllFunctionsAndNoOthers) {
  const std::string text = page("formulas.md");
  const std::size_t begin = text.find("\n## Functions and operators\n");
  ASSERT_NE(begin, std::string::npos);
  const std::set<std::string> known(function_names().begin(), function_names().end());
  EXPECT_EQ(calls_in(text.substr(begin)), known);
}

void collect_variables(const Form& form, std::set<std::string>& names) {
  if (form.kind == Form::Kind::formula)
    for (const std::string& word : form.words)  // ref1, ref2, ... are one
      names.insert(word.substr(0, word.find_last_not_of("0123456789") + 1));
  for (const Form& entry : form.entry) collect_variables(entry, names);
  for (const Key& key : form.keys)
    for (const Form& inner : key.forms) collect_variables(inner, names);
}

TEST(Formulas, PageHasAllVariablesAndNoOthers) {
  const std::string text = page("formulas.md");
  const std::size_t begin = text.find("\n## Variables\n"), end = text.find("\nNames of", begin);
  ASSERT_NE(end, std::string::npos);
  std::set<std::string> known, listed;
  collect_variables(scenario_definition(), known);
  std::istringstream rows(text.substr(begin, end - begin));
  for (std::string row; std::getline(rows, row);) {
    const std::size_t second = row.find('|', 1);
    if (second == std::string::npos) continue;
    const std::regex name("`([a-z]+)[0-9]*`");
    for (std::sregex_iterator at(row.begin() + static_cast<std::ptrdiff_t>(second), row.end(), name), none;
         at != none; ++at)
      if (const std::string found = (*at)[1];
          found != "to" && found != "from" && found != "axis" && found != "of")
        listed.insert(found);
  }
  EXPECT_EQ(listed, known);
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
