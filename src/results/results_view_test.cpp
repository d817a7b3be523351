#include "results/results_view.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "results/test_support.hpp"
#include "results/timing.hpp"

namespace cosimo {
namespace {

using test::KnownRun;
using test::TemporaryFolder;

ResultsLayout full_layout(const KnownRun& run) {
  ResultsLayout layout = run.layout();
  layout.parts = {1, 1, 2};
  layout.links = {0, 10, 10, 11, 10, 12};
  layout.scene = R"({"format": 1, "bodies": []})";
  layout.cut_bodies = {10, 11, 11, 12};
  layout.cut_parts = {1, 1, 1, 2};
  layout.cut_names = {"left", "right"};
  layout.variable_cuts = {0, 1};
  layout.variable_names = {"force of the left", "force"};
  return layout;
}

void write(const std::filesystem::path& file, const ResultsLayout& layout, std::size_t rows) {
  const KnownRun run;
  ResultsWriter writer(file, layout);
  for (std::size_t row = 0; row < rows; ++row) {
    writer.output(KnownRun::time(row), KnownRun::values(row, 3, 1), KnownRun::values(row, 3, -1));
    StepRow step = KnownRun::step(row);
    step.worst = static_cast<std::int32_t>(row % 3) - 1;
    writer.step(step);
    writer.coupling(KnownRun::values(row, 2, 2));
    writer.local_error(KnownRun::values(row, 2, 3), KnownRun::values(row, 2, 4), KnownRun::values(row, 2, 5));
  }
  writer.close();
}

TEST(ResultsView, ShowsEverythingThatWasWritten) {
  const TemporaryFolder folder;
  const ResultsLayout layout = full_layout({});
  write(folder / "results.h5", layout, 700);
  const ResultsView view(folder / "results.h5");
  const ResultsView::Contents& c = view.contents();
  EXPECT_TRUE(view.problems().empty());
  EXPECT_EQ(c.model_hash, layout.model_hash);
  EXPECT_EQ(c.bodies, layout.bodies);
  EXPECT_EQ(c.parts, layout.parts);
  EXPECT_EQ(c.links, layout.links);
  EXPECT_EQ(c.scene, layout.scene);
  EXPECT_EQ(c.cut_bodies, layout.cut_bodies);
  EXPECT_EQ(c.cut_parts, layout.cut_parts);
  EXPECT_EQ(c.cut_names, layout.cut_names);
  EXPECT_EQ(c.cut_of_variable, layout.variable_cuts);
  EXPECT_EQ(c.variable_names, layout.variable_names);
  ASSERT_EQ(c.time.size(), 700u);
  ASSERT_EQ(c.steps.size(), 700u);
  for (std::size_t i = 0; i < 700; ++i) EXPECT_EQ(c.steps[i].worst, static_cast<std::int32_t>(i % 3) - 1);
  EXPECT_EQ(c.points, 700u);
  // Across the border between two chunks.
  const auto block = view.position({.row = 250, .rows = 12, .column = 1, .columns = 2});
  for (std::size_t i = 0; i < block.size(); ++i)
    EXPECT_EQ(block[i], KnownRun::value(250 + i / 2, 1 + i % 2, 1));
  EXPECT_EQ(view.velocity({.row = 699, .rows = 1, .column = 2}).front(), KnownRun::value(699, 2, -1));
  EXPECT_EQ(view.coupling({.row = 3, .rows = 1, .column = 1}).front(), KnownRun::value(3, 1, 2));
  EXPECT_EQ(view.local_position().size(), 1400u);
}

TEST(ResultsView, FilesWithoutTheNewerDatasetsAreFine) {
  const TemporaryFolder folder;
  write(folder / "results.h5", KnownRun{}.layout(), 5);
  {
    const Handle file(H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(file, "steps/cut", H5P_DEFAULT), 0);
  }
  const ResultsView view(folder / "results.h5");
  EXPECT_TRUE(view.problems().empty());
  ASSERT_EQ(view.contents().steps.size(), 5u);
  EXPECT_EQ(view.contents().steps[4].worst, -1);
  EXPECT_TRUE(view.contents().parts.empty() && view.contents().links.empty() &&
              view.contents().scene.empty());
}

TEST(ResultsView, AResumedRunTakesOlderFilesOver) {
  const TemporaryFolder folder;
  const KnownRun run;
  write(folder / "results.h5", run.layout(), 5);
  {
    const Handle file(H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(file, "steps/cut", H5P_DEFAULT), 0);
  }
  ResultsWriter writer(folder / "results.h5", full_layout(run),
                       {.position = {.outputs = 4, .steps = 4, .points = 4, .locals = 4}});
  run.write_row(writer, 4);
  run.write_row(writer, 5);
  writer.close();
  const ResultsView view(folder / "results.h5");
  EXPECT_TRUE(view.problems().empty());
  ASSERT_EQ(view.contents().steps.size(), 6u);
  EXPECT_EQ(view.contents().steps[3].worst, -1);
  EXPECT_EQ(view.contents().cut_names.size(), 2u);
}

TEST(ResultsView, OneDamagedSectionLeavesTheOthers) {
  const TemporaryFolder folder;
  write(folder / "results.h5", full_layout({}), 5);
  {
    const Handle file(H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(file, "steps/H", H5P_DEFAULT), 0);
    ASSERT_GE(H5Ldelete(file, "velocity", H5P_DEFAULT), 0);
  }
  const ResultsView view(folder / "results.h5");
  EXPECT_EQ(view.problems().size(), 2u);
  EXPECT_TRUE(view.contents().steps.empty() && view.contents().time.empty());
  EXPECT_EQ(view.contents().points, 5u);
  EXPECT_EQ(view.contents().cut_names.size(), 2u);
}

TEST(ResultsView, SurvivesFlippedBits) {
  const TemporaryFolder folder;
  write(folder / "results.h5", full_layout({}), 40);
  const std::string whole = test::bytes_of(folder / "results.h5");
  // In a process of its own: the library may leak what it could not decode, and says so at its end.
  EXPECT_EQ(test::exit_code(test::in_child([&] {
              for (std::size_t at = 0; at < std::min<std::size_t>(whole.size(), 20000); at += 211) {
                std::string damaged = whole;
                damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
                test::write_bytes(folder / "damaged.h5", damaged);
                try {
                  const ResultsView view(folder / "damaged.h5");
                  const std::size_t rows = view.contents().time.size();
                  if (rows > 0 && !view.contents().bodies.empty()) view.position({0, rows, 0, 1});
                } catch (const Error&) {
                  continue;
                }
              }
              return 0;
            })),
            0);
}

TEST(Timing, IsReadBack) {
  const TemporaryFolder folder;
  TimingWriter writer(2);
  writer.step(0, std::vector<double>{1, 2}, std::vector<double>{10, 20});
  writer.step(0.5, std::vector<double>{3, 4}, std::vector<double>{30, 40});
  writer.write(folder / "timing.h5");
  const TimingTable table = read_timing(folder / "timing.h5");
  EXPECT_EQ(table.t, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(table.count, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(table.subsystems, 2u);
  EXPECT_EQ(table.solve, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(table.micro_steps, (std::vector<double>{10, 20, 30, 40}));
  test::write_bytes(folder / "timing.h5", "no such thing");
  EXPECT_THROW(read_timing(folder / "timing.h5"), Error);
}

}  // namespace
}  // namespace cosimo
