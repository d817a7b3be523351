// What a run leaves on disk, read back through the public class; and what is left of it when files are
// missing, cut off or damaged.
#include "cosimo/result_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>

#include "core/error.hpp"
#include "cosimo/cosimo.hpp"
#include "results/recorder.hpp"
#include "simulation/ranks_testing.hpp"

namespace cosimo::testing {
namespace {

namespace fs = std::filesystem;

const char* const chain_text = R"(cosimo: 1
model:
  chain: {masses: 12, mass: 1, spring: {c: 1, d: 0.02, C: 0.5}, initial: {x: {uniform: [-1, 1]}}, seed: 3}
partition: {parts: 3}
simulate: {end: 4, output: 0.1}
couple: {scheme: explicit, decomposition: force-force}
control: {estimator: exMD, rtol: 1.0e-3, first_step: 1}
)";

const char* const rods_text = R"(cosimo: 1
model:
  pendulum: {links: 8, length: 0.2, mass: 0.3, body: rod, joint: revolute, angle: 0.4,
             compliant: {every: 2, stiffness: 2.0e3, damping: 2}}
partition: {parts: 2}
simulate: {end: 0.02, output: 0.002}
couple: {scheme: explicit, decomposition: force-force}
control: {estimator: exMD}
)";

/// A run and its folder.
struct Written {
  TemporaryFolder place;
  fs::path folder;
  Report report;
  explicit Written(const std::string& text) : folder(place.path() / "model.out") {
    RunOptions options;
    options.output_dir = folder;
    options.threads = 1;
    report = run(Scenario::parse(text), options);
  }
};

bool mentions(const ResultFolder& folder, const std::string& words) {
  return std::any_of(folder.remarks().begin(), folder.remarks().end(),
                     [&](const std::string& remark) { return remark.find(words) != std::string::npos; });
}

void cut_off(const fs::path& file, double share) {
  fs::resize_file(file, static_cast<std::uintmax_t>(share * static_cast<double>(fs::file_size(file))));
}

TEST(ResultFolder, GivesTheNumbersOfTheFile) {
  const Written written(chain_text);
  const ResultFolder folder(written.folder);
  const Results all = read_results(written.folder / "results.h5");
  EXPECT_TRUE(folder.remarks().empty());
  EXPECT_EQ(folder.name(), "model.out");
  EXPECT_EQ(folder.summary(), to_json(written.report));
  EXPECT_NE(folder.scenario().find("masses: 12"), std::string::npos);
  EXPECT_EQ(folder.time(), all.time);
  const std::size_t rows = all.time.size();
  EXPECT_EQ(folder.positions(0, rows, 0, 12), all.position);
  EXPECT_EQ(folder.velocities(0, rows, 0, 12), all.velocity);
  const std::vector<double> block = folder.positions(7, 2, 4, 3);
  ASSERT_EQ(block.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(block[i], all.position[(7 + i / 3) * 12 + 4 + i % 3]);
  EXPECT_EQ(folder.coupling(0, folder.points().size(), 0, folder.variables()), all.u);
  ASSERT_EQ(folder.steps().size(), all.steps.size());
  EXPECT_EQ(static_cast<std::int64_t>(folder.points().size()), written.report.macro_steps);
  EXPECT_EQ(folder.points().back(), 4.0);
  EXPECT_THROW(folder.positions(rows, 1, 0, 1), Error);
  EXPECT_THROW(folder.coupling(0, 1, 2, 1), Error);
}

TEST(ResultFolder, TellsWhatBelongsTogether) {
  const Written written(chain_text);
  const ResultFolder folder(written.folder);
  ASSERT_EQ(folder.columns().size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(folder.columns()[i].part, static_cast<std::int32_t>(i / 4 + 1));
    EXPECT_EQ(folder.columns()[i].body, static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(folder.columns()[i].coordinate, "x");
  }
  ASSERT_EQ(folder.cuts().size(), 2u);
  const RecordedCut& cut = folder.cuts()[1];
  EXPECT_EQ(cut.bodies, (std::array<std::int64_t, 2>{8, 9}));
  EXPECT_EQ(cut.parts, (std::array<std::int32_t, 2>{2, 3}));
  EXPECT_EQ(cut.name, "element 9 between bodies 8 and 9");
  EXPECT_EQ(folder.cut_of_variable(), (std::vector<std::int32_t>{0, 1}));
  EXPECT_TRUE(folder.links().empty()) << "a chain needs none";
}

TEST(ResultFolder, EveryEstimatedStepNamesACut) {
  const Written written(chain_text);
  ASSERT_GT(written.report.rejected_steps, 0);
  const ResultFolder folder(written.folder);
  const StepHistory& steps = folder.steps();
  std::vector<std::int64_t> rejected(2);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.error[i] == 0) continue;  // no history yet
    ASSERT_GE(steps.cut[i], 0) << i;
    ASSERT_LT(steps.cut[i], 2) << i;
    if (steps.accepted[i] == 0) ++rejected[static_cast<std::size_t>(steps.cut[i])];
  }
  EXPECT_EQ(*std::max_element(rejected.begin(), rejected.end()), written.report.blame.rejected_steps);
}

