#include "results/checkpoint.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "results/checkpoint_format.hpp"
#include "results/new_file.hpp"

namespace cosimo {

namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

/// Where a blob lies and what it must sum up to.
struct BlobEntry {
  std::string name;
  std::uint64_t at = 0, size = 0;
  std::uint32_t checksum = 0;
};

/// A file that says by an intact header that another program wrote it.
class Incompatible : public Error {
 public:
  using Error::Error;
};

/// Takes values off the front of the table.
class TableReader {
 public:
  explicit TableReader(std::span<const std::byte> table) : rest_(table) {}

  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text(std::size_t length) {
    const auto bytes = take(length);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  bool failed() const { return failed_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::span<const std::byte> take(std::size_t length) {
    static constexpr std::array<std::byte, sizeof(std::uint64_t)> zeros{};
    if (length > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return std::span(zeros).first(std::min(length, zeros.size()));
    }
    const auto front = rest_.first(length);
    rest_ = rest_.subspan(length);
    return front;
  }

  std::span<const std::byte> rest_;
  bool failed_ = false;
};

}  // namespace

struct CheckpointFile::Impl {
  explicit Impl(const std::filesystem::path& file) : path(file) { open(); }

  [[noreturn]] void refuse(std::string problem, std::string remedy = "") const {
    throw Error(Fault{.file = path.string(), .problem = std::move(problem), .remedy = std::move(remedy)});
  }
  [[noreturn]] void refuse_as_incompatible(std::string problem) const {
    throw Incompatible(Fault{.file = path.string(),
                             .problem = std::move(problem),
                             .remedy = "resume with that version, or start anew without --resume"});
  }

  void read(std::uint64_t at, std::span<std::byte> out) const {
    while (!out.empty()) {
      const ::ssize_t n = ::pread(descriptor.get(), out.data(), out.size(), static_cast<::off_t>(at));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse("cannot be read: " + std::generic_category().message(errno));
      if (n == 0) refuse("is cut off");
      out = out.subspan(static_cast<std::size_t>(n));
      at += static_cast<std::uint64_t>(n);
    }
  }

  void open() {
    descriptor = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct ::stat status {};
    if (!descriptor || ::fstat(descriptor.get(), &status) != 0)
      refuse("cannot be read: " + std::generic_category().message(errno));
    if (!S_ISREG(status.st_mode)) refuse("is not a file");
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size == 0) refuse("is empty");
    read_header(size);
    read_table(size);
  }

  void read_header(std::uint64_t size) {
    if (size < sizeof header) refuse("is cut off or not a checkpoint");
    read(0, std::as_writable_bytes(std::span(&header, 1)));
    if (header.magic != checkpoint_magic) refuse("is not a checkpoint");
    if (header.checksum != crc32c(checked_part(header))) refuse("is damaged: the header has changed");
    const std::string version(header.program.data(), ::strnlen(header.program.data(), header.program.size()));
    if (header.format != checkpoint_format_version)
      refuse_as_incompatible("was written by cosimo " + version + " in format " +
                             std::to_string(header.format) + ", this program reads format " +
                             std::to_string(checkpoint_format_version));
    if (header.program != program_version())
      refuse_as_incompatible("was written by cosimo " + version + ", this is " COSIMO_VERSION);
    info = {header.step, header.time, header.scenario_hash};
  }

  void read_table(std::uint64_t size) {
    CheckpointTrailer trailer;
    if (size < sizeof header + sizeof trailer) refuse("is cut off");
    const std::uint64_t end = size - sizeof trailer;
    read(end, std::as_writable_bytes(std::span(&trailer, 1)));
    if (trailer.end != checkpoint_end) refuse("is cut off: its end is missing");
    if (trailer.checksum != crc32c(checked_part(trailer)) || trailer.header_checksum != header.checksum)
      refuse("is damaged: its end has changed");
    if (trailer.table_at < sizeof header || trailer.table_at > end ||
        trailer.table_size != end - trailer.table_at)
      refuse("is damaged: it is " + std::to_string(size) + " bytes long, which its end denies");
    std::vector<std::byte> table(trailer.table_size);
    read(trailer.table_at, table);
    if (trailer.table_checksum != crc32c(table)) refuse("is damaged: the table of contents has changed");

    TableReader reader(table);
    std::uint64_t at = sizeof header;
    for (std::uint64_t i = 0; i < trailer.blobs && !reader.failed(); ++i) {
      BlobEntry entry;
      entry.name = reader.text(reader.number<std::uint32_t>());
      entry.at = at;
      entry.size = reader.number<std::uint64_t>();
      entry.checksum = reader.number<std::uint32_t>();
      if (entry.size > trailer.table_at - at) refuse("is damaged: a blob is longer than the file");
      at += entry.size;
      index.emplace(entry.name, blobs.size());
      blobs.push_back(std::move(entry));
    }
    if (reader.failed() || !reader.empty() || at != trailer.table_at)
      refuse("is damaged: the table of contents does not fit the file");
  }

