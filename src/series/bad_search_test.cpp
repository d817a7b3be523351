// Wrong files of searches are refused before anything runs: with the line, the field, and what to write
// instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "cosimo/search.hpp"

namespace cosimo {
namespace {

struct Bad {
  const char* name;
  std::string text;
  int line;
  std::string field, says;
};

const std::string head = "cosimo: 1\noptimise:\n  scenario: two.yaml\n  vary:\n    model.chain.spring.c.2: ";
const std::string rest = "\n  measure: {m: max(1.x), f: frequency(1.x)}\n";
const std::string range = head + "{from: 1, to: 3}" + rest;  // line 7 is the next
const std::string key = "optimise.vary.model.chain.spring.c.2";

std::vector<Bad> bad_files() {
  const auto vary = [](const std::string& value) { return head + value + rest + "  minimise: m\n"; };
  const auto goal = [](const std::string& lines) { return range + "  minimise: m\n" + lines; };
  return {
      {"unknown_key", goal("  metod: tpe\n"), 8, "optimise.metod", "method"},
      {"no_goal", range, 3, "optimise.minimise", "maximise: NAME"},
      {"goal_not_measured", range + "  minimise: k\n", 7, "optimise.minimise", "there are m, f"},
      {"second_goal_not_measured", range + "  minimise: [m, k]\n", 7, "optimise.minimise.2",
       "there are m, f"},
      {"goal_both_ways", goal("  maximise: m\n"), 8, "optimise.maximise", "already"},
      {"one_end", vary("{from: 1}"), 5, key + ".to", "missing"},
      {"nan_end", vary("{from: .nan, to: 3}"), 5, key + ".from", "number"},
      {"equal_ends", vary("{from: 3, to: 3}"), 5, key, "same"},
      {"backwards", vary("{from: 3, to: 1}"), 5, key, "smaller"},
      {"log_from_zero", vary("{from: 0, to: 3, scale: log}"), 5, key, "logarithmic"},
      {"points_of_a_series", vary("{from: 1, to: 3, points: 5}"), 5, key + ".points", "from"},
      {"no_choice", vary("[]"), 5, key, "empty list"},
      {"value_refused", vary("{from: -3, to: soon}"), 5, key + ".to", "number"},
      {"choice_refused", vary("[1, soon]"), 5, "model.chain.spring.c.2", "soon"},
      {"bound_not_measured", goal("  bounds: {k: {max: 1}}\n"), 8, "optimise.bounds.k", "there are m, f"},
      {"bound_without_limit", goal("  bounds: {f: {}}\n"), 8, "optimise.bounds.f", "{max: 1}"},
      {"bound_backwards", goal("  bounds: {f: {min: 2, max: 1}}\n"), 8, "optimise.bounds.f", "smaller"},
      {"unknown_method", goal("  method: bobiqa\n"), 8, "optimise.method", "bobyqa"},
      {"method_without_bounds", goal("  bounds: {f: {max: 1}}\n  method: bobyqa\n"), 9, "optimise.method",
       "cobyla"},
      {"method_of_one_goal", goal("  maximise: f\n  method: slsqp\n"), 9, "optimise.method", "nsga2"},
      {"method_without_choices", head + "[1, 2]" + rest + "  minimise: m\n  method: cobyla\n", 8,
       "optimise.method", "tpe"},
      {"no_points", goal("  n: 0\n"), 8, "optimise.n", "from 1"},
      {"batch_above_n", goal("  n: 10\n  batch: 20\n"), 9, "optimise.batch", "smaller batch"},
      {"seed_too_large", goal("  seed: 5000000000\n"), 8, "optimise.seed", "2^32"},
      {"time_limit", goal("  limits: {time: soon}\n"), 8, "optimise.limits.time", "10 min"},
      {"keep_unknown", goal("  keep: all\n"), 8, "optimise.keep", "results"},
      {"measure_of_unknown_column", head + "{from: 1, to: 3}\n  measure: {m: max(3.x)}\n  minimise: m\n", 6,
       "optimise.measure.m", "3.x"},
      {"no_such_scenario",
       "cosimo: 1\noptimise:\n  scenario: tow.yaml\n  vary: {model.chain.mass: {from: 1, to: 2}}\n"
       "  measure: {m: max(1.x)}\n  minimise: m\n",
       3, "optimise.scenario", "two.yaml"},
      {"a_series", "cosimo: 1\nsweep: {}\n", 1, "optimise", "cosimo sweep"},
      {"a_scenario", "cosimo: 1\nsimulate: {end: 1}\n", 1, "optimise", "cosimo run"},
      {"empty", "", 1, "", "empty"},
  };
}

class BadSearch : public ::testing::TestWithParam<Bad> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("cosimo-bad-search-") + GetParam().name + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "two.yaml") << "cosimo: 1\nmodel:\n  chain: {masses: 2, mass: 1, spring: {c: "
                                           "[100, 50, 100]}, initial: {x: [-0.1, "
                                           "0.1]}}\nsimulate: {end: 1, output: 0.01}\npartition: none\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_P(BadSearch, IsRefusedWithLineFieldAndRemedy) {
  const Bad& bad = GetParam();
  try {
    Search::parse(bad.text, "bad.yaml", folder_).check();
    FAIL() << bad.name << " was accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U) << error.what();
    const Fault& fault = error.faults().front();
    EXPECT_EQ(fault.line, bad.line) << error.what();
    EXPECT_EQ(fault.field, bad.field) << error.what();
    EXPECT_EQ(fault.file, "bad.yaml");
    EXPECT_FALSE(fault.remedy.empty()) << error.what();
    EXPECT_THAT(error.what(), ::testing::HasSubstr(bad.says));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, BadSearch, ::testing::ValuesIn(bad_files()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace cosimo