TEST(ResultFolder, CountsMicroSteps) {
  const Written written(chain_text);
  const ResultFolder folder(written.folder);
  const TimingHistory& timing = folder.timing();
  ASSERT_EQ(timing.subsystems, 3u);
  ASSERT_EQ(timing.micro_steps.size(), timing.solve.size());
  EXPECT_EQ(std::accumulate(timing.count.begin(), timing.count.end(), std::int64_t{0}),
            written.report.macro_steps + written.report.rejected_steps);
  for (std::size_t s = 0; s < 3; ++s) {
    double steps = 0;
    for (std::size_t row = 0; row < timing.t.size(); ++row) steps += timing.micro_steps[row * 3 + s];
    // Those of rejected attempts count, too.
    EXPECT_GT(steps, static_cast<double>(written.report.subsystems[s].micro_steps));
  }
  const Written fixed(R"(cosimo: 1
model: {chain: {masses: 12, mass: 1, spring: {c: 1, d: 0.02}, initial: {x: {uniform: [-1, 1]}}, seed: 3}}
partition: {parts: 3}
simulate: {end: 1, output: 0.1}
couple: {scheme: explicit, decomposition: force-force}
control: {step: 0.05}
)");
  const ResultFolder plain(fixed.folder);
  for (std::size_t s = 0; s < 3; ++s) {
    double steps = 0;
    for (std::size_t row = 0; row < plain.timing().t.size(); ++row)
      steps += plain.timing().micro_steps[row * 3 + s];
    EXPECT_EQ(steps, static_cast<double>(fixed.report.subsystems[s].micro_steps));
  }
}

TEST(ResultFolder, NamesBodiesCutsAndVariablesOfAMechanism) {
  const Written written(rods_text);
  ASSERT_EQ(written.report.status, "ok");
  const ResultFolder folder(written.folder);
  ASSERT_FALSE(folder.columns().empty());
  EXPECT_NE(folder.columns()[0].body_name, "1");
  ASSERT_EQ(folder.cuts().size(), 1u);
  EXPECT_NE(folder.cuts()[0].name.find(" between "), std::string::npos);
  ASSERT_EQ(folder.variable_names().size(), folder.variables());
  EXPECT_EQ(folder.variable_names()[0], "force 1");
  EXPECT_EQ(folder.cut_of_variable(), std::vector<std::int32_t>(folder.variables(), 0));
  // Joints and bushings join each rod to the one before and the first to the ground.
  ASSERT_EQ(folder.links().size(), 8u);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(folder.links()[i],
              (std::array<std::int64_t, 2>{static_cast<std::int64_t>(i), static_cast<std::int64_t>(i + 1)}));
  ASSERT_FALSE(folder.tables().empty());
  EXPECT_EQ(folder.tables()[0].name, "energy");
  EXPECT_EQ(folder.table(0, 0, 1).size(), folder.tables()[0].columns.size());
}

