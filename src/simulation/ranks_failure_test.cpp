// Agreement on failure: what goes wrong on one rank ends all of them in order, with one reason. Every test
// here would hang where ranks disagree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <mutex>
#include <ostream>

#include "simulation/ranks_testing.hpp"

namespace cosimo::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// 40 masses in 4 parts; `loads` act on some of them, `dampers` say what springs do beyond c and d.
std::string chain(const std::string& loads, const std::string& rest,
                  const std::string& simulate = "end: 1.0e-4, output: 1.0e-6",
                  const std::string& dampers = "") {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 40, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25{}}}, initial: {{x: 0, v: {{uniform: [-100, 100]}}}},
          seed: 7, loads: [{}]}}
partition: {{parts: 4}}
simulate: {{{}}}
{}
)",
                     dampers, loads, simulate, rest);
}

/// A damper that drives body 36, which is in subsystem 4: its velocity is infinite at t = 2.6e-5.
const std::string blow =
    ", D: {blocks: [{count: 35, value: 0}, {count: 1, value: -1.0e-3}, {count: 5, value: 0}]}";

/// All ranks tell the same end.
void expect_agreement(const RanksRun& run) {
  for (const Report& report : run.reports) {
    EXPECT_EQ(report.status, run.report().status);
    EXPECT_EQ(report.outcome.reason, run.report().outcome.reason);
    EXPECT_EQ(report.outcome.culprit, run.report().outcome.culprit);
    EXPECT_EQ(report.outcome.time, run.report().outcome.time);
  }
}

