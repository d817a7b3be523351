#include "results/checkpoint.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <thread>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "results/checkpoint_format.hpp"
#include "results/test_support.hpp"

namespace cosimo {
namespace {

using test::bytes_of;
using test::message_of;
using test::TemporaryFolder;
using test::write_bytes;

constexpr std::uint64_t scenario = 0x123456789abcdef0u;

/// A blob that follows from the step and its own number.
std::vector<std::byte> content(std::int64_t step, std::size_t blob, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>((static_cast<std::size_t>(step) * 31 + blob * 7 + i) & 0xff);
  return bytes;
}

std::vector<std::size_t> small() {
  return {5, 0, 17};
}

void write(const std::filesystem::path& folder, std::int64_t step,
           const std::vector<std::size_t>& sizes = small(), std::uint64_t hash = scenario) {
  CheckpointWriter writer(folder, {step, 0.125 * static_cast<double>(step), hash});
  for (std::size_t i = 0; i < sizes.size(); ++i)
    writer.add("part " + std::to_string(i + 1), content(step, i, sizes[i]));
  writer.commit();
}

/// Whether everything in it is what write() made.
bool right(const CheckpointFile& file, const std::vector<std::size_t>& sizes = small()) {
  const std::int64_t step = file.info().step;
  if (file.info().time != 0.125 * static_cast<double>(step) || file.info().scenario_hash != scenario)
    return false;
  if (file.names().size() != sizes.size()) return false;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (file.names()[i] != "part " + std::to_string(i + 1) ||
        file.blob(file.names()[i]) != content(step, i, sizes[i]))
      return false;
  return true;
}

std::vector<std::string> files(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string file(std::int64_t step) {
  return checkpoint_name(step).string();
}

std::string fault_of(const std::filesystem::path& path) {
  return message_of<Error>([&] { CheckpointFile(path).verify(); });
}

std::optional<CheckpointFile> newest(const TemporaryFolder& folder,
                                     std::vector<std::string>* complaints = nullptr) {
  std::vector<std::string> lines;
  auto found = newest_checkpoint(folder / "", scenario, lines);
  if (complaints != nullptr) *complaints = lines;
  return found;
}

TEST(Checkpoint, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  const std::vector<std::size_t> sizes = {0, 1, 64, 3'000'001, 0};
  write(folder / "", 7, sizes);
  const auto found = newest(folder);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->info().step, 7);
  EXPECT_EQ(found->path(), folder / "checkpoint.000000000007");
  EXPECT_TRUE(right(*found, sizes));
  EXPECT_TRUE(found->has("part 3"));
  EXPECT_FALSE(found->has("part 6"));
  EXPECT_NE(
      message_of<Error>([&] { found->blob("run"); }).find("checkpoint.000000000007: has no state of 'run'"),
      std::string::npos);
}

TEST(Checkpoint, EmptyOnesAndEmptyFoldersAreFine) {
  const TemporaryFolder folder;
  EXPECT_FALSE(newest(folder));
  std::vector<std::string> complaints;
  EXPECT_FALSE(newest_checkpoint(folder / "nowhere", scenario, complaints));
  EXPECT_TRUE(complaints.empty());
  remove_checkpoints(folder / "nowhere");
  write(folder / "", 0, {});
  ASSERT_TRUE(newest(folder));
  EXPECT_TRUE(newest(folder)->names().empty());
}

TEST(Checkpoint, EqualStatesGiveEqualBytes) {
  const TemporaryFolder a, b;
  write(a / "", 3);
  write(b / "", 3);
  EXPECT_EQ(bytes_of(a / file(3)), bytes_of(b / file(3)));
}

TEST(Checkpoint, TheLastTwoAreKeptAndLeftoversGo) {
  const TemporaryFolder folder;
  write_bytes(folder / (file(1) + ".part"), "killed");
  write_bytes(folder / "checkpoint.notes", "of the user");
  for (const std::int64_t step : {1, 2, 9, 10, 100}) write(folder / "", step);
  EXPECT_EQ(files(folder), (std::vector<std::string>{file(10), file(100), "checkpoint.notes"}));
  EXPECT_EQ(newest(folder)->info().step, 100);
  // The same step again, and one before it: a resumed run discards what came later.
  write(folder / "", 100);
  EXPECT_EQ(files(folder), (std::vector<std::string>{file(10), file(100), "checkpoint.notes"}));
  write(folder / "", 50);
  EXPECT_EQ(files(folder), (std::vector<std::string>{file(10), file(50), "checkpoint.notes"}));
  write_bytes(folder / (file(60) + ".part"), "killed");
  remove_checkpoints(folder / "");
  EXPECT_EQ(files(folder), (std::vector<std::string>{"checkpoint.notes"}));
}

TEST(Checkpoint, NamesSortByAge) {
  EXPECT_LT(file(9), file(10));
  EXPECT_LT(file(99'999'999), file(100'000'000));
  EXPECT_EQ(file(1), "checkpoint.000000000001");
}

TEST(Checkpoint, OnlyWholeOnesCountAsTheOneBefore) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  write_bytes(folder / file(2), bytes_of(folder / file(1)).substr(0, 100));
  write(folder / "", 3);
  EXPECT_EQ(files(folder), (std::vector<std::string>{file(1), file(3)}));
}

TEST(Checkpoint, WithoutCommitNothingStays) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  {
    CheckpointWriter writer(folder / "", {2, 0, scenario});
    writer.add("run", content(2, 0, 1000));
    EXPECT_EQ(files(folder).size(), 2u);
    EXPECT_EQ(newest(folder)->info().step, 1);
    EXPECT_THROW(writer.add("run", {}), Bug);
  }
  EXPECT_EQ(files(folder), std::vector<std::string>{file(1)});
}

