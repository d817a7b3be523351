#include "record/csv.hpp"

#include <fstream>
#include <limits>
#include <sstream>

#include "core/error.hpp"
#include "record/test_support.hpp"

namespace cosimo {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Csv, WritesNumbersThatReadBackExactly) {
  const test::TemporaryFolder folder;
  Results results;
  results.bodies = {1, 7};
  results.time = {0, 0.1};
  results.position = {1, 2, 1.0 / 3, 1e-300};
  results.velocity = {-1, -2, -0.0, std::numeric_limits<double>::max()};
  write_csv(results, folder / "results.csv");
  std::istringstream in(text_of(folder / "results.csv"));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "time,x_1,x_7,v_1,v_7");
  std::getline(in, line);
  EXPECT_EQ(line, "0,1,2,-1,-2");
  std::getline(in, line);
  EXPECT_EQ(line.substr(0, 40), "0.10000000000000001,0.33333333333333331,");
  std::vector<double> values;
  std::istringstream fields(line);
  for (std::string field; std::getline(fields, field, ',');) values.push_back(std::stod(field));
  EXPECT_EQ(values, (std::vector<double>{0.1, 1.0 / 3, 1e-300, -0.0, std::numeric_limits<double>::max()}));
  EXPECT_FALSE(std::getline(in, line));
}

TEST(Csv, NoRowsAndNoBodiesGiveTheHeadOnly) {
  const test::TemporaryFolder folder;
  write_csv({}, folder / "results.csv");
  EXPECT_EQ(text_of(folder / "results.csv"), "time\n");
}

TEST(Csv, FullDiskIsAnIoError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  Results results;
  results.time.assign(1000, 1.0);
  try {
    write_csv(results, "/dev/full");
    FAIL();
  } catch (const IoError& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot write: No space left on device");
  }
}

}  // namespace
}  // namespace cosimo
