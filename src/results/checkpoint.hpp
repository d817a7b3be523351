// Checkpoint files: the complete state of a run at one macro point, so that it can go on from there to the
// same bits, also with another number of ranks or threads.
//
// A checkpoint is a row of named blobs (core/archive.hpp): one of the run, one per subsystem, one per
// coupling. It is written blob after blob, so that the writer never holds more than one:
//
//   CheckpointWriter writer(folder, {step, time, scenario_hash});
//   writer.add("run", bytes);  writer.add("part 1", bytes);  ...
//   writer.commit();                       temporary file -> synced -> renamed; the last two are kept
//
//   auto file = newest_checkpoint(folder, scenario_hash, complaints);      the newest that is whole
//   file->blob("part 1")                                                   read and checked when asked for
//
// Files are <folder>/checkpoint.<step>, with the step zero-padded, so that names sort by age. Layout
// (results/checkpoint_format.hpp): a header (magic, format version, program version, step, time, hash of the
// scenario), the blobs each with its own checksum (CRC-32C), and a table of contents, with checksums over
// itself, the header and the lengths. A file without a whole table is not a checkpoint: killed writers, full
// disks and flipped bits are found, and the file before it is used. Nothing in it depends on time of day,
// ranks or threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cosimo {

struct CheckpointInfo {
  std::int64_t step = 0;            ///< accepted macro steps so far
  double time = 0;                  ///< simulated
  std::uint64_t scenario_hash = 0;  ///< of what the run computes; `run:` has no part in it
};

class CheckpointWriter {
 public:
  /// Begins a temporary file in the folder, which exists. Throws IoError naming the file, like everything
  /// below; the checkpoints that were there stay.
  CheckpointWriter(const std::filesystem::path& folder, const CheckpointInfo& info);
  ~CheckpointWriter();  ///< without commit(): the temporary file is removed
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  void add(std::string_view name, std::span<const std::byte> bytes);
  /// Table of contents, fsync of file and folder, rename. Then only this checkpoint and the newest whole one
  /// of an earlier step stay; later ones are of a future that a resumed run discarded.
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class CheckpointFile {
 public:
  /// Checks header and table. Throws Error naming the file and what is wrong with it.
  explicit CheckpointFile(const std::filesystem::path& file);
  ~CheckpointFile();
  CheckpointFile(CheckpointFile&&) noexcept;
  CheckpointFile& operator=(CheckpointFile&&) noexcept;

  const CheckpointInfo& info() const;
  const std::filesystem::path& path() const;
  std::vector<std::string> names() const;  ///< in the order they were added
  bool has(std::string_view name) const;
  /// Throws Error when there is no such blob or its checksum is wrong.
  std::vector<std::byte> blob(std::string_view name) const;
  void verify() const;  ///< reads every blob and throws like blob()

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The newest checkpoint of the folder that is whole, every blob verified; empty when there is none. Damaged
/// ones are passed over, with a line each in `complaints`. Throws Error when a whole one belongs to another
/// scenario (hash), as the folder then holds another run, or was written by an incompatible version.
std::optional<CheckpointFile> newest_checkpoint(const std::filesystem::path& folder,
                                                std::uint64_t scenario_hash,
                                                std::vector<std::string>& complaints);

/// Removes all checkpoints and what killed writers left of them: a new run begins in the folder.
void remove_checkpoints(const std::filesystem::path& folder);

}  // namespace cosimo
