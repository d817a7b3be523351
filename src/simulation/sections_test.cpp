// Work and waiting of every thread in the sections of the macro step (core/section.hpp).
#include <gtest/gtest.h>

#include <numeric>

#include "results/timing.hpp"
#include "simulation/execute.hpp"
#include "simulation/ranks_testing.hpp"

namespace cosimo::testing {
namespace {

std::string chain(int masses, const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: {}, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}}, seed: 7,
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}}}
simulate: {{end: 2.0e-5, output: 1.0e-6}}
{}
)",
                     masses, rest);
}

struct Timed {
  Report report;
  TimingTable timing;
};

Timed timed(const std::string& text, int threads) {
  const TemporaryFolder folder;
  RunOptions options;
  options.output_dir = folder.path() / "out";
  options.threads = threads;
  TestHooks hooks;
  hooks.crowd = true;
  Timed run{execute(config::parse_scenario(text, "test.yaml"), options, hooks), {}};
  EXPECT_EQ(run.report.status, "ok");
  run.timing = read_timing(options.output_dir / "timing.h5");
  return run;
}

double seconds(const Report& report, Section section) {
  const SectionReport& s = report.sections.at(index(section));
  return std::accumulate(s.work.begin(), s.work.end(), 0.0) +
         std::accumulate(s.waiting.begin(), s.waiting.end(), 0.0);
}

/// Every thread is somewhere all the time, and the file tells the same.
void expect_whole(const Timed& run, std::size_t threads) {
  const auto& sections = run.report.sections;
  ASSERT_EQ(sections.size(), section_texts.size());
  std::vector<double> all(threads);
  for (std::size_t s = 0; s < sections.size(); ++s) {
    EXPECT_EQ(sections[s].name, section_texts[s].name);
    EXPECT_EQ(run.timing.sections.names.at(s), section_texts[s].name);
    ASSERT_EQ(sections[s].work.size(), threads);
    ASSERT_EQ(sections[s].waiting.size(), threads);
    for (std::size_t k = 0; k < threads; ++k) {
      all[k] += sections[s].work[k] + sections[s].waiting[k];
      EXPECT_GE(sections[s].waiting[k], 0);
      EXPECT_EQ(run.timing.sections.work.at(s * threads + k), sections[s].work[k]);
      EXPECT_EQ(run.timing.sections.waiting.at(s * threads + k), sections[s].waiting[k]);
    }
  }
  for (const double each : all) {
    EXPECT_NEAR(each, all[0], 0.05 * all[0] + 1e-3);
    EXPECT_GT(each, 0);
    EXPECT_LE(each, run.report.wall_s);
  }
}

TEST(Sections, OfClassicCuts) {
  const Timed run = timed(chain(200, "partition: {parts: 4}\ncouple: {scheme: implicit}\n"), 2);
  expect_whole(run, 2);
  for (const Section section : {Section::predict, Section::integrate, Section::couple, Section::estimate})
    EXPECT_GT(seconds(run.report, section), 0) << section_texts[index(section)].name;
  EXPECT_EQ(seconds(run.report, Section::fit), 0);
}

TEST(Sections, OfOverlaps) {
  const Timed run = timed(chain(600, "partition: {parts: 3}\ncouple: {decomposition: overlap}\n"), 2);
  expect_whole(run, 2);
  for (const Section section : {Section::fit, Section::integrate, Section::estimate, Section::output})
    EXPECT_GT(seconds(run.report, section), 0) << section_texts[index(section)].name;
}

TEST(Sections, OfATeam) {
  const Timed run = timed(chain(9000, "partition: none\n"), 3);
  expect_whole(run, 3);
  const SectionReport& integrate = run.report.sections[index(Section::integrate)];
  for (std::size_t k = 0; k < 3; ++k) EXPECT_GT(integrate.work[k], 0) << "member " << k;
}

TEST(Sections, OfRanksOneAfterTheOther) {
  const RanksRun run = on_ranks(chain(200, "partition: {parts: 4}\n"), 2);
  EXPECT_EQ(run.report().sections.at(0).work.size(), 2U);
  EXPECT_GT(seconds(run.report(), Section::exchange), 0);
}

}  // namespace
}  // namespace cosimo::testing
