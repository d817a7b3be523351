// Every wrong scenario under tests/bad_input is refused with one fault: the one that
// tests/bad_input/expected.txt names, with its line, its field and a remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

const std::filesystem::path folder = std::filesystem::path(COSIMO_SOURCE_DIR) / "tests" / "bad_input";

struct Expectation {
  std::string file;
  int line = 0;
  std::string field;
  std::string text;
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<Expectation> expectations() {
  std::ifstream stream(folder / "expected.txt");
  std::vector<Expectation> all;
  for (std::string row; std::getline(stream, row);) {
    if (row.empty() || row[0] == '#') continue;
    std::istringstream cells(row);
    std::string file, line, field, text;
    std::getline(cells, file, '|');
    std::getline(cells, line, '|');
    std::getline(cells, field, '|');
    std::getline(cells, text);
    all.push_back({trimmed(file), std::stoi(line), trimmed(field), trimmed(text)});
  }
  return all;
}

class BadInput : public ::testing::TestWithParam<Expectation> {};

TEST_P(BadInput, IsRefusedWithLineFieldAndRemedy) {
  const Expectation& expected = GetParam();
  const std::string file = (folder / expected.file).string();
  try {
    load_scenario(file);
    FAIL() << file << " was accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U) << error.what();
    const Fault& fault = error.faults().front();
    EXPECT_EQ(fault.file, file);
    EXPECT_EQ(fault.line, expected.line) << error.what();
    EXPECT_EQ(fault.field, expected.field) << error.what();
    EXPECT_FALSE(fault.problem.empty());
    EXPECT_FALSE(fault.remedy.empty()) << error.what();
    EXPECT_THAT(error.what(), ::testing::HasSubstr(expected.text));
  }
}

std::string test_name(const ::testing::TestParamInfo<Expectation>& info) {
  std::string name = info.param.file == "." ? "folder" : info.param.file;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, BadInput, ::testing::ValuesIn(expectations()), test_name);

TEST(BadInputFolder, HasAnExpectationForEveryFile) {
  std::set<std::string> expected;
  for (const Expectation& expectation : expectations()) expected.insert(expectation.file);
  EXPECT_GE(expected.size(), 45U);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".yaml") continue;
    EXPECT_TRUE(expected.contains(name)) << name;
  }
}

}  // namespace
}  // namespace cosimo::config