TEST(ResultFolder, ALatticeTellsItsLinks) {
  const Written written(R"(cosimo: 1
model: {lattice: {size: [3, 2], mass: 1, spring: {c: 1, d: 0.1}, initial: {x: {uniform: [-1, 1]}}, seed: 6}}
simulate: {end: 0.1, output: 0.1}
)");
  const ResultFolder folder(written.folder);
  std::size_t between = 0;
  for (const auto& [a, b] : folder.links()) between += a > 0 && b > 0 ? 1 : 0;
  EXPECT_EQ(between, 7u);
}

TEST(ResultFolder, ReadsWhatOneRankOfSeveralHasWritten) {
  const TemporaryFolder place;
  const config::Scenario scenario = config::parse_scenario(chain_text, "test.yaml");
  for (const int ranks : {1, 3})
    run_ranks(ranks, [&](Exchange& exchange) {
      RunOptions options;
      options.output_dir = place.path() / std::to_string(ranks);
      options.threads = 1;
      execute(scenario, options, {.exchange = &exchange});
    });
  const ResultFolder one(place.path() / "1"), three(place.path() / "3");
  EXPECT_EQ(one.steps().cut, three.steps().cut);
  EXPECT_EQ(one.timing().micro_steps, three.timing().micro_steps);
  EXPECT_FALSE(three.timing().micro_steps.empty());
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(one.columns()[i].part, three.columns()[i].part);
}

TEST(ResultFolder, MissingFilesAreRemarks) {
  const Written written(chain_text);
  for (const char* name : {"summary.json", "timing.h5", "scenario.effective.yaml", "results.h5"}) {
    fs::remove(written.folder / name);
    const ResultFolder folder(written.folder.string() + "/");
    EXPECT_TRUE(mentions(folder, name));
    EXPECT_EQ(folder.name(), "model.out");
    if (std::string(name) == "scenario.effective.yaml") break;
  }
  const ResultFolder folder(written.folder / "results.h5");
  EXPECT_EQ(folder.time().size(), 41u);
  EXPECT_EQ(folder.remarks().size(), 3u);
}

TEST(ResultFolder, DamagedFilesAreRemarks) {
  const Written written(chain_text);
  std::ofstream(written.folder / "summary.json") << "{\"status\": \"o";
  cut_off(written.folder / "timing.h5", 0.5);
  cut_off(written.folder / "results.h5", 0.6);
  std::ofstream(written.folder / "results.h5.resumed") << "x";
  const ResultFolder folder(written.folder);
  for (const char* name : {"summary.json", "timing.h5", "results.h5 cannot be read", "results.h5.resumed"})
    EXPECT_TRUE(mentions(folder, name)) << name;
  EXPECT_TRUE(folder.summary().empty());
  EXPECT_TRUE(folder.time().empty() && folder.columns().empty() && folder.steps().size() == 0);
  EXPECT_TRUE(folder.positions(0, 0, 0, 0).empty() && folder.local_positions().empty());
  std::ofstream(written.folder / "results.h5", std::ios::trunc).close();
  EXPECT_TRUE(mentions(ResultFolder(written.folder), "results.h5 cannot be read"));
}

TEST(ResultFolder, OnlyNothingIsRefused) {
  const TemporaryFolder place;
  EXPECT_THROW(ResultFolder(place.path() / "nowhere"), Error);
  try {
    const ResultFolder folder(place.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cosimo run"), std::string::npos);
  }
}

TEST(ResultFolder, ReadsARunThatGoesOn) {
  const TemporaryFolder place;
  ResultsLayout layout;
  layout.bodies = {1, 2};
  ResultsWriter writer(place.path() / "results.h5", layout);
  const std::vector<double> row = {1, 2};
  for (int i = 0; i < 10; ++i) writer.output(i, row, row);
  writer.flush();
  const ResultFolder folder(place.path());
  EXPECT_EQ(folder.time().size(), 10u);
  EXPECT_EQ(folder.positions(9, 1, 0, 2), row);
  EXPECT_TRUE(mentions(folder, "summary.json is missing"));
  EXPECT_EQ(folder.columns()[0].part, 0) << "not recorded";
}

}  // namespace
}  // namespace cosimo::testing
