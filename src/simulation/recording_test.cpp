// What a run leaves on disk about the choices of its control: layers of copies with overlaps, the order
// without them.
#include "simulation/recording.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "simulation/execute.hpp"
#include "simulation/overlap_testing.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo::testing {
namespace {

/// A whole run with its output folder, read back.
struct Recorded {
  Report report;
  Results results;
  std::string picture;

  explicit Recorded(const std::string& text) {
    const test::TemporaryFolder folder;
    RunOptions options;
    options.output_dir = folder.path();
    options.threads = 1;
    report = execute(config::parse_scenario(text, "test.yaml"), options);
    results = read_results(options.output_dir / "results.h5");
    std::ifstream svg(options.output_dir / "overview.svg");
    picture.assign(std::istreambuf_iterator<char>(svg), {});
  }
  bool shows(const std::string& words) const { return picture.find(words) != std::string::npos; }
};

TEST(Recording, StepsOfARunWithOverlapsTellTheirLayers) {
  // The violent start is too much for a first step of this size.
  const Recorded run(impulses(203, 7,
                              "simulate: {end: 2.0e-4, output: 7.0e-6}\ncouple: {decomposition: overlap}\n"
                              "control: {first_step: 5.0e-6}"));
  ASSERT_EQ(run.report.status, "ok");
  ASSERT_GT(run.report.rejected_steps, 0);
  int widest = 0, narrowest = 1'000'000;
  for (const StepRow& row : run.results.steps) {
    EXPECT_GT(row.layers, 0) << "t = " << row.t << (row.accepted ? "" : ", rejected");
    if (row.accepted) widest = std::max(widest, row.layers);
    narrowest = std::min(narrowest, row.layers);
  }
  EXPECT_EQ(widest, run.report.layers);
  EXPECT_EQ(widest, *std::max_element(run.results.cut_layers.begin(), run.results.cut_layers.end()));
  EXPECT_LT(narrowest, widest);  // not the maximum of the run in every row

  EXPECT_TRUE(run.shows("Layers of copies"));
  EXPECT_FALSE(run.shows("Order"));
  EXPECT_TRUE(run.shows(
      fmt::format(">explicit with overlap, exOV: {} macro steps ({} rejected), up to {} layers, {:.3g} s<",
                  run.report.macro_steps, run.report.rejected_steps, run.report.layers, run.report.wall_s)));
}

TEST(Recording, StepsOfARunWithClassicCutsHaveNone) {
  const Recorded run(two_masses(1, "simulate: {end: 0.05, output: 1.0e-3}\ncontrol: {estimator: exMD}"));
  ASSERT_EQ(run.report.status, "ok");
  ASSERT_FALSE(run.results.steps.empty());
  for (const StepRow& row : run.results.steps) EXPECT_EQ(row.layers, 0);
  EXPECT_TRUE(run.shows("Order κ"));
  EXPECT_FALSE(run.shows("ayers"));
  EXPECT_TRUE(run.shows(fmt::format(">explicit, exMD: {} macro steps ({} rejected), {:.3g} s<",
                                    run.report.macro_steps, run.report.rejected_steps, run.report.wall_s)));
}

TEST(Recording, SavingAMultistepMethodIsTimedApart) {
  const std::string rest = "simulate: {end: 0.05, output: 1.0e-3}\ncontrol: {estimator: exCV}\n";
  EXPECT_GT(Recorded(two_masses(1, rest + "solve: {method: ida}")).report.time.snapshot, 0);
  EXPECT_EQ(Recorded(two_masses(1, rest + "solve: {method: rk}")).report.time.snapshot, 0)
      << "nothing to copy";
}

/// The first report of a run that would never end by itself.
Progress first_progress(const std::string& text) {
  std::atomic<bool> enough = false;
  Progress first;
  RunOptions options;
  options.threads = 1;
  options.interrupt = &enough;
  options.progress = [&](const Progress& p) {
    if (!enough.exchange(true)) first = p;
  };
  EXPECT_EQ(execute(config::parse_scenario(text, "test.yaml"), options).status, "interrupted");
  return first;
}

TEST(Recording, ProgressTellsLayersOrOrder) {
  const std::string endless = "simulate: {end: 1.0e3, output: 1}\n";
  const Progress overlap = first_progress(
      table_5_9(203, 7, endless + "couple: {decomposition: overlap, layers: 9}\ncontrol: {step: 2.0e-6}"));
  EXPECT_GT(overlap.macro_steps, 0);
  EXPECT_EQ(overlap.layers, 9);
  const Progress classic = first_progress(two_masses(1, endless + "control: {step: 1.0e-5, order: 2}"));
  EXPECT_GT(classic.macro_steps, 0);
  EXPECT_EQ(classic.layers, 0);
  EXPECT_EQ(classic.kappa, 2);
}

}  // namespace
}  // namespace cosimo::testing
