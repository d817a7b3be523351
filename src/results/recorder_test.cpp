#include "results/recorder.hpp"
#include "results/timing.hpp"

#include <cmath>
#include <csignal>
#include <fstream>

#include "core/check.hpp"
#include "core/error.hpp"
#include "results/hdf5_table.hpp"
#include "results/test_support.hpp"

namespace cosimo {
namespace {

using test::bytes_of;
using test::KnownRun;
using test::TemporaryFolder;

void write_run(const std::filesystem::path& file, const KnownRun& run, std::size_t rows,
               std::size_t flush_every) {
  ResultsWriter writer(file, run.layout());
  for (std::size_t row = 0; row < rows; ++row) {
    run.write_row(writer, row);
    if (flush_every > 0 && row % flush_every == 0) writer.flush();
  }
  writer.close();
}

template <class T>
std::vector<T> dataset(const std::filesystem::path& file, const char* path) {
  const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Handle data(H5Dopen2(opened, path, H5P_DEFAULT), H5Dclose);
  const Handle space(H5Dget_space(data), H5Sclose);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(data, Hdf5Type<T>::native(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  return values;
}

std::string error_of(const std::filesystem::path& file) {
  try {
    read_results(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Recorder, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  struct Case {
    KnownRun run;
    std::size_t rows, flush_every;
  };
  const Case cases[] = {
      {{}, 0, 0},                                                     // nothing happened
      {{}, 1, 0},                                                     // one row
      {{}, 5000, 0},                                                  // several blocks
      {{}, 1000, 7},                                                  // blocks across chunk borders
      {{.bodies = 1, .couplings = 0, .local_bodies = 0}, 300, 0},     // uncut
      {{.bodies = 0, .couplings = 2, .local_bodies = 1}, 300, 50},    // no body recorded
      {{.bodies = 70000, .couplings = 1, .local_bodies = 0}, 20, 3},  // rows of half a chunk
      {{.bodies = 300001, .couplings = 1, .local_bodies = 0}, 5, 2},  // rows of several chunks
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::Message() << c.run.bodies << " bodies, " << c.rows << " rows");
    write_run(folder / "results.h5", c.run, c.rows, c.flush_every);
    const Results results = read_results(folder / "results.h5");
    EXPECT_EQ(results.time.size(), c.rows);
    EXPECT_EQ(results.steps.size(), c.rows);
    EXPECT_EQ(results.couplings, c.run.couplings);
    EXPECT_EQ(results.local_bodies, c.run.local_bodies);
    EXPECT_EQ(c.run.first_fault(results, c.rows), "");
  }
}

ResultsLayout named_layout() {
  ResultsLayout layout;
  layout.bodies = {3, 3, 3, 8};
  layout.columns = {"arm.x", "arm.y", "arm.phi", "Räder.x"};
  layout.body_names = {"arm", "Räder"};
  layout.tables = {{"energy", {"kinetic", "potential"}},
                   {"forces/tyres", {"left"}},
                   {"forces/springs", {"a", "bc", "def"}},
                   {"reactions", {}}};
  return layout;
}

void write_named_row(ResultsWriter& writer, std::size_t row) {
  writer.output(KnownRun::time(row), KnownRun::values(row, 4, 1), KnownRun::values(row, 4, -1));
  writer.table(0, KnownRun::values(row, 2, 6));
  writer.table(1, KnownRun::values(row, 1, 7));
  writer.table(2, KnownRun::values(row, 3, 8));
  writer.table(3, {});
}

TEST(Recorder, NamesAndTablesComeBack) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  const ResultsLayout layout = named_layout();
  ResultsWriter writer(file, layout);
  for (std::size_t row = 0; row < 1000; ++row) {
    write_named_row(writer, row);
    if (row == 300) writer.flush();
  }
  // Whole while it is written, too.
  EXPECT_TRUE(test::opens_plainly(file));
  EXPECT_GE(read_results(file).table("energy")->rows(), 301u);
  writer.close();
  const Results results = read_results(file);
  EXPECT_EQ(results.bodies, layout.bodies);
  EXPECT_EQ(results.columns, layout.columns);
  EXPECT_EQ(results.body_names, layout.body_names);
  ASSERT_EQ(results.tables.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const ResultsTable& table = results.tables[k];
    EXPECT_EQ(table.name, layout.tables[k].name);
    EXPECT_EQ(table.columns, layout.tables[k].columns);
    EXPECT_EQ(table.rows(), k == 3 ? 0u : 1000u);
    for (std::size_t i = 0; i < table.value.size(); ++i)
      ASSERT_EQ(table.value[i], KnownRun::value(i / table.columns.size(), i % table.columns.size(),
                                                6 + static_cast<double>(k)));
  }
  EXPECT_EQ(results.table("forces/springs"), &results.tables[2]);
  EXPECT_EQ(results.table("heat"), nullptr);
}

TEST(Recorder, AKilledWriterLeavesNamesAndTables) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  const pid_t child = test::in_child([&] {
    ResultsWriter writer(file, named_layout());
    for (std::size_t row = 0; row < 700; ++row) {
      write_named_row(writer, row);
      if (row == 599) writer.flush();
    }
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  test::exit_code(child);
  const Results results = read_results(file);
  EXPECT_EQ(results.columns, named_layout().columns);
  EXPECT_EQ(results.time.size(), 600u);
  EXPECT_EQ(results.table("forces/tyres")->rows(), 600u);
}

TEST(Recorder, WrongNamesAreABug) {
  const TemporaryFolder folder;
  const auto refused = [&](auto change) {
    ResultsLayout layout = named_layout();
    change(layout);
    EXPECT_THROW(ResultsWriter(folder / "results.h5", layout), Bug);
  };
  refused([](ResultsLayout& layout) { layout.columns.pop_back(); });
  refused([](ResultsLayout& layout) { layout.body_names.push_back("third"); });
  for (const char* name : {"", "/energy", "energy/", "a//b", "steps", "steps/mine", "time", "energy"})
    refused([&](ResultsLayout& layout) { layout.tables[1].name = name; });
  ResultsWriter writer(folder / "results.h5", named_layout());
  EXPECT_THROW(writer.table(4, {}), Bug);
  EXPECT_THROW(writer.table(0, std::vector<double>(3)), Bug);
}

TEST(Recorder, EqualRunsGiveEqualBytes) {
  const TemporaryFolder folder;
  const KnownRun run;
  write_run(folder / "a.h5", run, 3000, 11);
  write_run(folder / "b.h5", run, 3000, 11);
  EXPECT_EQ(bytes_of(folder / "a.h5"), bytes_of(folder / "b.h5"));
}

TEST(Recorder, CutErrorsAreUnknownUntilClose) {
  const TemporaryFolder folder;
  const KnownRun run;
  const auto file = folder / "results.h5";
  ResultsWriter writer(file, run.layout());
  writer.cut_errors(std::vector<double>{0.25, 0.5}, std::vector<std::int32_t>{0, 100'000});
  writer.flush();
  EXPECT_TRUE(std::isnan(dataset<double>(file, "/cuts/error")[1]));
  EXPECT_EQ(dataset<std::int32_t>(file, "/cuts/layers"), (std::vector<std::int32_t>{-1, -1}));
  EXPECT_TRUE(std::isnan(read_results(file).cut_errors.at(0)));
  EXPECT_EQ(read_results(file).cut_layers, (std::vector<std::int32_t>{-1, -1}));
  writer.close();
  EXPECT_EQ(dataset<double>(file, "/cuts/error"), (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(dataset<std::int32_t>(file, "/cuts/layers"), (std::vector<std::int32_t>{0, 100'000}));
  EXPECT_EQ(read_results(file).cut_errors, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(read_results(file).cut_layers, (std::vector<std::int32_t>{0, 100'000}));
  EXPECT_EQ(dataset<std::int64_t>(file, "/cuts/element"), (std::vector<std::int64_t>{100, 101}));
}

TEST(Recorder, DestructorClosesAndReplacesTheOldFile) {
  const TemporaryFolder folder;
  const KnownRun run;
  write_run(folder / "results.h5", run, 500, 0);
  {
    ResultsWriter writer(folder / "results.h5", run.layout());
    run.write_row(writer, 0);
  }
  EXPECT_EQ(read_results(folder / "results.h5").time.size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(folder / "results.h5.part"));
}

TEST(Recorder, MisuseIsABug) {
  const TemporaryFolder folder;
  const KnownRun run;
  ResultsWriter writer(folder / "results.h5", run.layout());
  EXPECT_THROW(writer.output(0, std::vector<double>(2), std::vector<double>(3)), Bug);
  EXPECT_THROW(writer.coupling(std::vector<double>(3)), Bug);
  EXPECT_THROW(writer.cut_errors(std::vector<double>(2), std::vector<std::int32_t>(1)), Bug);
  EXPECT_THROW(writer.cut_errors(std::vector<double>(1), std::vector<std::int32_t>(1)), Bug);
  writer.close();
  EXPECT_THROW(writer.step({}), Bug);
}

TEST(Recorder, AFolderThatCannotBeWrittenIsNamed) {
  const TemporaryFolder folder;
  try {
    ResultsWriter writer(folder / "nowhere" / "results.h5", KnownRun{}.layout());
    FAIL();
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere/results.h5: cannot write: No such file or directory"),
              std::string::npos)
        << error.what();
  }
}

TEST(Recorder, ChunksSuitTheRow) {
  const auto expect = [](std::size_t columns, std::size_t rows, std::size_t chunk_columns) {
    const ChunkShape shape = chunk_shape(columns, 8);
    EXPECT_EQ(shape.rows, rows) << columns;
    EXPECT_EQ(shape.columns, chunk_columns) << columns;
  };
  expect(single_column, 2048, 1);
  expect(1, 256, 1);
  expect(1000, 131, 1000);
  expect(131072, 1, 131072);
  expect(131073, 1, 65537);
  expect(10000000, 1, 129871);  // 77 pieces
}

TEST(ReadResults, RefusesWhatIsNotOurs) {
  const TemporaryFolder folder;
  EXPECT_NE(error_of(folder / "none.h5").find("there is no such file"), std::string::npos);
  EXPECT_NE(error_of(folder / "").find("is a folder"), std::string::npos);
  std::ofstream(folder / "empty.h5").close();
  EXPECT_NE(error_of(folder / "empty.h5").find("is not an HDF5 file"), std::string::npos);
  std::ofstream(folder / "text.h5") << "time,x\n0,1\n" << std::string(5000, 'x');
  EXPECT_NE(error_of(folder / "text.h5").find("text.h5: is not an HDF5 file"), std::string::npos);
  Handle(H5Fcreate((folder / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose)
      .reset();
  EXPECT_NE(error_of(folder / "foreign.h5").find("not results of cosimo"), std::string::npos);
}

TEST(ReadResults, RefusesAnotherFormatVersion) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  write_run(file, {}, 10, 0);
  {
    const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const Handle version(H5Aopen(opened, "format_version", H5P_DEFAULT), H5Aclose);
    const std::int64_t future = 2;
    ASSERT_GE(H5Awrite(version, H5T_NATIVE_INT64, &future), 0);
  }
  EXPECT_NE(error_of(file).find("has format version 2"), std::string::npos) << error_of(file);
}

TEST(ReadResults, AcceptsFilesWithoutLayersPerStep) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  write_run(file, {}, 100, 0);
  ASSERT_EQ(dataset<std::int32_t>(file, "/steps/layers").at(6), 300'000);
  const std::vector<StepRow> before = read_results(file).steps;
  {
    const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(opened, "steps/layers", H5P_DEFAULT), 0);
  }
  const std::vector<StepRow> after = read_results(file).steps;
  ASSERT_EQ(after.size(), 100u);
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].layers, 0);
    EXPECT_EQ(after[i].iterations, before[i].iterations);
    EXPECT_EQ(after[i].t, before[i].t);
  }
}

TEST(ReadResults, CutOffAtAnyLengthIsAnErrorOrHarmless) {
  const TemporaryFolder folder;
  const KnownRun run;
  write_run(folder / "results.h5", run, 400, 0);
  const std::string whole = bytes_of(folder / "results.h5");
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 300) {
    std::ofstream(folder / "cut.h5", std::ios::binary) << whole.substr(0, size);
    const std::string message = error_of(folder / "cut.h5");
    ASSERT_NE(message.find("cut.h5: is "), std::string::npos) << size;
    ASSERT_NE(message.find("run"), std::string::npos) << message;
  }
}

TEST(ReadResults, SurvivesDamagedMetadata) {
  const TemporaryFolder folder;
  const KnownRun run;
  write_run(folder / "results.h5", run, 400, 0);
  const std::string whole = bytes_of(folder / "results.h5");
  // In a process of its own: the library may leak what it could not decode, and says so at its end.
  EXPECT_EQ(test::exit_code(test::in_child([&] {
              std::size_t refused = 0;
              for (std::size_t at = 0; at < 20000; at += 97) {
                std::string damaged = whole;
                damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
                std::ofstream(folder / "damaged.h5", std::ios::binary) << damaged;
                refused += !error_of(folder / "damaged.h5").empty();  // success or Error, nothing else
              }
              return refused > 10 ? 0 : 1;
            })),
            0);
}

TEST(Timing, MergesNeighboursAndKeepsTheSums) {
  const TemporaryFolder folder;
  const auto file = folder / "timing.h5";
  TimingWriter writer(2, 8);
  for (int i = 0; i < 1000; ++i)
    writer.step(i, std::vector<double>{1.0, static_cast<double>(i)}, std::vector<double>{2.0, 3.0});
  writer.write(file);
  const auto t = dataset<double>(file, "/t"), solve = dataset<double>(file, "/solve");
  const auto micro = dataset<double>(file, "/micro_steps");
  const auto count = dataset<std::int64_t>(file, "/count");
  ASSERT_LE(t.size(), 8u);
  ASSERT_GE(t.size(), 4u);
  ASSERT_EQ(count.size(), t.size());
  ASSERT_EQ(solve.size(), 2 * t.size());
  ASSERT_EQ(micro.size(), solve.size());
  double steps = 0, sum = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_EQ(t[i], steps);
    steps += static_cast<double>(count[i]);
    EXPECT_EQ(solve[2 * i], static_cast<double>(count[i]));
    EXPECT_EQ(micro[2 * i], 2 * static_cast<double>(count[i]));
    EXPECT_EQ(micro[2 * i + 1], 3 * static_cast<double>(count[i]));
    sum += solve[2 * i + 1];
  }
  EXPECT_EQ(steps, 1000);
  EXPECT_EQ(sum, 999 * 500);
}

TEST(Timing, WritesAnEmptyRunToo) {
  const TemporaryFolder folder;
  TimingWriter(3).write(folder / "timing.h5");
  EXPECT_TRUE(dataset<double>(folder / "timing.h5", "/t").empty());
}

}  // namespace
}  // namespace cosimo
