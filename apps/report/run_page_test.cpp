// The data of report.html: every number is one of the files, the size stays below its budget, and folders in
// any state give a page.
#include "apps/report/run_page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "apps/report/script_text.hpp"
#include "apps/report/test_support.hpp"
#include "core/error.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/result_folder.hpp"

namespace cosimo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using page::test::decode;

const char* const chain_text = R"(cosimo: 1
model:
  chain: {masses: 60, mass: 1, spring: {c: 1, d: 0.02, C: 0.5}, initial: {x: {uniform: [-1, 1]}}, seed: 3}
partition: {parts: 4}
simulate: {end: 20, output: 0.02}
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

class RunPage : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = new page::test::TemporaryFolder;
    RunOptions options;
    options.threads = 1;
    options.output_dir = chain();
    run(Scenario::parse(chain_text), options);
    options.output_dir = rods();
    run(Scenario::parse(rods_text), options);
  }
  static void TearDownTestSuite() {
    delete place_;
    place_ = nullptr;
  }
  static fs::path chain() { return place_->path() / "chain"; }
  static fs::path rods() { return place_->path() / "rods"; }
  /// A copy to be damaged.
  static fs::path copy(const std::string& name) {
    fs::remove_all(place_->path() / name);
    fs::copy(chain(), place_->path() / name, fs::copy_options::recursive);
    return place_->path() / name;
  }
  static json data(const RunPageOptions& options) { return json::parse(run_page_json(options)); }
  static json only(const fs::path& folder) { return data({.folders = {folder}})["runs"][0]; }

  static page::test::TemporaryFolder* place_;
};
page::test::TemporaryFolder* RunPage::place_ = nullptr;

std::string remarks(const json& run) {
  std::string text;
  for (const char* list : {"remarks", "notes"})
    for (const auto& remark : run[list]) text += remark.get<std::string>() + "\n";
  return text;
}

/// Every point of a course is a row of the file.
void expect_rows(const json& series, const std::vector<double>& t, const std::vector<double>& y) {
  const std::vector<double> times = decode(series["t"]), values = decode(series["y"]);
  ASSERT_EQ(times.size(), values.size());
  EXPECT_EQ(series["of"].get<std::size_t>(), y.size());
  std::size_t row = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    while (row < t.size() && t[row] < times[i]) ++row;
    ASSERT_LT(row, t.size());
    ASSERT_EQ(t[row], times[i]);
    ASSERT_EQ(y[row], values[i]) << "at " << times[i];
  }
}

TEST_F(RunPage, CoursesAreThoseOfTheFile) {
  const json run = only(chain());
  const ResultFolder folder(chain());
  const std::size_t rows = folder.time().size();
  EXPECT_EQ(run["name"], "chain");
  EXPECT_EQ(run["rows"].get<std::size_t>(), rows);
  EXPECT_TRUE(run["remarks"].empty()) << remarks(run);
  EXPECT_EQ(run["summary"], json::parse(folder.summary()));
  EXPECT_EQ(run["scenario"], folder.scenario());
  EXPECT_EQ(run["polynomial"], "extrapolation");
  ASSERT_EQ(run["bodies"].size(), 60u);
  for (const std::size_t b : {0u, 17u, 59u}) {
    const json& body = run["bodies"][b];
    EXPECT_EQ(body["label"].get<std::size_t>(), b + 1);
    EXPECT_EQ(body["part"].get<std::size_t>(), b / 15 + 1);
    expect_rows(body["columns"][0]["position"], folder.time(), folder.positions(0, rows, b, 1));
    expect_rows(body["columns"][0]["velocity"], folder.time(), folder.velocities(0, rows, b, 1));
  }
}

TEST_F(RunPage, StepsCutsAndCouplingsAreThoseOfTheFile) {
  const json run = only(chain());
  const ResultFolder folder(chain());
  const StepHistory& steps = folder.steps();
  std::vector<double> t, H;
  std::int64_t rejected = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.accepted[i] != 0) {
      t.push_back(steps.t[i]);
      H.push_back(steps.H[i]);
    } else {
      ++rejected;
    }
  }
  ASSERT_GT(rejected, 0);
  expect_rows(run["steps"]["H"], t, H);
  EXPECT_EQ(run["steps"]["rejected"].get<std::int64_t>(), rejected);
  EXPECT_EQ(decode(run["steps"]["rejected_marks"]["t"]).size(), static_cast<std::size_t>(rejected));
  EXPECT_TRUE(run["steps"]["error_recorded"].get<bool>());
  ASSERT_EQ(run["cuts"].size(), 3u);
  std::int64_t blamed = 0;
  for (const auto& cut : run["cuts"]) blamed += cut["rejected"].get<std::int64_t>();
  EXPECT_EQ(blamed, rejected);
  EXPECT_EQ(run["cuts"][1]["bodies"], json({30, 31}));
  EXPECT_EQ(run["cuts"][1]["parts"], json({2, 3}));
  ASSERT_EQ(run["couplings"].size(), 3u);
  const std::size_t points = folder.points().size();
  expect_rows(run["couplings"][2]["u"], folder.points(), folder.coupling(0, points, 2, 1));
  const json& excerpt = run["couplings"][2]["excerpt"];
  EXPECT_EQ(decode(excerpt["t"]).size(), std::min<std::size_t>(48, points));
  EXPECT_EQ(decode(excerpt["kappa"]).size(), decode(excerpt["u"]).size());
}

