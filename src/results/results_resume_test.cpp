// Going on in the results.h5 of an earlier run: the data of an uninterrupted run, and never fewer rows than
// were there.
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <new>
#include <thread>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "results/test_support.hpp"

namespace cosimo {
namespace {

using test::bytes_of;
using test::KnownRun;
using test::message_of;
using test::TemporaryFolder;

/// Every dataset of the file: its extent and its bytes as stored.
std::map<std::string, std::string> datasets(const std::filesystem::path& file) {
  const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::map<std::string, std::string> found;
  const auto visit = [](hid_t group, const char* name, const H5L_info_t*, void* out) -> herr_t {
    const Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
    if (H5Iget_type(object) != H5I_DATASET) return 0;
    const Handle space(H5Dget_space(object), H5Sclose), type(H5Dget_type(object), H5Tclose);
    hsize_t extent[2] = {0, 1};
    H5Sget_simple_extent_dims(space, extent, nullptr);
    std::string bytes(extent[0] * extent[1] * H5Tget_size(type), '\0');
    if (H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) return -1;
    (*static_cast<std::map<std::string, std::string>*>(out))[name] =
        std::to_string(extent[0]) + " x " + std::to_string(extent[1]) + ":" + bytes;
    return 0;
  };
  EXPECT_GE(H5Lvisit(opened, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &found), 0);
  return found;
}

/// A known run with two tables.
struct TabledRun {
  KnownRun run{};

