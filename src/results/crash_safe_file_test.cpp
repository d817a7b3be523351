// The promise of results.h5 that matters most: killed at any instant, or on a full disk, the
// file opens and holds every flushed row.
//
// Every change of the file passes pwrite() and ftruncate(). This program replaces both (and fsync()), notes
// each call, and can then rebuild the file as it was after any prefix of the calls, also with
// the next call torn between two pages. That covers all instants, not a sample; real kills and
// a real full disk follow.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <thread>

#include "core/error.hpp"
#include "core/random.hpp"
#include "results/crash_safe_file.hpp"
#include "results/test_support.hpp"

std::size_t cosimo::test::disk_calls_left = cosimo::test::endless;

namespace {

struct Call {
  bool truncates;
  std::uint64_t at;  ///< address, or the new size
  std::vector<std::byte> bytes;
};

std::vector<Call>* call_log = nullptr;  // where to note the calls

bool disk_full() {
  if (cosimo::test::disk_calls_left == 0) {
    errno = ENOSPC;
    return true;
  }
  --cosimo::test::disk_calls_left;
  return false;
}

ssize_t real_pwrite(int descriptor, const void* data, std::size_t size, off_t at) {
  return ::syscall(SYS_pwrite64, descriptor, data, size, at);
}

}  // namespace

extern "C" ssize_t pwrite(int descriptor, const void* data, std::size_t size, off_t at) {
  if (disk_full()) return -1;
  if (call_log != nullptr) {
    const auto* bytes = static_cast<const std::byte*>(data);
    call_log->push_back({false, static_cast<std::uint64_t>(at), {bytes, bytes + size}});
  }
  return real_pwrite(descriptor, data, size, at);
}

extern "C" int ftruncate(int descriptor, off_t size) noexcept {
  if (disk_full()) return -1;
  if (call_log != nullptr) call_log->push_back({true, static_cast<std::uint64_t>(size), {}});
  return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}

