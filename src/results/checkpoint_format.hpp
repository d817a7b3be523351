// What writer and reader of checkpoint files must agree on: private to results/.
//
//   header    64 bytes, the same in every version of the format, with a checksum of its own
//   blobs     one behind the other, in the order they were added
//   table     per blob: length of the name (u32), name, size (u64), checksum (u32)
//   trailer   48 bytes, the end of the file, with a checksum over header and trailer
//
// Lengths are used only when the checksum over them is right and they fit the size of the file; every byte is
// under one checksum. Little-endian, as in memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "results/crc32c.hpp"

namespace cosimo {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::uint32_t checkpoint_format_version = 6;
inline constexpr std::array<char, 8> checkpoint_magic = {'\x89', 'c', 'o', 's', 'i', 'm', 'o', '\n'};
inline constexpr std::array<char, 8> checkpoint_end = {'c', 'o', 's', 'i', 'm', 'o', '.', '\n'};

struct CheckpointHeader {
  std::array<char, 8> magic = checkpoint_magic;
  std::uint32_t format = checkpoint_format_version;
  std::array<char, 20> program{};  ///< version, padded with zeros
  std::int64_t step = 0;
  double time = 0;
  std::uint64_t scenario_hash = 0;
  std::uint32_t unused = 0;
  std::uint32_t checksum = 0;  ///< of the bytes before it
};
static_assert(sizeof(CheckpointHeader) == 64 && std::is_trivially_copyable_v<CheckpointHeader>);

struct CheckpointTrailer {
  std::uint64_t table_at = 0, table_size = 0, blobs = 0;
  std::uint32_t table_checksum = 0;
  std::uint32_t unused = 0;
  std::uint32_t header_checksum = 0;  ///< so that parts of two files do not pass for one
  std::uint32_t checksum = 0;         ///< of the bytes before it
  std::array<char, 8> end = checkpoint_end;
};
static_assert(sizeof(CheckpointTrailer) == 48 && std::is_trivially_copyable_v<CheckpointTrailer>);

/// The bytes in front of the checksum.
inline std::span<const std::byte> checked_part(const CheckpointHeader& header) {
  return std::as_bytes(std::span(&header, 1)).first(offsetof(CheckpointHeader, checksum));
}
inline std::span<const std::byte> checked_part(const CheckpointTrailer& trailer) {
  return std::as_bytes(std::span(&trailer, 1)).first(offsetof(CheckpointTrailer, checksum));
}

/// The version of this program as the header holds it.
inline std::array<char, 20> program_version() {
  constexpr std::string_view version = COSIMO_VERSION;
  std::array<char, 20> padded{};
  version.copy(padded.data(), padded.size() - 1);
  return padded;
}

/// checkpoint.<step>, the step zero-padded.
std::filesystem::path checkpoint_name(std::int64_t step);

/// A file of the folder that is a checkpoint by its name.
struct CheckpointEntry {
  std::int64_t step = 0;
  std::filesystem::path path;
};
struct CheckpointFolder {
  std::vector<CheckpointEntry> checkpoints;      ///< oldest first
  std::vector<std::filesystem::path> leftovers;  ///< of killed writers
};
/// Empty, with the error, where the folder cannot be read.
CheckpointFolder list_checkpoints(const std::filesystem::path& folder, std::error_code& error);

}  // namespace cosimo