  ResultsLayout layout() const {
    ResultsLayout result = run.layout();
    result.tables = {{"energy", {"kinetic", "potential"}}, {"forces/none", {}}, {"forces/tyres", {"left"}}};
    return result;
  }
  void output(ResultsWriter& writer, double t, std::size_t row) const {
    writer.output(t, KnownRun::values(row, run.bodies, 1), KnownRun::values(row, run.bodies, -1));
    writer.table(0, KnownRun::values(row, 2, 6));
    writer.table(2, KnownRun::values(row, 1, 8));
  }
  /// Two steps per output, the second one accepted.
  void row(ResultsWriter& writer, std::size_t row) const {
    output(writer, KnownRun::time(row), row);
    writer.step(KnownRun::step(2 * row));
    writer.step(KnownRun::step(2 * row + 1));
    writer.coupling(KnownRun::values(row, run.couplings, 2));
    writer.local_error(KnownRun::values(row, run.local_bodies, 3), KnownRun::values(row, run.local_bodies, 4),
                       KnownRun::values(row, run.couplings, 5));
  }
  void rows(ResultsWriter& writer, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) row(writer, i);
  }
  void close(ResultsWriter& writer) const {
    writer.cut_errors(std::vector<double>(run.couplings, 0.5), std::vector<std::int32_t>(run.couplings, 3));
    writer.close();
  }
  /// The file of an undisturbed run.
  std::map<std::string, std::string> undisturbed(std::size_t total) const {
    const TemporaryFolder folder;
    ResultsWriter writer(folder / "results.h5", layout());
    rows(writer, 0, total);
    close(writer);
    return datasets(folder / "results.h5");
  }
  ResultsPosition position(std::size_t row) const {
    return {.outputs = row,
            .steps = 2 * row,
            .points = run.couplings > 0 ? row : 0,
            .locals = run.local_bodies > 0 ? row : 0};
  }
  /// The file of a run that was interrupted after `total` rows, with its last state as one row more.
  void interrupted(const std::filesystem::path& file, std::size_t total) const {
    ResultsWriter writer(file, layout());
    rows(writer, 0, total);
    EXPECT_EQ(writer.position(), position(total));
    output(writer, KnownRun::time(total - 1) + 0.05, total);
    close(writer);
  }
};

std::size_t rows_of(const std::filesystem::path& file) {
  return read_results(file).time.size();
}

TEST(ResultsResume, GivesTheDataOfAnUndisturbedRun) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  struct Case {
    KnownRun run;
    std::size_t old_rows, total;
    std::vector<std::size_t> from;
  };
  const Case cases[] = {
      {{}, 2600, 2700, {0, 1, 255, 256, 257, 1000, 1024, 2048, 2600}},  // across chunks of all sizes
      {{.bodies = 1, .couplings = 0, .local_bodies = 0}, 300, 400, {0, 100, 300}},  // uncut
      {{.bodies = 0, .couplings = 2, .local_bodies = 1}, 300, 400, {7}},            // no body recorded
      {{.bodies = 70'000, .couplings = 1, .local_bodies = 0}, 5, 8, {3}},           // rows of half a chunk
      {{.bodies = 300'001, .couplings = 1, .local_bodies = 0}, 4, 6, {3}},          // rows of several chunks
  };
  for (const Case& c : cases) {
    const TabledRun run{c.run};
    const auto expected = run.undisturbed(c.total);
    for (const std::size_t from : c.from) {
      SCOPED_TRACE(testing::Message() << c.run.bodies << " bodies, from row " << from);
      run.interrupted(file, c.old_rows);
      ResultsWriter writer(file, run.layout(), {run.position(from)});
      EXPECT_EQ(writer.position(), run.position(from));
      run.rows(writer, from, c.total);
      run.close(writer);
      EXPECT_TRUE(datasets(file) == expected);
      EXPECT_FALSE(std::filesystem::exists(folder / "results.h5.resumed"));
      EXPECT_FALSE(std::filesystem::exists(folder / "results.h5.resumed.part"));
    }
  }
}

TEST(ResultsResume, HandsOverWhatItCopies) {
  const TemporaryFolder folder;
  for (const std::size_t bodies : {0, 3, 200'000}) {
    const TabledRun run{{.bodies = bodies, .couplings = 2, .local_bodies = 0}};
    const std::size_t rows = bodies > 100 ? 3 : 2500;
    run.interrupted(folder / "results.h5", rows);
    std::size_t outputs = 0, steps = 0, wrong = 0;
    const ResumeFrom from{run.position(rows - 1),
                          [&](double t, std::span<const double> x) {
                            const auto expected = KnownRun::values(outputs, bodies, 1);
                            wrong += t != KnownRun::time(outputs) ||
                                     !std::equal(x.begin(), x.end(), expected.begin(), expected.end());
                            ++outputs;
                          },
                          [&](const StepRow& row) {
                            const StepRow expected = KnownRun::step(steps);
                            wrong += row.t != expected.t || row.H != expected.H ||
                                     row.kappa != expected.kappa || row.error != expected.error ||
                                     row.accepted != expected.accepted ||
                                     row.iterations != expected.iterations || row.layers != expected.layers;
                            ++steps;
                          }};
    const ResultsWriter writer(folder / "results.h5", run.layout(), from);
    EXPECT_EQ(outputs, rows - 1);
    EXPECT_EQ(steps, 2 * (rows - 1));
    EXPECT_EQ(wrong, 0u);
  }
}

TEST(ResultsResume, TheOldFileStaysUntilItsRowsAreReached) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  const TabledRun run;
  run.interrupted(file, 50);
  const std::string before = bytes_of(file);
  ResultsWriter writer(file, run.layout(), {run.position(30)});
  for (std::size_t row = 30; row < 60; ++row) {
    EXPECT_EQ(writer.caught_up(), row > 50) << row;
    run.row(writer, row);
    writer.flush();
    // Row 50 is the first at or after the extra row of the interrupted run.
    ASSERT_EQ(writer.caught_up(), row >= 50) << row;
    if (row < 50) {
      ASSERT_TRUE(bytes_of(file) == before);
    } else {
      ASSERT_EQ(rows_of(file), row + 1);
    }
    ASSERT_EQ(std::filesystem::exists(folder / "results.h5.resumed"), row < 50);
  }
}

TEST(ResultsResume, ReplacesAtOnceWhatHoldsNoMore) {
  const TemporaryFolder folder;
  const TabledRun run;
  {
    ResultsWriter writer(folder / "results.h5", run.layout());
    EXPECT_TRUE(writer.caught_up());
    run.rows(writer, 0, 20);
  }
  const ResultsWriter writer(folder / "results.h5", run.layout(), {run.position(20)});
  EXPECT_TRUE(writer.caught_up());
}

TEST(ResultsResume, AtCloseTheNewFileCountsAndElseTheLongerOne) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  const TabledRun run;
  run.interrupted(file, 50);
  const std::string before = bytes_of(file);
  { const ResultsWriter writer(file, run.layout(), {run.position(30)}); }
  EXPECT_TRUE(bytes_of(file) == before);
  EXPECT_EQ(rows_of(folder / "results.h5.resumed"), 30u);
  {
    ResultsWriter writer(file, run.layout(), {run.position(30)});
    run.row(writer, 30);
    writer.close();
  }
  EXPECT_EQ(rows_of(file), 31u);
}

TEST(ResultsResume, ACheckpointMayCountRowsOfTheFileBesideOnly) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  const TabledRun run;
  // Interrupted at a time far ahead of the next outputs: steps pass the old file's before an output does.
  {
    ResultsWriter writer(file, run.layout());
    run.rows(writer, 0, 50);
    run.output(writer, KnownRun::time(60) - 0.01, 50);
    run.close(writer);
  }
  {
    ResultsWriter writer(file, run.layout(), {run.position(40)});
    run.rows(writer, 40, 55);
    writer.flush();
    EXPECT_FALSE(writer.caught_up());  // here a checkpoint is made; then the run is killed
  }
  EXPECT_EQ(rows_of(file), 51u);
  ResultsWriter writer(file, run.layout(), {run.position(55)});
  EXPECT_FALSE(writer.caught_up());
  run.rows(writer, 55, 70);
  run.close(writer);
  EXPECT_TRUE(datasets(file) == run.undisturbed(70));
}

TEST(ResultsResume, ANewRunForgetsAResumedOne) {
  const TemporaryFolder folder;
  const TabledRun run;
  test::write_bytes(folder / "results.h5.resumed", "old");
  test::write_bytes(folder / "results.h5.resumed.part", "old");
  const ResultsWriter writer(folder / "results.h5", run.layout());
  EXPECT_FALSE(std::filesystem::exists(folder / "results.h5.resumed"));
  EXPECT_FALSE(std::filesystem::exists(folder / "results.h5.resumed.part"));
}

TEST(ResultsResume, PositionsTravel) {
  ResultsPosition position{1, 2, 3, 4}, copy;
  Archive out;
  position.archive(out);
  const auto bytes = out.take();
  Archive in(bytes);
  copy.archive(in);
  in.finish();
  EXPECT_EQ(copy, position);
}

TEST(ResultsResume, ATableWithoutItsRowIsABug) {
  const TemporaryFolder folder;
  const TabledRun run;
  ResultsWriter writer(folder / "results.h5", run.layout());
  writer.output(0, KnownRun::values(0, 3, 1), KnownRun::values(0, 3, 1));
  EXPECT_THROW(writer.position(), Bug);
}

TEST(ResultsResume, RefusesAFileThatCannotServe) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  const TabledRun run;
  const auto refusal = [&](const ResultsLayout& layout, std::size_t row) {
    const std::string before = std::filesystem::exists(file) ? bytes_of(file) : "";
    const std::string message =
        message_of<Error>([&] { ResultsWriter writer(file, layout, {run.position(row)}); });
    EXPECT_NE(message.find("results.h5: "), std::string::npos) << message;
    EXPECT_NE(message.find("(start anew without --resume)"), std::string::npos) << message;
    EXPECT_TRUE(!std::filesystem::exists(file) || bytes_of(file) == before);
    EXPECT_FALSE(std::filesystem::exists(folder / "results.h5.resumed"));
    EXPECT_FALSE(std::filesystem::exists(folder / "results.h5.resumed.part"));
    return message;
  };
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(refusal(run.layout(), 0), "there is no such file");
  run.interrupted(file, 50);
  expect(
      refusal(run.layout(), 100),
      "holds only 51 of the 100 output rows, 100 of the 200 steps, 50 of the 100 macro points, 50 of the 100 "
      "local errors that the checkpoint needs");
  const auto changed = [&](auto change) {
    ResultsLayout layout = run.layout();
    change(layout);
    return refusal(layout, 10);
  };
  expect(changed([](ResultsLayout& l) { l.model_hash = 1; }), "the model (model_hash) differ");
  expect(changed([](ResultsLayout& l) { l.bodies[1] = 77; }), "/bodies");
  expect(changed([](ResultsLayout& l) { l.bodies.pop_back(); }), "/bodies");
  expect(changed([](ResultsLayout& l) { l.columns = {"a", "b", "c"}; }), "/columns");
  expect(changed([](ResultsLayout& l) { l.body_names = {"a", "b", "c"}; }), "/body_names");
  expect(changed([](ResultsLayout& l) { l.cut_elements[0] = 1; }), "/cuts/element");
  expect(changed([](ResultsLayout& l) { l.variables = 6; }), "/coupling/u");
  expect(changed([](ResultsLayout& l) { l.local_bodies = 3; }), "/local");
  expect(changed([](ResultsLayout& l) { l.local_bodies = 0; }), "/local");
  expect(changed([](ResultsLayout& l) { l.tables.pop_back(); }), "/tables");
  expect(changed([](ResultsLayout& l) { l.tables[0].columns[1] = "lost"; }), "the table /energy");

  const std::string whole = bytes_of(file);
  test::write_bytes(file, whole.substr(0, whole.size() / 2));
  expect(refusal(run.layout(), 10), "is damaged or cut off");
  test::write_bytes(file, "something else");
  expect(refusal(run.layout(), 10), "is not an HDF5 file");
}

TEST(ResultsResume, FullDiskAtAnyWriteLeavesTheOldFile) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  const TabledRun run;
  run.interrupted(file, 600);
  const std::string before = bytes_of(file);
  std::size_t while_copying = 0;
  for (std::size_t budget = 0;; ++budget) {
    bool created = false, caught_up = false;
    test::disk_calls_left = budget;
    const std::string message = message_of<IoError>([&] {
      ResultsWriter writer(file, run.layout(), {run.position(550)});
      created = true;
      run.rows(writer, 550, 604);
      writer.flush();
      caught_up = writer.caught_up();
      run.close(writer);
    });
    test::disk_calls_left = test::endless;
    ASSERT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0) << budget;
    if (message.empty()) break;
    ASSERT_NE(message.find("cannot write: No space left on device"), std::string::npos) << message;
    while_copying += created ? 0 : 1;
    ASSERT_EQ(std::filesystem::exists(folder / "results.h5.resumed.part"), false) << budget;
    if (caught_up) {
      ASSERT_EQ(rows_of(file), 604u);
      run.interrupted(file, 600);
    } else {
      ASSERT_TRUE(bytes_of(file) == before) << budget;
    }
  }
  EXPECT_GT(while_copying, 20u);
  EXPECT_TRUE(datasets(file) == run.undisturbed(604));
}