extern "C" int fsync(int descriptor) {
  return disk_full() ? -1 : static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace cosimo {
namespace {

using test::disk_calls_left;
using test::endless;
using test::exit_code;
using test::in_child;
using test::KnownRun;
using test::opens_plainly;
using test::TemporaryFolder;

std::string fault_of(const std::filesystem::path& file, const KnownRun& run, std::size_t least_rows) {
  if (!opens_plainly(file)) return "does not open";
  try {
    return run.first_fault(read_results(file), least_rows);
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// The file as the noted calls make it.
class Replay {
 public:
  explicit Replay(const std::filesystem::path& file)
      : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666)) {}
  ~Replay() { ::close(descriptor_); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void apply(const Call& call) { apply(call, call.bytes.size()); }
  void apply(const Call& call, std::size_t size) {
    if (call.truncates) {
      ASSERT_EQ(::syscall(SYS_ftruncate, descriptor_, call.at), 0);
    } else {
      ASSERT_EQ(real_pwrite(descriptor_, call.bytes.data(), size, static_cast<off_t>(call.at)),
                static_cast<ssize_t>(size));
    }
  }

 private:
  int descriptor_;
};

TEST(CrashSafeFile, ChecksumIsLookup3) {
  // The superblock of an empty file written by the library itself.
  const TemporaryFolder folder;
  const auto file = folder / "plain.h5";
  {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    ASSERT_GE(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110), 0);
    const Handle opened(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  }
  std::array<std::byte, CrashSafeFile::superblock_size> block;
  const int descriptor = ::open(file.c_str(), O_RDONLY);
  ASSERT_EQ(::read(descriptor, block.data(), block.size()), 48);
  ::close(descriptor);
  std::uint32_t stored = 0;
  std::memcpy(&stored, block.data() + 44, 4);
  EXPECT_EQ(metadata_checksum(std::span(block).first(44)), stored);
}

TEST(CrashSafeFile, HoldsEveryFlushedRowAfterAnyPrefixOfItsWrites) {
  const TemporaryFolder folder;
  const KnownRun run{.bodies = 1, .couplings = 1, .local_bodies = 0};
  std::vector<Call> calls;
  std::vector<std::size_t> flushed_at = {0};  // flushed_at[k]: calls noted when flush k had returned
  std::vector<std::size_t> rows_at = {0};
  {
    call_log = &calls;
    ResultsWriter writer(folder / "results.h5", run.layout());
    flushed_at[0] = calls.size();
    // 40 chunks of 256 rows: the chunk index grows through several levels.
    const std::size_t total = 40 * 256;
    for (std::size_t row = 0, next = 1; row < total;) {
      run.write_row(writer, row++);
      if (row != next && row != total) continue;
      writer.flush();
      flushed_at.push_back(calls.size());
      rows_at.push_back(row);
      next = row < 40 ? row + 1 : row + 301;
    }
    writer.cut_errors(std::vector<double>{0.5}, std::vector<std::int32_t>{0});
    writer.close();
    call_log = nullptr;
  }
  ASSERT_GT(flushed_at.size(), 70u);

  Replay replay(folder / "replay.h5");
  for (std::size_t i = 0, flush = 0; i < calls.size(); ++i) {
    const Call& call = calls[i];
    if (i >= flushed_at[0] && !call.truncates) {  // torn between two pages
      const std::uint64_t boundary = (call.at / CrashSafeFile::page + 1) * CrashSafeFile::page;
      if (boundary < call.at + call.bytes.size()) {
        replay.apply(call, boundary - call.at);
        ASSERT_EQ(fault_of(folder / "replay.h5", run, rows_at[flush]), "") << "call " << i << ", torn";
      }
    }
    replay.apply(call);
    if (i + 1 < flushed_at[0]) continue;
    if (flush + 1 < flushed_at.size() && i + 1 >= flushed_at[flush + 1]) ++flush;
    ASSERT_EQ(fault_of(folder / "replay.h5", run, rows_at[flush]), "") << "after call " << i + 1;
  }
}

TEST(CrashSafeFile, FullDiskAtAnyWriteIsAnIoErrorAndLosesNothingFlushed) {
  const TemporaryFolder folder;
  const KnownRun run;
  const auto file = folder / "results.h5";
  std::size_t failed_runs = 0;
  for (std::size_t budget = 0;; ++budget) {
    std::filesystem::remove(file);
    bool created = false, complete = false;
    std::size_t flushed = 0;
    disk_calls_left = budget;
    try {
      ResultsWriter writer(file, run.layout());
      created = true;
      for (std::size_t row = 0; row < 600; ++row) {
        run.write_row(writer, row);
        if (row % 97 != 0) continue;
        writer.flush();
        flushed = row + 1;
      }
      writer.close();
      complete = true;
    } catch (const IoError& error) {
      ASSERT_NE(std::string(error.what()).find("results.h5: cannot write: No space left on device"),
                std::string::npos)
          << error.what();
      ++failed_runs;
    }
    disk_calls_left = endless;
    ASSERT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0) << "left open, disk full at write " << budget;
    if (created) {
      ASSERT_EQ(fault_of(file, run, flushed), "") << "disk full at write " << budget;
    }
    ASSERT_FALSE(std::filesystem::exists(folder / "results.h5.part"));
    if (complete) break;
  }
  EXPECT_GT(failed_runs, 50u);
}

TEST(CrashSafeFile, SurvivesRealKills) {
  const TemporaryFolder folder;
  void* shared = ::mmap(nullptr, sizeof(std::atomic<std::size_t>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& flushed = *new (shared) std::atomic<std::size_t>(0);
  const RandomStream random(20, 1);
  std::size_t with_rows = 0;
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    const auto file = folder / ("killed" + std::to_string(trial) + ".h5");
    const std::size_t every = trial % 2 == 0 ? 1 : 37;  // half of them flush all the time
    // Every fifth writes rows of 1 MiB in several chunks.
    const KnownRun run{
        .bodies = trial % 5 == 0 ? std::size_t{140000} : std::size_t{20}, .couplings = 4, .local_bodies = 3};
    flushed = 0;
    const pid_t child = in_child([&] {
      ResultsWriter writer(file, run.layout());
      for (std::size_t row = 0; row < 10000000; ++row) {
        run.write_row(writer, row);
        if (row % every != 0) continue;
        writer.flush();
        flushed = row + 1;
      }
      return 0;
    });
    ASSERT_GT(child, 0);
    // Most have rows when they die, however slow the machine is.
    for (int ms = 0; trial % 4 != 0 && flushed == 0 && ms < 20000; ++ms)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(
        std::chrono::microseconds(static_cast<int>(random.uniform(trial, 500, 60000))));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    if (!std::filesystem::exists(file)) {
      ASSERT_EQ(flushed, 0u);
      continue;
    }
    ASSERT_EQ(fault_of(file, run, flushed), "") << "trial " << trial << ", " << flushed << " rows flushed";
    with_rows += flushed > 0;
    std::filesystem::remove(file);
  }
  EXPECT_GT(with_rows, 20u);
  ::munmap(shared, sizeof(std::atomic<std::size_t>));
}

/// Writes until the disk or a limit refuses: 0 when that is an IoError with `reason` and the flushed rows are
/// there.
int write_until_refused(const std::filesystem::path& file, const std::string& reason) {
  const KnownRun run{.bodies = 500, .couplings = 2, .local_bodies = 0};
  std::size_t flushed = 0;
  try {
    ResultsWriter writer(file, run.layout());
    for (std::size_t row = 0; row < 100000; ++row) {
      run.write_row(writer, row);
      if (row % 10 != 9) continue;
      writer.flush();
      flushed = row + 1;
    }
    return 1;
  } catch (const IoError& error) {
    if (std::string(error.what()).find(reason) == std::string::npos) return 2;
  }
  if (flushed < 100) return 3;
  return fault_of(file, run, flushed).empty() ? 0 : 4;
}

TEST(CrashSafeFile, SizeLimitIsAnIoError) {
  const TemporaryFolder folder;
  EXPECT_EQ(exit_code(in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{4 << 20, 4 << 20};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 5;
              return write_until_refused(folder / "results.h5", "File too large");
            })),
            0);
}

TEST(CrashSafeFile, RealFullDiskIsAnIoError) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "small");
  // In a name space of its own: nobody else sees the mount, and it ends with the child.
  const int code = exit_code(in_child([&] {
    const bool mounted = ::unshare(CLONE_NEWNS) == 0 &&
                         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         ::mount("none", (folder / "small").c_str(), "tmpfs", 0, "size=4m") == 0;
    return mounted ? write_until_refused(folder / "small" / "results.h5", "No space left on device") : 77;
  }));
  if (code == 77) GTEST_SKIP() << "may not mount a small file system";
  EXPECT_EQ(code, 0);
}

TEST(CrashSafeFile, MayBeReadWhileItIsWritten) {
  const TemporaryFolder folder;
  const KnownRun run;
  ResultsWriter writer(folder / "results.h5", run.layout());
  for (std::size_t row = 0; row < 700; ++row) run.write_row(writer, row);
  writer.flush();
  EXPECT_EQ(exit_code(in_child([&] { return fault_of(folder / "results.h5", run, 700).empty() ? 0 : 1; })),
            0);
}

}  // namespace
}  // namespace cosimo