TEST_F(RunPage, TimingAndMotionAreThoseOfTheFile) {
  const json run = only(chain());
  const ResultFolder folder(chain());
  double total = 0, shown = 0, micro = 0, shown_micro = 0;
  for (const double seconds : folder.timing().solve) total += seconds;
  for (const double steps : folder.timing().micro_steps) micro += steps;
  for (const double seconds : decode(run["timing"]["solve"])) shown += seconds;
  for (const double steps : decode(run["timing"]["micro"])) shown_micro += steps;
  EXPECT_NEAR(shown, total, 1e-5 * total);
  EXPECT_EQ(shown_micro, micro);
  EXPECT_EQ(run["motion"]["kind"], "chain");
  EXPECT_EQ(run["motion"]["part"].size(), 60u);
  const std::vector<double> t = decode(run["motion"]["t"]), low = decode(run["motion"]["low"]);
  EXPECT_EQ(t.front(), 0);
  EXPECT_EQ(t.back(), folder.time().back());
  ASSERT_EQ(low.size(), t.size() * 60);
  const auto last = folder.positions(folder.time().size() - 1, 1, 0, 60);
  for (std::size_t i = 0; i < 60; ++i)
    EXPECT_EQ(static_cast<float>(low[low.size() - 60 + i]), static_cast<float>(last[i]));
}

TEST_F(RunPage, AMechanismMovesInSpace) {
  const json run = only(rods());
  EXPECT_EQ(run["motion"]["kind"], "space");
  const std::size_t frames = decode(run["motion"]["t"]).size(), bodies = run["motion"]["names"].size();
  const auto dimensions = run["motion"]["dimensions"].get<std::size_t>();
  EXPECT_EQ(bodies, 8u);
  EXPECT_EQ(decode(run["motion"]["place"]).size(), frames * bodies * dimensions);
  EXPECT_EQ(decode(run["motion"]["turn"]).size(), frames * bodies * 4);
  EXPECT_EQ(run["motion"]["links"].size(), 16u);
  EXPECT_EQ(run["tables"][0]["name"], "energy");
  EXPECT_GT(run["bodies"][0]["columns"].size(), 2u);
}

TEST_F(RunPage, KeepsItsBudget) {
  for (const std::size_t budget : {9'000'000u, 1'000'000u, 300'000u, 100'000u}) {
    const std::string text = run_page_json({.folders = {chain()}, .budget_bytes = budget});
    EXPECT_LE(text.size(), budget);
    if (budget < 1'000'000) {
      EXPECT_GT(text.size(), budget / 4) << "and uses it";
    }
    const std::string both = run_page_json({.folders = {chain(), rods(), chain()}, .budget_bytes = budget});
    EXPECT_LE(both.size(), budget);
  }
}