TEST(Checkpoint, EveryTruncationIsFound) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  const std::string whole = bytes_of(folder / file(1));
  ASSERT_EQ(fault_of(folder / file(1)), "");
  write_bytes(folder / "cut", whole);
  for (std::size_t size = whole.size(); size-- > 0;) {
    std::filesystem::resize_file(folder / "cut", size);
    ASSERT_NE(fault_of(folder / "cut").find("cut: is "), std::string::npos) << size;
  }
  write_bytes(folder / "cut", whole + "x");
  EXPECT_NE(fault_of(folder / "cut"), "");
}

TEST(Checkpoint, EveryFlippedBitIsFound) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  const std::string whole = bytes_of(folder / file(1));
  write_bytes(folder / "flipped", whole);
  std::fstream flipped(folder / "flipped", std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t at, char byte) {
    flipped.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
  };
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    put(bit / 8, static_cast<char>(whole[bit / 8] ^ (1 << bit % 8)));
    const std::string fault = fault_of(folder / "flipped");
    ASSERT_NE(fault.find("flipped: is "), std::string::npos) << bit;
    // Damage, not another version: the checkpoint before it is to be used.
    ASSERT_EQ(fault.find("written by"), std::string::npos) << bit;
    put(bit / 8, whole[bit / 8]);
  }
  EXPECT_EQ(fault_of(folder / "flipped"), "");
}

TEST(Checkpoint, ExchangedPartsOfTwoFilesAreFound) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  write(folder / "", 2);
  const std::string one = bytes_of(folder / file(1)), two = bytes_of(folder / file(2));
  write_bytes(folder / "mixed",
              one.substr(0, sizeof(CheckpointHeader)) + two.substr(sizeof(CheckpointHeader)));
  EXPECT_NE(fault_of(folder / "mixed"), "");
}

TEST(Checkpoint, DamagedOnesArePassedOverWithALine) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  const std::string whole = bytes_of(folder / file(1));
  std::vector<std::string> complaints;
  for (const std::string& damaged :
       {std::string(), std::string("something else"), std::string(5000, 'x'), whole.substr(0, 90)}) {
    write_bytes(folder / file(2), damaged);
    const auto found = newest(folder, &complaints);
    ASSERT_TRUE(found);
    EXPECT_TRUE(right(*found));
    ASSERT_EQ(complaints.size(), 1u);
    EXPECT_NE(complaints[0].find(file(2) + ": is "), std::string::npos) << complaints[0];
    EXPECT_NE(complaints[0].find(file(1) + " is used instead"), std::string::npos) << complaints[0];
  }
  std::filesystem::remove(folder / file(2));
  std::filesystem::create_directory(folder / file(2));
  EXPECT_EQ(newest(folder, &complaints)->info().step, 1);
  EXPECT_NE(complaints.at(0).find("is not a file"), std::string::npos);
  write_bytes(folder / file(1), whole.substr(1));
  EXPECT_FALSE(newest(folder, &complaints));
  ASSERT_EQ(complaints.size(), 2u);
  EXPECT_NE(complaints[1].find("is not a checkpoint; there is no other to use instead"), std::string::npos);
}

TEST(Checkpoint, AnotherScenarioIsRefused) {
  const TemporaryFolder folder;
  write(folder / "", 1, small(), scenario + 1);
  const std::string message = message_of<Error>([&] { newest(folder); });
  EXPECT_NE(message.find(file(1) + ": is the checkpoint of another scenario"), std::string::npos) << message;
}

TEST(Checkpoint, AnotherVersionIsRefused) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  const std::string whole = bytes_of(folder / file(1));
  const auto refused = [&](auto change) {
    CheckpointHeader header;
    std::memcpy(&header, whole.data(), sizeof header);
    change(header);
    header.checksum = crc32c(checked_part(header));
    std::string changed = whole;
    std::memcpy(changed.data(), &header, sizeof header);
    write_bytes(folder / file(2), changed);
    return message_of<Error>([&] { newest(folder); });
  };
  EXPECT_NE(refused([](CheckpointHeader& header) {
              header.format = 7;
            }).find("in format 7, this program reads format 6 (resume with that version"),
            std::string::npos);
  EXPECT_NE(refused([](CheckpointHeader& header) {
              header.program = {'9', '.', '8'};
            }).find("was written by cosimo 9.8, this is " COSIMO_VERSION),
            std::string::npos);
}

