// An HDF5 file that is whole on disk at every instant, also when its writer is killed or
// the disk runs full: private to results/.
//
// HDF5's single-writer mode (SWMR) orders its writes so that a block is on disk before the
// block that refers to it: raw chunk, chunk index, object header with the new extent. Three
// things keep such a file from opening after a kill, and a file driver of our own, below the
// library, mends them:
//
//   1. the superblock carries "open for writing" flags that plain readers refuse
//        -> every image of the superblock is written with cleared flags and a right checksum;
//   2. the superblock's end-of-file address lags behind blocks already referred to, or leads
//      the real size of the file
//        -> before any metadata the file is extended to all allocated space, and the
//           superblock says so;
//   3. a kill can tear a write() between two pages of memory
//        -> metadata blocks up to a page never cross a page boundary.
//
// The library's cache may evict metadata only in a flush (CrashSafeFile::access_properties), raw
// data pass no cache: rows become visible in a flush and are complete by then. The file is built
// under the name `file`.part and renamed when whole, so `file` is at every instant either what
// it was before or a valid file.
//
// Kept from a kill at any instant: every row of every flush that returned. Not promised: power
// loss (but after sync(), until the next write), and a chunk index block larger than a page (from about 8000
// chunks = 8 GiB per dataset on) torn by a kill between two pages of one write().
//
// A failed write is noted (failure()) but not told to the library, and nothing is written any more:
// the library can be closed in order, and the file stays as the last whole write left it. guarded()
// throws.
//
// Call sequence, each inside guarded(): create() -> objects -> go_live() -> {write rows -> H5Fflush}* ->
// close handles. A file that shall have rows before it appears: start() -> {rows -> H5Fflush}* -> appear() in
// the place of go_live().
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "results/hdf5_handles.hpp"

namespace cosimo {

class CrashSafeFile {
 public:
  static constexpr std::uint64_t page = 4096;
  static constexpr std::size_t superblock_size = 48;  ///< version 3, 8-byte addresses

  /// The name of the file until it appears.
  static std::filesystem::path part_name(std::filesystem::path file) { return file += ".part"; }

  explicit CrashSafeFile(std::filesystem::path file);
  ~CrashSafeFile();
  CrashSafeFile(const CrashSafeFile&) = delete;
  CrashSafeFile& operator=(const CrashSafeFile&) = delete;

  /// The new, empty HDF5 file, held in memory and under the temporary name.
  Handle create();
  /// All objects exist: from here on the file grows row by row, under its own name.
  void go_live(hid_t file);
  /// The two halves of go_live(): growing, still under the temporary name; and the own name.
  void start(hid_t file);
  void appear();
  /// Gives the live file another name, replacing what had it, once the disk has all that was flushed.
  void move_to(const std::filesystem::path& file);
  /// Waits until the disk has all that was flushed.
  void sync();
  /// Nothing is written any more: the file stays as the last flush left it.
  void abandon() { fail(ECANCELED); }

  /// Runs one operation on the file; whatever fails in it becomes an IoError that names the file.
  template <class Operation>
  void guarded(Operation operation) {
    const SilentErrors quiet;
    if (failure_ != 0) raise("");
    try {
      operation();
    } catch (const Hdf5Failure& failure) {
      raise(failure.what());
    }
    if (failure_ != 0) raise("");
  }

  /// The errno of the first failed system call, 0 while all is well.
  int failure() const { return failure_; }

  // What the driver's callbacks do. None throws; false means that failure() is set.
  bool open();
  void close();
  bool read(std::uint64_t address, std::span<std::byte> out);
  bool write(std::uint64_t address, std::span<const std::byte> block, bool metadata);
  std::uint64_t allocate(std::uint64_t size, bool metadata);
  bool truncate();
  std::uint64_t allocated() const { return allocated_; }
  void set_allocated(std::uint64_t end);
  std::uint64_t size() const { return size_; }

 private:
  bool put(std::uint64_t address, std::span<const std::byte> block);
  bool resize(std::uint64_t size);
  bool publish(std::uint64_t end);
  bool fail(int error);
  /// IoError for failure(), or for the reason given when the disk is not to blame.
  [[noreturn]] void raise(const std::string& otherwise) const;

  std::filesystem::path file_, part_;
  int descriptor_ = -1;
  int failure_ = 0;
  bool live_ = false;                ///< renamed to its own name
  std::uint64_t allocated_ = 0;      ///< the library's end of allocated space
  std::uint64_t size_ = 0;           ///< real size of the file
  std::uint64_t published_end_ = 0;  ///< end-of-file address of the superblock on disk, 0: none yet
  std::uint64_t free_first_ = 0, free_last_ = 0;  ///< rest of the newest metadata page
  std::array<std::byte, superblock_size> superblock_{};
};

/// Bob Jenkins' lookup3 hash with zero seed, the checksum of HDF5 metadata.
std::uint32_t metadata_checksum(std::span<const std::byte> bytes);

}  // namespace cosimo
