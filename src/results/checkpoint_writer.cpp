#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "results/checkpoint.hpp"
#include "results/checkpoint_format.hpp"
#include "results/new_file.hpp"

namespace cosimo {

namespace {

constexpr std::size_t step_digits = 12;
constexpr std::string_view stem = "checkpoint.", temporary = ".part";

bool removed(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  return !error;
}

/// A cheap look: header and table.
bool looks_whole(const std::filesystem::path& file) {
  try {
    const CheckpointFile opened(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// After the commit of `step`: it and the newest before it stay. Later ones are of a future that a resumed
/// run discarded, damaged ones of no use. What cannot be removed stays: the checkpoint itself is made.
void prune(const std::filesystem::path& folder, std::int64_t step) {
  std::error_code ignored;
  const CheckpointFolder found = list_checkpoints(folder, ignored);
  for (const auto& leftover : found.leftovers) removed(leftover);
  bool kept = false;
  for (auto entry = found.checkpoints.rbegin(); entry != found.checkpoints.rend(); ++entry) {
    if (entry->step == step) continue;
    if (entry->step < step && !kept && looks_whole(entry->path))
      kept = true;
    else
      removed(entry->path);
  }
}

}  // namespace

std::filesystem::path checkpoint_name(std::int64_t step) {
  const std::string digits = std::to_string(step);
  const std::size_t zeros = digits.size() < step_digits ? step_digits - digits.size() : 0;
  return std::string(stem) + std::string(zeros, '0') + digits;
}

CheckpointFolder list_checkpoints(const std::filesystem::path& folder, std::error_code& error) {
  CheckpointFolder found;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(stem)) continue;
    const bool leftover = name.ends_with(temporary);
    const char *first = name.data() + stem.size(), *last = name.data() + name.size();
    if (leftover) last -= temporary.size();
    std::int64_t step = -1;
    const auto [stop, code] = std::from_chars(first, last, step);
    if (first >= last || code != std::errc() || stop != last || step < 0) continue;
    if (leftover)
      found.leftovers.push_back(entry->path());
    else
      found.checkpoints.push_back({step, entry->path()});
  }
  std::sort(found.checkpoints.begin(), found.checkpoints.end(),
            [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.step < b.step; });
  return found;
}

struct CheckpointWriter::Impl {
  Impl(const std::filesystem::path& folder_, const CheckpointInfo& info)
      : folder(folder_), file(folder / checkpoint_name(info.step), "earlier checkpoints are intact") {
    header.program = program_version();
    header.step = info.step;
    header.time = info.time;
    header.scenario_hash = info.scenario_hash;
    header.checksum = crc32c(checked_part(header));
    file.write(std::as_bytes(std::span(&header, 1)));
  }

  std::filesystem::path folder;
  NewFile file;
  CheckpointHeader header;
  std::vector<std::byte> table;
  std::set<std::string, std::less<>> names;
  bool committed = false;

  void put(std::span<const std::byte> bytes) { table.insert(table.end(), bytes.begin(), bytes.end()); }
};

CheckpointWriter::CheckpointWriter(const std::filesystem::path& folder, const CheckpointInfo& info) {
  COSIMO_CHECK(info.step >= 0, "steps are counted from 0");
  impl_ = std::make_unique<Impl>(folder, info);
}

CheckpointWriter::~CheckpointWriter() = default;

void CheckpointWriter::add(std::string_view name, std::span<const std::byte> bytes) {
  COSIMO_CHECK(!impl_->committed, "add() after commit()");
  COSIMO_CHECK(impl_->names.emplace(name).second, "the name is taken: " + std::string(name));
  impl_->file.write(bytes);
  const auto length = static_cast<std::uint32_t>(name.size());
  const std::uint64_t size = bytes.size();
  const std::uint32_t checksum = crc32c(bytes);
  impl_->put(std::as_bytes(std::span(&length, 1)));
  impl_->put(std::as_bytes(std::span(name)));
  impl_->put(std::as_bytes(std::span(&size, 1)));
  impl_->put(std::as_bytes(std::span(&checksum, 1)));
}

void CheckpointWriter::commit() {
  COSIMO_CHECK(!impl_->committed, "commit() twice");
  CheckpointTrailer trailer;
  trailer.table_at = impl_->file.size();
  trailer.table_size = impl_->table.size();
  trailer.blobs = impl_->names.size();
  trailer.table_checksum = crc32c(impl_->table);
  trailer.header_checksum = impl_->header.checksum;
  trailer.checksum = crc32c(checked_part(trailer));
  impl_->file.write(impl_->table);
  impl_->file.write(std::as_bytes(std::span(&trailer, 1)));
  impl_->file.sync();
  impl_->file.appear();
  impl_->committed = true;
  impl_->file.sync_folder();
  prune(impl_->folder, impl_->header.step);
}

void remove_checkpoints(const std::filesystem::path& folder) {
  std::error_code error;
  const CheckpointFolder found = list_checkpoints(folder, error);
  for (const auto& leftover : found.leftovers) removed(leftover);
  for (const CheckpointEntry& entry : found.checkpoints)
    if (!removed(entry.path))
      throw IoError(entry.path.string() +
                    ": an old checkpoint cannot be removed (remove it or choose another --out folder)");
}

}  // namespace cosimo