struct Case {
  const char* name;
  const char* settings;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

const Case cases[] = {
    {"OverlapControlled", "couple: {decomposition: overlap}"},
    {"OverlapFixed", "couple: {decomposition: overlap, layers: 3}\ncontrol: {step: 1.0e-6}"},
    {"ExplicitControlled", "couple: {scheme: explicit}\ncontrol: {estimator: exCV, rtol: 1.0e-3}"},
    {"ExplicitComparing", "couple: {scheme: explicit}\ncontrol: {estimator: exMD, rtol: 1.0e-3}"},
    {"ExplicitFixed", "couple: {scheme: explicit}\ncontrol: {step: 1.0e-6, order: 1}"},
    {"GaussSeidelFixed",
     "couple: {scheme: explicit, sequence: gauss-seidel}\ncontrol: {step: 1.0e-6, order: 1}"},
    {"ImplicitControlled",
     "couple: {scheme: implicit, jacobian: fd}\ncontrol: {estimator: imCV, rtol: 1.0e-3}"},
    {"ImplicitFixed", "couple: {scheme: implicit, jacobian: sensitivity}\ncontrol: {step: 1.0e-6, order: 1}"},
    {"WaveformFixed", "couple: {scheme: waveform}\ncontrol: {step: 1.0e-6, order: 1}"},
};

class RanksFailure : public ::testing::TestWithParam<Case> {};

TEST_P(RanksFailure, OfASubsystemEndsAllRanksWithItsNameTimeAndReason) {
  const std::string text = chain("", GetParam().settings, "end: 1.0e-4, output: 1.0e-6", blow);
  const RanksRun one = on_ranks(text, 1);
  ASSERT_EQ(one.report().status, "failed");
  EXPECT_EQ(one.report().outcome.culprit, "subsystem 4");
  EXPECT_THAT(one.report().outcome.reason, AllOf(HasSubstr("subsystem 4"), HasSubstr("t = ")));
  EXPECT_GT(one.report().outcome.time, 2e-5);
  EXPECT_LT(one.report().outcome.time, 6e-5);
  for (const int ranks : {2, 4}) {
    const RanksRun run = on_ranks(text, ranks, {.threads = ranks == 2 ? 2 : 1});
    expect_agreement(run);
    EXPECT_NE(run.report().subsystems[3].rank, 0);
    EXPECT_EQ(difference(one, run), "") << ranks << " ranks";
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, RanksFailure, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(RanksLimit, OfTheMacroStepAndOfTheirNumberIsTheSameEverywhere) {
  for (const char* control : {"max_steps: 7", "min_step: 5.0e-7, first_step: 1.0e-6, rtol: 1.0e-9"}) {
    const std::string text = chain("", fmt::format("couple: {{scheme: explicit}}\ncontrol: {{{}}}", control));
    const RanksRun one = on_ranks(text, 1), three = on_ranks(text, 3);
    ASSERT_EQ(one.report().status, "failed") << control;
    expect_agreement(three);
    EXPECT_EQ(difference(one, three), "") << control;
  }
}

class RankInterrupt : public ::testing::TestWithParam<const char*> {};

TEST_P(RankInterrupt, OnAnyRankEndsAll) {
  const std::string endless = chain("", GetParam(), "end: 1.0e3, output: 1");
  for (int told = 0; told < 3; ++told) {
    std::atomic<bool> interrupt = false;
    const RanksRun run = on_ranks(endless, 3, {.prepare = [&](int rank, RunOptions& options) {
                                    // Rank 0 looks at the clock and presses the button of the rank in
                                    // question.
                                    if (rank == 0)
                                      options.progress = [&](const Progress&) { interrupt = true; };
                                    if (rank == told) options.interrupt = &interrupt;
                                  }});
    expect_agreement(run);
    EXPECT_EQ(run.report().status, "interrupted") << "rank " << told << ": " << run.report().outcome.reason;
    EXPECT_FALSE(run.results.empty());
    EXPECT_GT(run.report().macro_steps, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, RankInterrupt,
                         ::testing::Values("couple: {decomposition: overlap}",
                                           "couple: {scheme: implicit}\ncontrol: {step: 1.0e-7}"),
                         [](const auto& test) { return test.index == 0 ? "Overlap" : "Implicit"; });

TEST(RankOutput, ThatCannotBeMadeEndsAll) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "a-file") << "in the way\n";
  int threw = 0;
  std::mutex mutex;
  const config::Scenario scenario = config::parse_scenario(chain("", ""), "test.yaml");
  run_ranks(3, [&](Exchange& exchange) {
    RunOptions options;
    options.output_dir = folder.path() / "a-file" / "inside";
    try {
      execute(scenario, options, {.exchange = &exchange});
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("a-file"));
      const std::lock_guard lock(mutex);
      ++threw;
    }
  });
  EXPECT_EQ(threw, 3);
}

/// No file of this process may grow beyond a size: a disk that is full.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(RankOutput, OnAFullDiskEndsAllWithTheReason) {
  const std::string endless =
      chain("", "couple: {scheme: explicit}\ncontrol: {step: 1.0e-7}", "end: 1.0e-2, output: 1.0e-8");
  for (const int ranks : {2, 4}) {
    const SmallFiles full(1 << 20);
    const RanksRun run = on_ranks(endless, ranks);
    expect_agreement(run);
    EXPECT_EQ(run.report().status, "failed");
    EXPECT_THAT(run.report().outcome.reason, HasSubstr("results.h5"));
    EXPECT_EQ(run.report().outcome.culprit, "output");
    EXPECT_FALSE(run.results.empty()) << "what was flushed can be read";
  }
}

TEST(RankOutput, ThatFailsAtTheVeryEndIsKnownToAll) {
  // Nothing is sent before close(): a few rows of few bodies.
  const std::string brief = chain("", "couple: {scheme: explicit}\ncontrol: {step: 1.0e-6, order: 1}",
                                  "end: 1.0e-6, output: 1.0e-9");
  const SmallFiles full(1 << 18);
  const RanksRun run = on_ranks(brief, 3);
  expect_agreement(run);
  EXPECT_EQ(run.report().status, "failed");
  EXPECT_THAT(run.report().outcome.reason, HasSubstr("results.h5"));
}

}  // namespace
}  // namespace cosimo::testing
