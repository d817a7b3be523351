#include "results/csv.hpp"

#include <fstream>
#include <limits>
#include <sstream>

#include "core/error.hpp"
#include "results/test_support.hpp"

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

TEST(Csv, NamesColumnsAndWritesTablesBeside) {
  const test::TemporaryFolder folder;
  Results results;
  results.bodies = {1, 1, 2};
  results.columns = {"arm.x", "arm.phi", "odd, \"name\".x"};
  results.time = {0, 1};
  results.position = {1, 2, 3, 4, 5, 6};
  results.velocity = {7, 8, 9, 10, 11, 12};
  results.tables = {
      {"energy", {"kinetic", "potential"}, {0.5, 1.5}},  // the writer died before the second row
      {"forces/tyres", {"left"}, {-1, -2}}};
  write_csv(results, folder / "results.csv");
  EXPECT_EQ(text_of(folder / "results.csv"),
            "time,arm.x,arm.phi,\"odd, \"\"name\"\".x\",arm.x_dot,arm.phi_dot,\"odd, \"\"name\"\".x_dot\"\n"
            "0,1,2,3,7,8,9\n1,4,5,6,10,11,12\n");
  EXPECT_EQ(text_of(folder / "results_energy.csv"), "time,kinetic,potential\n0,0.5,1.5\n");
  EXPECT_EQ(text_of(folder / "results_forces_tyres.csv"), "time,left\n0,-1\n1,-2\n");
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