TEST_F(RunPage, ChoosesBodiesWhereAllDoNotFit) {
  const json run = data({.folders = {chain()}, .budget_bytes = 500'000})["runs"][0];
  EXPECT_LT(run["bodies"].size(), 60u);
  EXPECT_NE(remarks(run).find("cosimo report chain --bodies"), std::string::npos) << remarks(run);
  std::set<std::int64_t> labels;
  for (const auto& body : run["bodies"]) labels.insert(body["label"].get<std::int64_t>());
  std::size_t at_cuts = 0;
  for (const std::int64_t label : {15, 16, 30, 31, 45, 46}) at_cuts += labels.count(label);
  EXPECT_GE(at_cuts, 2u);
  EXPECT_EQ(run["bodies_total"], 60);
}

TEST_F(RunPage, ShowsTheBodiesAskedFor) {
  const json run = data({.folders = {chain()}, .bodies = {59, 3}})["runs"][0];
  ASSERT_EQ(run["bodies"].size(), 2u);
  EXPECT_EQ(run["bodies"][0]["label"], 3);
  EXPECT_EQ(run["bodies"][1]["label"], 59);
  EXPECT_THROW(run_page_json({.folders = {chain()}, .bodies = {61}}), Error);
}

TEST_F(RunPage, ComparesWithTheLast) {
  const json page = data({.folders = {rods(), chain(), chain()}});
  ASSERT_GE(page["comparisons"].size(), 1u);
  const json& same = page["comparisons"].back();
  EXPECT_EQ(same["a"], 1);
  EXPECT_EQ(same["reference"], 2);
  EXPECT_EQ(same["position"], 0);
  EXPECT_EQ(same["weighed"], weighed_otherwise(compare(chain(), chain())));
  EXPECT_NE(remarks(page["runs"][0]), "") << "another model";
}

/// From all rows, so that thinning leaves no difference between equal runs.
TEST_F(RunPage, EqualRunsDifferByNothing) {
  const json page = data({.folders = {chain(), chain()}, .budget_bytes = 600'000});
  ASSERT_FALSE(page["differences"].empty());
  for (const json& difference : page["differences"]) {
    EXPECT_EQ(difference["run"], 1);
    EXPECT_EQ(difference["position"]["of"], page["runs"][0]["rows"]);
    for (const char* quantity : {"position", "velocity"})
      for (const double y : decode(difference[quantity]["y"])) ASSERT_EQ(y, 0);
  }
}

TEST_F(RunPage, DamagedFoldersGiveWhatIsThere) {
  const fs::path folder = copy("damaged");
  std::ofstream(folder / "summary.json") << "[1, 2";
  fs::resize_file(folder / "timing.h5", 100);
  json run = only(folder);
  EXPECT_TRUE(run["summary"].is_null());
  EXPECT_TRUE(run["timing"].is_null());
  EXPECT_EQ(run["polynomial"], "none");
  EXPECT_EQ(run["bodies"].size(), 60u);
  EXPECT_EQ(run["remarks"].size(), 2u);
  // A folder of which only the settings are left.
  for (const char* name : {"summary.json", "timing.h5", "results.h5"}) fs::remove(folder / name);
  run = only(folder);
  EXPECT_TRUE(run["steps"].is_null() && run["motion"].is_null() && run["bodies"].empty());
  EXPECT_EQ(run["remarks"].size(), 3u);
  EXPECT_THROW(run_page_json({.folders = {folder / "nowhere"}}), Error);
}

TEST_F(RunPage, CutOffResultsNeverBreakIt) {
  const fs::path folder = copy("cut-off");
  const auto size = fs::file_size(chain() / "results.h5");
  for (const double share : {0.9, 0.5, 0.1, 0.01, 0.0}) {
    fs::copy_file(chain() / "results.h5", folder / "results.h5", fs::copy_options::overwrite_existing);
    fs::resize_file(folder / "results.h5", static_cast<std::uintmax_t>(share * static_cast<double>(size)));
    const json run = only(folder);
    EXPECT_FALSE(run["remarks"].empty());
    EXPECT_EQ(run["summary"]["status"], "ok");
  }
}

TEST_F(RunPage, NothingInItEndsTheScript) {
  const fs::path folder = copy("<!--<script>");
  std::ofstream(folder / "scenario.effective.yaml") << "# </script> <!-- \xe2\x80\xa8 \xff\n";
  const std::string text = run_page_json({.folders = {folder}});
  for (const char* bad : {"</", "<!--", "\xe2\x80\xa8", "\xff"})
    EXPECT_EQ(text.find(bad), std::string::npos) << bad;
  EXPECT_EQ(json::parse(text)["runs"][0]["name"], "<!--<script>");
}

TEST(ScriptText, EscapesWhatABrowserMayMisread) {
  const nlohmann::ordered_json data = {{"a", "<script>"}, {"b", "\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xa7"}};
  const std::string text = page::dump(data);
  EXPECT_EQ(text, "{\"a\":\"\\u003cscript>\",\"b\":\"\\u2028\\u2029\xe2\x80\xa7\"}");
  EXPECT_EQ(nlohmann::ordered_json::parse(text), data);
}

TEST_F(RunPage, IsWrittenWholeOrNotAtAll) {
  const fs::path file = place_->path() / "missing" / "page.html";
  EXPECT_ANY_THROW(write_run_page({.folders = {chain()}, .file = file}));
  EXPECT_FALSE(fs::exists(place_->path() / "missing"));
}

}  // namespace
}  // namespace cosimo