TEST(Checkpoint, LengthsThatLieAreFoundBeforeTheyAreUsed) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  const std::string whole = bytes_of(folder / file(1));
  const std::size_t at = whole.size() - sizeof(CheckpointTrailer);
  const auto fault_with = [&](auto change) {
    CheckpointTrailer trailer;
    std::memcpy(&trailer, whole.data() + at, sizeof trailer);
    std::string table = whole.substr(trailer.table_at, trailer.table_size);
    change(trailer, table);
    trailer.table_checksum = crc32c(std::as_bytes(std::span(table)));
    trailer.checksum = crc32c(checked_part(trailer));
    std::string changed = whole.substr(0, at - table.size()) + table + whole.substr(at);
    std::memcpy(changed.data() + at, &trailer, sizeof trailer);
    write_bytes(folder / "lies", changed);
    return fault_of(folder / "lies");
  };
  ASSERT_EQ(fault_with([](auto&, auto&) {}), "");
  EXPECT_NE(fault_with([](auto& t, auto&) { t.table_size = std::uint64_t{1} << 62; }), "");
  EXPECT_NE(fault_with([](auto& t, auto&) { t.table_at = ~std::uint64_t{0} - 10; }), "");
  EXPECT_NE(fault_with([](auto& t, auto&) { t.blobs = std::uint64_t{1} << 60; }), "");
  EXPECT_NE(fault_with([](auto& t, auto&) { t.blobs = 2; }), "");
  EXPECT_NE(fault_with([](auto&, auto& table) { table[3] = '\x7f'; }), "");   // length of the first name
  EXPECT_NE(fault_with([](auto&, auto& table) { table[17] = '\x7f'; }), "");  // size of the first blob
}

TEST(Checkpoint, FullDiskAtAnyWriteLeavesTheEarlierOnes) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  write(folder / "", 2);
  std::size_t failures = 0;
  for (std::size_t budget = 0;; ++budget) {
    test::disk_calls_left = budget;
    const std::string message = message_of<IoError>([&] { write(folder / "", 3); });
    test::disk_calls_left = test::endless;
    if (message.empty()) break;
    ++failures;
    ASSERT_NE(
        message.find(file(3) + ": cannot write: No space left on device (earlier checkpoints are intact"),
        std::string::npos)
        << message;
    if (std::filesystem::exists(folder / file(3))) continue;  // only its name was not synced
    ASSERT_EQ(files(folder), (std::vector<std::string>{file(1), file(2)})) << budget;
    ASSERT_TRUE(right(*newest(folder)));
  }
  EXPECT_EQ(failures, 7u);  // header, two blobs with content, table, trailer, file and folder synced
  EXPECT_EQ(newest(folder)->info().step, 3);
}

TEST(Checkpoint, SizeLimitAndMissingFolderAreIoErrors) {
  const TemporaryFolder folder;
  write(folder / "", 1);
  EXPECT_EQ(test::exit_code(test::in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{1 << 20, 1 << 20};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 5;
              const std::string message = message_of<IoError>([&] { write(folder / "", 2, {3 << 20}); });
              return message.find("File too large (earlier") != std::string::npos ? 0 : 1;
            })),
            0);
  EXPECT_EQ(files(folder), std::vector<std::string>{file(1)});
  EXPECT_NE(message_of<IoError>([&] { write(folder / "nowhere", 1); }).find("No such file or directory"),
            std::string::npos);
}

TEST(Checkpoint, SurvivesRealKills) {
  const TemporaryFolder folder;
  void* shared = ::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& committed = *new (shared) std::atomic<std::int64_t>(0);
  const RandomStream random(21, 1);
  const std::vector<std::size_t> sizes = {100, 700'000, 3};
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    const std::int64_t before = committed;
    const pid_t child = test::in_child([&] {
      for (std::int64_t step = before + 1;; ++step) {
        write(folder / "", step, sizes);
        committed = step;
      }
      return 0;
    });
    ASSERT_GT(child, 0);
    // Half of them get time for a commit at least.
    while (trial % 2 == 0 && committed == before) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(random.uniform(trial, 0, 15000))));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto found = newest(folder);
    if (!found && committed == 0) continue;  // killed before the first
    ASSERT_TRUE(found);
    // The one committed last, or the next, killed between rename and return.
    ASSERT_GE(found->info().step, committed);
    ASSERT_LE(found->info().step, committed + 1);
    ASSERT_TRUE(right(*found, sizes)) << "trial " << trial;
    committed = found->info().step;
  }
  EXPECT_GE(committed, 20);
  write(folder / "", committed + 1, sizes);
  EXPECT_EQ(files(folder).size(), 2u);  // what the killed ones left is gone
  ::munmap(shared, sizeof(std::atomic<std::int64_t>));
}

}  // namespace
}  // namespace cosimo
