// Wrong series files are refused before anything runs: with the line, the field, and what to write instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "cosimo/series.hpp"

namespace cosimo {
namespace {

struct Bad {
  const char* name;
  std::string text;  ///< behind "cosimo: 1\nsweep:\n", or the whole where it begins with "cosimo" or "!"
  int line;
  std::string field, says;
};

const std::string rest = "  measure: {m: max(1.x)}\n";
const std::string c2 = "    model.chain.spring.c.2: ";

std::vector<Bad> bad_files() {
  const std::string head = "  scenario: two.yaml\n";  // line 3
  const auto vary = [&](const std::string& value) { return head + "  vary:\n" + c2 + value + "\n" + rest; };
  return {
      {"unknown_key", head + "  vari: {}\n" + rest, 4, "sweep.vari", "vary"},
      {"no_scenario", "  vary:\n" + c2 + "[1]\n" + rest, 2, "sweep.scenario", "missing"},
      {"no_such_scenario", "  scenario: tow.yaml\n  vary:\n" + c2 + "[1]\n" + rest, 3, "sweep.scenario",
       "two.yaml"},
      {"no_measure", head + "  vary:\n" + c2 + "[1]\n", 2, "sweep.measure", "missing"},
      {"empty_measure", head + "  vary:\n" + c2 + "[1]\n  measure: {}\n", 6, "sweep.measure", "empty"},
      {"nothing_varied", head + rest, 3, "sweep.vary", "missing"},
      {"empty_list", vary("[]"), 5, "sweep.vary.model.chain.spring.c.2", "empty list"},
      {"nan", vary("[1, .nan]"), 5, "sweep.vary.model.chain.spring.c.2", "finite"},
      {"nan_end", vary("{from: .nan, to: 3, points: 3}"), 5, "sweep.vary.model.chain.spring.c.2.from",
       "number"},
      {"equal_ends", vary("{from: 3, to: 3, points: 3}"), 5, "sweep.vary.model.chain.spring.c.2", "same"},
      {"one_end", vary("{from: 3, points: 3}"), 5, "sweep.vary.model.chain.spring.c.2", "one end"},
      {"log_from_zero", vary("{from: 0, to: 3, points: 3, scale: log}"), 5,
       "sweep.vary.model.chain.spring.c.2", "logarithmic"},
      {"no_points", vary("{from: 1, to: 3}"), 5, "sweep.vary.model.chain.spring.c.2", "points"},
      {"no_values", vary("{name: k}"), 5, "sweep.vary.model.chain.spring.c.2", "no values"},
      {"two_ways", vary("{values: [1], range: [1, 2]}"), 5, "sweep.vary.model.chain.spring.c.2",
       "several ways"},
      {"range_backwards", vary("{range: [3, 1]}"), 5, "sweep.vary.model.chain.spring.c.2", "empty"},
      {"range_of_one", vary("{range: [3]}"), 5, "sweep.vary.model.chain.spring.c.2.range", "1 entry"},
      {"unknown_scale", vary("{from: 1, to: 3, points: 3, scale: lgo}"), 5,
       "sweep.vary.model.chain.spring.c.2.scale", "log"},
      {"key_twice", head + "  vary:\n" + c2 + "[1]\n" + c2 + "[2]\n" + rest, 6,
       "sweep.vary.model.chain.spring.c.2", "second time"},
      {"part_of_another", head + "  vary:\n" + c2 + "[1]\n    model.chain.spring: [{c: 3}]\n" + rest, 5,
       "sweep.vary.model.chain.spring.c.2", "as a whole"},
      {"run_is_varied", head + "  vary:\n    run.threads: [1, 2]\n" + rest, 5, "sweep.vary.run.threads",
       "result"},
      {"too_many",
       head + "  vary:\n" + c2 +
           "{from: 1, to: 2, points: 100000}\n    model.chain.seed: {range: [1, 10000]}\n" + rest,
       3, "sweep.vary", "1e+09 variants"},
      {"unknown_design", vary("[1]") + "  design: gird\n", 7, "sweep.design", "grid"},
      {"spread_without_n", vary("{from: 1, to: 2}") + "  design: sobol\n", 3, "sweep.n", "n: 100"},
      {"grid_with_n", vary("[1]") + "  n: 10\n", 7, "sweep.n", "spread"},
      {"lists_of_other_lengths",
       head + "  vary:\n" + c2 + "[1, 2]\n    model.chain.seed: [1, 2, 3]\n  design: list\n" + rest, 6,
       "sweep.vary.model.chain.seed", "3 values"},
      {"measure_of_unknown_column", head + "  vary:\n" + c2 + "[1]\n  measure: {m: max(3.x)}\n", 6,
       "sweep.measure.m", "3.x"},
      {"measure_runs_nothing", head + "  vary:\n" + c2 + "[1]\n  measure: {m: system(1.x)}\n", 6,
       "sweep.measure.m", "system"},
      {"measure_without_end", head + "  vary:\n" + c2 + "[1]\n  measure: {m: 'max(1.x'}\n", 6,
       "sweep.measure.m", ""},
      {"measure_name", head + "  vary:\n" + c2 + "[1]\n  measure: {1m: max(1.x)}\n", 6, "sweep.measure.1m",
       "name"},
      {"unknown_key_of_scenario", head + "  vary:\n    model.chain.spirng.c: [1]\n" + rest, 5,
       "model.chain.spirng", "spring"},
      {"value_refused", head + "  vary:\n    model.chain.mass: [1, -5]\n" + rest, 5, "model.chain.mass",
       "-5"},
      {"value_of_other_kind", vary("[soon]"), 5, "model.chain.spring.c.2", "soon"},
      {"tied_to_nobody", head + "  vary:\n" + c2 + "{formula: 2*k}\n" + rest, 3, "sweep.vary", "tied"},
      {"tied_to_unknown",
       head + "  vary:\n" + c2 +
           "{from: 1, to: 2, points: 2, name: k}\n    model.chain.seed: {formula: 2*kk}\n" + rest,
       6, "sweep.vary.model.chain.seed", "kk"},
      {"keep_unknown", vary("[1]") + "  keep: all\n", 7, "sweep.keep", "results"},
      {"time_limit", vary("[1]") + "  limits: {time: soon}\n", 7, "sweep.limits.time", "10 min"},
      {"memory_limit", vary("[1]") + "  limits: {memory: 5 parsecs}\n", 7, "sweep.limits.memory", "4 GB"},
      {"points_missing", head + "  points: nowhere.csv\n" + rest, 0, "", "no such file"},
      {"points_ragged", head + "  points: ragged.csv\n" + rest, 3, "sweep.points", "3 values"},
      {"points_key_twice", head + "  points: twice.csv\n" + rest, 4, "sweep.points", "two columns"},
      {"points_of_run", head + "  points: run.csv\n" + rest, 4, "sweep.points", "never changes a result"},
      {"points_and_values", head + "  points: good.csv\n  vary:\n    model.chain.seed: [1]\n" + rest, 6,
       "sweep.vary.model.chain.seed", "file of points"},
      {"a_scenario", "cosimo: 1\nsimulate: {end: 1}\n", 1, "sweep", "cosimo run"},
      {"empty", "!", 1, "", "empty"},
      {"no_version", "sweep: {}\n", 1, "cosimo", "cosimo: 1"},
  };
}

class BadSeries : public ::testing::TestWithParam<Bad> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("cosimo-bad-series-") + GetParam().name + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    write("two.yaml",
          "cosimo: 1\nmodel:\n  chain: {masses: 2, mass: 1, spring: {c: [100, 50, 100]}, initial: {x: [-0.1, "
          "0.1]}}\n"
          "simulate: {end: 1, output: 0.01}\npartition: none\n");
    write("good.csv", "model.chain.spring.c.2\n5\n6\n");
    write("ragged.csv", "model.chain.spring.c.2, model.chain.seed\n5, 1\n6, 2, 3\n");
    write("run.csv", "model.chain.seed,run.threads\n5,1\n");
    write("twice.csv", "model.chain.seed,model.chain.seed\n5,1\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  std::filesystem::path folder_;
};

TEST_P(BadSeries, IsRefusedWithLineFieldAndRemedy) {
  const Bad& bad = GetParam();
  const bool whole = bad.text.starts_with("cosimo") || bad.text.starts_with("sweep");
  const std::string text = bad.text == "!" ? "" : whole ? bad.text : "cosimo: 1\nsweep:\n" + bad.text;
  try {
    Series::parse(text, "bad.yaml", folder_).check();
    FAIL() << bad.name << " was accepted";
  } catch (const Error& error) {
    ASSERT_FALSE(error.faults().empty());
    const Fault& fault = error.faults().front();
    EXPECT_EQ(fault.line, bad.line) << error.what();
    EXPECT_EQ(fault.field, bad.field) << error.what();
    EXPECT_FALSE(fault.file.empty()) << error.what();
    EXPECT_FALSE(fault.remedy.empty()) << error.what();
    EXPECT_THAT(error.what(), ::testing::HasSubstr(bad.says));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, BadSeries, ::testing::ValuesIn(bad_files()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace cosimo
