#include "simulation/output_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "core/error.hpp"
#include "results/recorder.hpp"
#include "results/vtk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using ::testing::HasSubstr;

void touch(const fs::path& file) {
  std::ofstream(file) << "of the user\n";
}

/// A run of a scenario in `folder`, as far as files go.
struct FakeRun {
  fs::path folder, scenario;
  std::uint64_t model = 7;
  std::vector<std::string> files = {"results.h5", "summary.json"};
  bool replace = false;

  /// Why it is refused; empty: it has run.
  std::string refusal() const {
    OutputFolder out(folder);
    try {
      out.claim({.scenario = scenario,
                 .effective = "cosimo: 1\n",
                 .model_hash = model,
                 .files = files,
                 .replace = replace});
    } catch (const Error& error) {
      return error.what();
    }
    out.clear(false);
    for (const std::string& file : files)
      if (file != "results.h5") touch(folder / file);
    ResultsLayout layout;
    layout.model_hash = model;
    ResultsWriter(folder / "results.h5", layout).close();
    return "";
  }
};

TEST(OutputFolder, AnEditedScenarioReplacesItsResults) {
  const TemporaryFolder place;
  touch(place / "a.yaml");
  FakeRun run{place / "out", place / "a.yaml"};
  EXPECT_EQ(run.refusal(), "");
  run.model = 8;
  EXPECT_EQ(run.refusal(), "");
  // The same scenario under another path.
  run.scenario = place / "out/../a.yaml";
  run.model = 9;
  EXPECT_EQ(run.refusal(), "");
}

TEST(OutputFolder, AnotherScenarioDoesNot) {
  const TemporaryFolder place;
  touch(place / "a.yaml");
  touch(place / "b.yaml");
  EXPECT_EQ((FakeRun{place / "out", place / "a.yaml"}).refusal(), "");
  FakeRun other{place / "out", place / "b.yaml", 8};
  EXPECT_THAT(other.refusal(), HasSubstr("the results of another scenario, " + (place / "a.yaml").string()));
  EXPECT_TRUE(fs::exists(place / "out/summary.json")) << "a refused run has touched the folder";
  other.model = 7;
  EXPECT_EQ(other.refusal(), "") << "the same model";
  EXPECT_THAT((FakeRun{place / "out", place / "a.yaml", 9}).refusal(), HasSubstr("b.yaml"));
  EXPECT_EQ((FakeRun{place / "out", place / "a.yaml", 9, {"results.h5"}, true}).refusal(), "");
  EXPECT_FALSE(fs::exists(place / "out/summary.json")) << "of the run before";
}

TEST(OutputFolder, WhatIsNotUsedLeavesNothing) {
  const TemporaryFolder place;
  { const OutputFolder unused(place / "new/inner"); }
  EXPECT_TRUE(fs::is_empty(place.path()));
  touch(place / "a.yaml");
  fs::create_directory(place / "out");
  touch(place / "out/summary.json");
  EXPECT_NE((FakeRun{place / "out", place / "a.yaml"}).refusal(), "");
  fs::remove(place / "out/summary.json");
  EXPECT_TRUE(fs::is_empty(place / "out"));
}

TEST(OutputFolder, OneRunAtATime) {
  const TemporaryFolder place;
  const auto second = [&] { const OutputFolder folder(place / "out"); };
  {
    const OutputFolder first(place / "out");
    EXPECT_THROW(second(), Error);
    EXPECT_THROW(second(), Error) << "a refused one has not taken the lock away";
  }
  EXPECT_NO_THROW(second());
}

TEST(OutputFolder, OneRunAtATimeWhileOthersEnd) {
  const TemporaryFolder place;
  std::atomic<int> inside{0}, most{0}, entered{0};
  const auto runs = [&] {
    for (int i = 0; i < 2000; ++i) try {
        const OutputFolder folder(place.path());
        const int now = ++inside;
        if (now > most) most = now;
        ++entered;
        std::this_thread::yield();
        --inside;
      } catch (const Error&) {  // another one is writing there
      }
  };
  { const std::jthread a(runs), b(runs), c(runs), d(runs); }
  EXPECT_GT(entered, 0);
  EXPECT_EQ(most, 1);
}

TEST(OutputFolder, FilesThatNoRunWroteStay) {
  const TemporaryFolder place;
  touch(place / "a.yaml");
  FakeRun run{place / "out", place / "a.yaml"};
  EXPECT_EQ(run.refusal(), "");
  touch(place / "out/notes.txt");
  touch(place / "out/results.csv");
  EXPECT_EQ(run.refusal(), "");
  EXPECT_TRUE(fs::exists(place / "out/notes.txt") && fs::exists(place / "out/results.csv"));
  run.files.emplace_back("results.csv");
  EXPECT_THAT(run.refusal(), HasSubstr("results.csv that no run wrote"));
  fs::remove(place / "out/results.csv");
  EXPECT_EQ(run.refusal(), "");
  run.files.pop_back();
  EXPECT_EQ(run.refusal(), "");
  EXPECT_FALSE(fs::exists(place / "out/results.csv")) << "of the run before";
}

TEST(OutputFolder, NothingOutsideIsRemoved) {
  const TemporaryFolder place;
  touch(place / "a.yaml");
  const FakeRun run{place / "out", place / "a.yaml"};
  EXPECT_EQ(run.refusal(), "");
  std::ofstream(place / "out/.cosimo", std::ios::app) << "- ../a.yaml\n";
  EXPECT_EQ(run.refusal(), "");
  EXPECT_TRUE(fs::exists(place / "a.yaml"));
}

TEST(OutputFolder, ARunDoesNotOverwriteItsInput) {
  const TemporaryFolder place;
  FakeRun run{place.path(), place / "scenario.effective.yaml"};
  run.files.emplace_back("scenario.effective.yaml");
  touch(run.scenario);
  EXPECT_THAT(run.refusal(), HasSubstr("would overwrite its own scenario file"));
  std::ofstream(run.scenario) << "cosimo: 1\n";
  run.files.pop_back();
  EXPECT_EQ(run.refusal(), "") << "it would write what is there";
}

TEST(OutputFolder, AnAnimationGoesAndNothingElse) {
  const TemporaryFolder place;
  VtkWriter(place.path(), {.bodies = {{}}}).frame(0, std::vector<BodyPose>(1));
  touch(place / "motion_0002.vtp");
  touch(place / "motion_x.vtp");
  ASSERT_TRUE(fs::exists(place / "motion_0001.vtp") && fs::exists(place / "motion.pvd"));
  remove_motion(place.path());
  EXPECT_FALSE(fs::exists(place / "motion_0001.vtp") || fs::exists(place / "motion.pvd"));
  EXPECT_TRUE(fs::exists(place / "motion_0002.vtp") && fs::exists(place / "motion_x.vtp"));
}

}  // namespace
}  // namespace cosimo