  const BlobEntry& entry(std::string_view name) const {
    const auto found = index.find(name);
    if (found == index.end())
      refuse("has no state of '" + std::string(name) + "'", "start anew without --resume");
    return blobs[found->second];
  }

  [[noreturn]] void refuse_blob(const BlobEntry& blob) const {
    refuse("is damaged: the state of '" + blob.name + "' has changed");
  }

  std::filesystem::path path;
  FileDescriptor descriptor;
  CheckpointHeader header;
  CheckpointInfo info;
  std::vector<BlobEntry> blobs;
  std::map<std::string, std::size_t, std::less<>> index;
};

CheckpointFile::CheckpointFile(const std::filesystem::path& file) : impl_(std::make_unique<Impl>(file)) {}
CheckpointFile::~CheckpointFile() = default;
CheckpointFile::CheckpointFile(CheckpointFile&&) noexcept = default;
CheckpointFile& CheckpointFile::operator=(CheckpointFile&&) noexcept = default;

const CheckpointInfo& CheckpointFile::info() const {
  return impl_->info;
}

const std::filesystem::path& CheckpointFile::path() const {
  return impl_->path;
}

std::vector<std::string> CheckpointFile::names() const {
  std::vector<std::string> names;
  for (const BlobEntry& blob : impl_->blobs) names.push_back(blob.name);
  return names;
}

bool CheckpointFile::has(std::string_view name) const {
  return impl_->index.find(name) != impl_->index.end();
}

std::vector<std::byte> CheckpointFile::blob(std::string_view name) const {
  const BlobEntry& entry = impl_->entry(name);
  std::vector<std::byte> bytes(entry.size);
  impl_->read(entry.at, bytes);
  if (crc32c(bytes) != entry.checksum) impl_->refuse_blob(entry);
  return bytes;
}

void CheckpointFile::verify() const {
  std::vector<std::byte> bytes;
  for (const BlobEntry& entry : impl_->blobs) {
    std::uint32_t checksum = 0;
    for (std::uint64_t done = 0; done < entry.size; done += bytes.size()) {
      bytes.resize(std::min<std::uint64_t>(piece, entry.size - done));
      impl_->read(entry.at + done, bytes);
      checksum = crc32c(bytes, checksum);
    }
    if (checksum != entry.checksum) impl_->refuse_blob(entry);
  }
}

std::optional<CheckpointFile> newest_checkpoint(const std::filesystem::path& folder,
                                                std::uint64_t scenario_hash,
                                                std::vector<std::string>& complaints) {
  std::error_code error;
  const CheckpointFolder found = list_checkpoints(folder, error);
  if (error && error != std::errc::no_such_file_or_directory)
    throw Error(Fault{.file = folder.string(),
                      .problem = "cannot be searched for checkpoints: " + error.message(),
                      .remedy = "make the folder readable"});
  std::optional<CheckpointFile> newest;
  std::vector<std::string> faults;
  for (auto entry = found.checkpoints.rbegin(); entry != found.checkpoints.rend() && !newest; ++entry) {
    try {
      CheckpointFile file(entry->path);
      file.verify();
      newest.emplace(std::move(file));
    } catch (const Incompatible&) {
      throw;
    } catch (const Error& fault) {
      faults.push_back(fault.what());
    }
  }
  const std::string instead = newest ? "; " + newest->path().filename().string() + " is used instead"
                                     : "; there is no other to use instead";
  for (std::string& fault : faults) complaints.push_back(fault.append(instead));
  if (newest && newest->info().scenario_hash != scenario_hash)
    throw Error(Fault{.file = newest->path().string(),
                      .problem = "is the checkpoint of another scenario",
                      .remedy = "resume with the scenario that wrote it, or start anew without --resume"});
  return newest;
}

}  // namespace cosimo
