// What is read of a results.h5 is what was written, or an Error that names what is damaged.
#include <cstring>

#include "core/error.hpp"
#include "results/results_view.hpp"
#include "results/test_support.hpp"

namespace cosimo {
namespace {

using test::bytes_of;
using test::KnownRun;
using test::message_of;
using test::TemporaryFolder;

constexpr std::size_t rows = 40;
const ResultsPosition kept{.outputs = 30, .steps = 30, .points = 30, .locals = 30};

void write(const std::filesystem::path& file, const KnownRun& run) {
  ResultsWriter writer(file, run.layout());
  for (std::size_t row = 0; row < rows; ++row) {
    run.write_row(writer, row);
    if (row % 7 == 0) writer.flush();
  }
  writer.cut_errors(std::vector<double>(run.couplings, 0.5), std::vector<std::int32_t>(run.couplings, 3));
  writer.close();
}

/// Where the number is in the file.
std::size_t place_of(const std::string& bytes, double number) {
  char pattern[sizeof number];
  std::memcpy(pattern, &number, sizeof number);
  const std::size_t at = bytes.find(pattern, 0, sizeof pattern);
  EXPECT_NE(at, bytes.npos);
  EXPECT_EQ(bytes.find(pattern, at + 1, sizeof pattern), bytes.npos) << "more than once";
  return at;
}

void flip(const std::filesystem::path& file, std::size_t at) {
  std::string bytes = bytes_of(file);
  bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
  test::write_bytes(file, bytes);
}

/// A file whose position of body `column` in `row` is wrong in one bit.
void write_damaged(const std::filesystem::path& file, const KnownRun& run, std::size_t row,
                   std::size_t column) {
  write(file, run);
  flip(file, place_of(bytes_of(file), KnownRun::value(row, column, 1)) + 3);
}

TEST(Checksums, NoFlippedByteIsTakenForData) {
  const TemporaryFolder folder;
  const KnownRun run;
  write(folder / "results.h5", run);
  const std::string whole = bytes_of(folder / "results.h5");
  // In a process of its own: the library may leak what it could not decode, and says so at its end.
  EXPECT_EQ(test::exit_code(test::in_child([&] {
              std::size_t refused = 0;
              for (std::size_t at = 0; at < whole.size(); at += 509) {
                std::string damaged = whole;
                damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
                test::write_bytes(folder / "damaged.h5", damaged);
                try {
                  const Results results = read_results(folder / "damaged.h5");
                  if (!run.first_fault(results, rows).empty()) return 2;
                  if (results.cut_errors != std::vector<double>{0.5, 0.5}) return 3;
                } catch (const Error&) {
                  ++refused;
                }
              }
              return refused > 10 ? 0 : 1;
            })),
            0);
}

TEST(Checksums, ADamagedRowIsNamed) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  write_damaged(file, {}, 17, 1);
  const std::string message = message_of<Error>([&] { read_results(file); });
  EXPECT_NE(message.find("results.h5: is damaged: row 18 of /position does not have the checksum"),
            std::string::npos)
      << message;
}

TEST(Checksums, ARunDoesNotGoOnFromDamagedRows) {
  const TemporaryFolder folder;
  const KnownRun run;
  const auto file = folder / "results.h5";
  const auto resume = [&] { ResultsWriter(file, run.layout(), {.position = kept}); };
  write_damaged(file, run, 29, 0);
  const std::string before = bytes_of(file);
  const std::string message = message_of<Error>(resume);
  EXPECT_NE(message.find("row 30 of /position"), std::string::npos) << message;
  EXPECT_NE(message.find("without --resume"), std::string::npos) << message;
  EXPECT_EQ(bytes_of(file), before);
  write_damaged(file, run, 30, 0);
  EXPECT_EQ(message_of<Error>(resume), "") << "rows that are not taken over do not matter";
}

TEST(Checksums, AColumnOfADamagedRowIsNotShown) {
  const TemporaryFolder folder;
  write_damaged(folder / "results.h5", {}, 17, 1);
  const ResultsView view(folder / "results.h5");
  EXPECT_EQ(view.position({.row = 18, .rows = 22, .column = 2}).size(), 22u);
  EXPECT_NE(message_of<Error>([&] { view.position({.row = 17, .rows = 1, .column = 2}); }), "");
  EXPECT_EQ(view.velocity({.row = 17, .rows = 1, .column = 1}).front(), KnownRun::value(17, 1, -1));
}

TEST(Checksums, AWideRowIsCheckedInPieces) {
  const TemporaryFolder folder;
  const KnownRun run{.bodies = 300'001, .couplings = 0, .local_bodies = 0};
  const auto file = folder / "results.h5";
  {
    ResultsWriter writer(file, run.layout());
    for (std::size_t row = 0; row < 2; ++row)
      writer.output(KnownRun::time(row), KnownRun::values(row, run.bodies, 1),
                    KnownRun::values(row, run.bodies, -1));
    writer.close();
  }
  EXPECT_EQ(ResultsView(file).position({.row = 1, .rows = 1, .column = 7}).front(), KnownRun::value(1, 7, 1));
  flip(file, place_of(bytes_of(file), KnownRun::value(1, 299'998, 1)));
  const ResultsView view(file);
  EXPECT_EQ(view.position({.row = 0, .rows = 1, .column = 7}).front(), KnownRun::value(0, 7, 1));
  EXPECT_NE(message_of<Error>([&] { view.position({.row = 1, .rows = 1, .column = 7}); }), "");
  EXPECT_NE(message_of<Error>([&] { read_results(file); }), "");
}

TEST(Checksums, OlderFilesHaveNone) {
  const TemporaryFolder folder;
  const auto file = folder / "results.h5";
  write_damaged(file, {}, 17, 1);
  {
    const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(opened, "crc32c", H5P_DEFAULT), 0);
  }
  EXPECT_EQ(read_results(file).time.size(), rows);
}

}  // namespace
}  // namespace cosimo