/// Killed again and again, at any moment: while copying, before and after the switch.
TEST(ResultsResume, SurvivesRealKills) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  const TabledRun run;
  struct Shared {
    std::atomic<std::size_t> checkpoint, flushed, rows;
  };
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto& shared = *new (memory) Shared{{0}, {0}, {0}};
  {
    ResultsWriter writer(file, run.layout());
    run.rows(writer, 0, 2000);
    shared.checkpoint = 1700;
    shared.flushed = 2000;
  }
  const RandomStream random(22, 1);
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    shared.rows = 0;
    const pid_t child = test::in_child([&] {
      const std::size_t from = shared.checkpoint;
      ResultsWriter writer(file, run.layout(), {run.position(from)});
      for (std::size_t row = from; row < 10'000'000; ++row) {
        run.row(writer, row);
        ++shared.rows;
        if (row % 7 == 0) {
          writer.flush();
          if (writer.caught_up()) shared.flushed = row + 1;
        }
        if (row % 100 != 0) continue;
        writer.sync();
        if (row + 1 > shared.checkpoint + 300)
          shared.checkpoint = row + 1 - 150;  // an older one, as after damage
      }
      return 0;
    });
    ASSERT_GT(child, 0);
    // A third of them die while copying or soon after; the others get some way.
    const auto some =
        trial % 3 == 0 ? std::size_t{0} : static_cast<std::size_t>(random.uniform(trial, 1, 900));
    while (shared.rows < some) std::this_thread::yield();
    std::this_thread::sleep_for(
        std::chrono::microseconds(static_cast<int>(random.uniform(trial + 100, 0, 8000))));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ASSERT_TRUE(test::opens_plainly(file));
    ASSERT_GE(rows_of(file), shared.flushed) << trial;
    shared.flushed = rows_of(file);
  }
  const std::size_t from = shared.checkpoint, total = shared.flushed + 10;
  EXPECT_GT(from, 1700u);
  ResultsWriter writer(file, run.layout(), {run.position(from)});
  run.rows(writer, from, total);
  run.close(writer);
  EXPECT_TRUE(datasets(file) == run.undisturbed(total));
  ::munmap(memory, sizeof(Shared));
}

}  // namespace
}  // namespace cosimo
