#include "series/table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace cosimo::series {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

SeriesData sample() {
  SeriesData data;
  data.file = "speeds.yaml";
  data.version = "1";
  data.variants = 3;
  data.id = {"a", "b", "c"};
  data.state = {"done", "failed", "waiting"};
  data.fault = {"", "solver", ""};
  data.message = {"", "at t = 1: no, \"never\"", ""};
  data.log = {"", "logs/b.log", ""};
  data.results = {"runs/a", "", ""};
  data.parameters = {{"model.v/x", {1, 2, 3}, {}}, {"w", {}, {"x", "y,z", "q"}}};
  data.measures = {{"worst", {0.1, nothing, nothing}, {}}};
  data.curves = {{"course", {{0, 1}, {}, {}}, {{5, 6}, {}, {}}}};
  data.wall_s = {1.5, 2, nothing};
  data.cpu_s = data.memory_mb = data.threads = data.wall_s;
  data.machine = {"m", "m", ""};
  data.cpu = {"c", "c", ""};
  return data;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Table, ComesBack) {
  const auto folder = std::filesystem::temp_directory_path() / ("cosimo-table-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  write_table(folder, sample());
  const SeriesData data = read_series(folder);
  EXPECT_EQ(data.file, "speeds.yaml");
  EXPECT_EQ(data.state, sample().state);
  EXPECT_EQ(data.message, sample().message);
  EXPECT_EQ(data.fault, sample().fault);
  EXPECT_EQ(data.log, sample().log);
  EXPECT_EQ(data.results, sample().results);
  ASSERT_EQ(data.parameters.size(), 2U);
  EXPECT_EQ(data.parameters[0].name, "model.v/x");
  EXPECT_EQ(data.parameters[0].number, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(data.parameters[1].text, sample().parameters[1].text);
  EXPECT_EQ(data.measures[0].number[0], 0.1);
  EXPECT_TRUE(std::isnan(data.measures[0].number[1])) << "a failed one is never a number";
  EXPECT_EQ(data.curves[0].t[0], (std::vector<double>{0, 1}));
  EXPECT_EQ(data.curves[0].values[0], (std::vector<double>{5, 6}));
  EXPECT_TRUE(data.curves[0].values[1].empty());
  EXPECT_EQ(data.wall_s[0], 1.5);
  EXPECT_EQ(text_of(folder / "variants.csv"),
            "variant,state,model.v/x,w,worst,fault,message\n1,done,1,x,0.1,,\n"
            "2,failed,2,\"y,z\",,solver,\"at t = 1: no, \"\"never\"\"\"\n3,waiting,3,q,,,\n");
  const std::string first = text_of(folder / "sweep.h5");
  write_table(folder, sample());
  EXPECT_EQ(text_of(folder / "sweep.h5"), first) << "equal data, equal bytes";
  std::filesystem::remove_all(folder);
}

TEST(Table, RefusesWhatIsNone) {
  EXPECT_THROW(read_series("/nowhere"), Error);
  const auto folder =
      std::filesystem::temp_directory_path() / ("cosimo-no-table-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "sweep.h5") << "no HDF5";
  EXPECT_THROW(read_series(folder), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cosimo::series
