#include "fmi/zip_archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace cosimo {

namespace {

constexpr const char* harm = "do not use this archive: it may have been made to do harm";

struct CloseEntry {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

std::string words_of(zip_error_t& error) {
  std::string words = zip_error_strerror(&error);
  zip_error_fini(&error);
  return words;
}

[[noreturn]] void cannot_write(const std::filesystem::path& path, const std::string& why) {
  throw IoError("cannot unpack an archive to " + path.string() + ": " + why);
}

/// A new file that takes bytes.
class NewFile {
 public:
  explicit NewFile(std::filesystem::path path)
      : path_(std::move(path)),
        to_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700)) {
    if (to_ < 0) cannot_write(path_, std::strerror(errno));
  }
  ~NewFile() { ::close(to_); }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void put(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t put = ::write(to_, bytes, count);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) cannot_write(path_, std::strerror(errno));
      bytes += put;
      count -= static_cast<std::size_t>(put);
    }
  }

 private:
  std::filesystem::path path_;
  int to_;
};

}  // namespace

void ZipArchive::Close::operator()(::zip* archive) const {
  zip_discard(archive);
}

PathInFile split_at_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return {};
  for (std::filesystem::path head = path.parent_path(); !head.empty(); head = head.parent_path()) {
    if (std::filesystem::is_regular_file(head, ignored))
      return {head, path.lexically_relative(head).generic_string()};
    if (head == head.parent_path()) break;
  }
  return {};
}

ZipArchive::ZipArchive(const std::filesystem::path& path, const UnpackLimits& limits)
    : name_(path.string()), limits_(limits) {
  if (const PathInFile at = split_at_file(path); at.inside.empty())
    open_file();
  else
    open_inside(at.file, at.inside);
  look_at_all();
}

ZipArchive::ZipArchive(std::string bytes, std::string name, const UnpackLimits& limits)
    : name_(std::move(name)), limits_(limits), bytes_(std::move(bytes)) {
  open_bytes();
  look_at_all();
}

ZipArchive::~ZipArchive() = default;

void ZipArchive::open_file() {
  int code = 0;
  archive_.reset(zip_open(name_.c_str(), ZIP_RDONLY, &code));
  if (archive_) return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string why = words_of(error);
  refuse("", code == ZIP_ER_NOENT ? "there is no such file" : "is not a readable archive: " + why,
         code == ZIP_ER_NOENT ? "check the name" : "export or fetch it again");
}

/// Archives may be inside each other: the first beginning of the path that is an entry is opened next.
void ZipArchive::open_inside(const std::filesystem::path& file, const std::filesystem::path& inside) {
  auto outer = std::make_unique<const ZipArchive>(file, limits_);
  std::filesystem::path entry, name = file;
  for (const std::filesystem::path& part : inside) {
    entry /= part;
    name /= part;
    const std::string found = entry.generic_string();
    if (!outer->has(found)) continue;
    std::string bytes = outer->read(found, limits_.file);
    entry.clear();
    if (name.lexically_relative(file) == inside) {
      bytes_ = std::move(bytes);
      return open_bytes();
    }
    outer = std::make_unique<const ZipArchive>(std::move(bytes), name.string(), limits_);
  }
  outer->refuse(entry.generic_string(), "is not in this archive", "check the name");
}

void ZipArchive::open_bytes() {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes_.data(), bytes_.size(), 0, &error);
  if (source != nullptr) archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
  if (archive_) return zip_error_fini(&error);
  if (source != nullptr) zip_source_free(source);
  refuse("", "is not a readable archive: " + words_of(error), "export or fetch it again");
}

void ZipArchive::look_at_all() {
  const auto count =
      static_cast<std::uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(archive_.get(), 0)));
  if (count > limits_.entries)
    refuse("", fmt::format("has {} entries, more than {}", count, limits_.entries), "this is no model");
  for (std::uint64_t i = 0; i < count; ++i) look_at(i);
  check_folders();
  check_size();
}

void ZipArchive::refuse(const std::string& entry, std::string problem, std::string remedy) const {
  throw Error(
      Fault{.file = name_, .value = entry, .problem = std::move(problem), .remedy = std::move(remedy)});
}

namespace {

/// Some tools pack the folder itself: "./modelDescription.xml".
std::string without_dot(const std::string& name) {
  return name.starts_with("./") ? name.substr(2) : name;
}

}  // namespace

/// Every name is looked at, also of what is left packed: an archive with one bad name is not trusted.
void ZipArchive::look_at(std::uint64_t number) {
  zip_stat_t stat{};
  zip_stat_init(&stat);
  if (zip_stat_index(archive_.get(), number, 0, &stat) != 0 || stat.name == nullptr)
    refuse("", fmt::format("entry {} of its table of contents is damaged", number + 1), "fetch it again");
  const std::string name = without_dot(stat.name);
  if (name.empty() && *stat.name != '\0') return;  // "./"
  check_name(name);
  check_kind(number, name);
  if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
    refuse(name, "is encrypted", "export the model without a password");
  if (name == "modelDescription.xml" && stat.size > limits_.description)
    refuse(name, fmt::format("has {} bytes, more than {}", stat.size, limits_.description),
           "no model description is that long");
  total_ += stat.size;
  if (total_ < stat.size || stat.size > limits_.file) total_ = ~std::uint64_t{0};
  packed_ += stat.comp_size;
  const bool is_folder = name.back() == '/';
  names_.push_back(name);
  if (is_folder) return;
  if (!numbers_.emplace(name, number).second) twice_.insert(name);
}

void ZipArchive::check_name(const std::string& name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  const auto bad = [&](const char* problem) {
    std::string shown = name;
    std::replace_if(shown.begin(), shown.end(), is_control, '?');
    refuse(shown, problem, harm);
  };
  if (name.empty()) bad("is an entry without a name");
  if (name.size() > 1024) bad("is a name too long for a file");
  if (std::any_of(name.begin(), name.end(), is_control)) bad("has control characters in its name");
  if (name.find('\\') != std::string::npos) bad("has a backslash in its name");
  if (name.front() == '/' || (name.size() > 1 && name[1] == ':')) bad("is an absolute path");
  std::string_view rest = name;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part == "..") bad("leads out of the archive's folder");
    if (part == "." || (part.empty() && slash != std::string_view::npos)) bad("is not a plain path");
    if (part.size() > 255) bad("is a name too long for a file");
    if (slash == std::string_view::npos) break;
    rest = rest.substr(slash + 1);
  }
}

void ZipArchive::check_kind(std::uint64_t number, const std::string& name) const {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(archive_.get(), number, 0, &system, &attributes) != 0 ||
      system != ZIP_OPSYS_UNIX)
    return;
  const unsigned kind = (attributes >> 16U) & static_cast<unsigned>(S_IFMT);
  if (kind != 0 && kind != S_IFREG && kind != S_IFDIR)
    refuse(name, kind == S_IFLNK ? "is a link" : "is neither a file nor a folder", harm);
}

/// What one entry has as a folder must not be a file of another.
void ZipArchive::check_folders() const {
  for (const std::string& name : names_)
    for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
      if (numbers_.contains(name.substr(0, slash)))
        refuse(name, fmt::format("has a file, {}, as its folder", name.substr(0, slash)), harm);
}

void ZipArchive::check_size() const {
  if (total_ > limits_.total)
    refuse("", fmt::format("unpacks to more than {} bytes", limits_.total), "this is no model, but a bomb");
  const std::uint64_t ratio = total_ / std::max<std::uint64_t>(1, packed_);
  if (total_ > limits_.ratio_from && ratio > limits_.ratio)
    refuse("", fmt::format("unpacks to {} times its size", ratio), "this is no model, but a bomb");
}

std::uint64_t ZipArchive::size(const std::string& entry) const {
  zip_stat_t stat{};
  zip_stat_init(&stat);
  const auto found = numbers_.find(entry);
  if (found == numbers_.end() || zip_stat_index(archive_.get(), found->second, 0, &stat) != 0) return 0;
  return stat.size;
}

/// The table of contents may lie about sizes.
void ZipArchive::unpack(const std::string& entry, const Put& put) const {
  const auto found = numbers_.find(entry);
  if (found == numbers_.end()) refuse(entry, "is not in this archive", "check the name");
  if (twice_.contains(entry)) refuse(entry, "is in the archive twice", harm);
  std::uint64_t left = size(entry);
  const std::unique_ptr<zip_file_t, CloseEntry> from(zip_fopen_index(archive_.get(), found->second, 0));
  if (!from)
    refuse(entry, std::string("cannot be unpacked: ") + zip_strerror(archive_.get()), "fetch it again");
  std::array<char, 1U << 16U> block{};
  for (;;) {
    const zip_int64_t got = zip_fread(from.get(), block.data(), block.size());
    if (got < 0)
      refuse(entry, std::string("cannot be unpacked: ") + zip_file_strerror(from.get()), "fetch it again");
    if (got == 0) break;
    if (static_cast<std::uint64_t>(got) > left)
      refuse(entry, "is longer than its archive says", "fetch it again");
    left -= static_cast<std::uint64_t>(got);
    put(block.data(), static_cast<std::size_t>(got));
  }
  if (left > 0) refuse(entry, "is shorter than its archive says", "fetch it again");
}

std::string ZipArchive::read(const std::string& entry, std::uint64_t limit) const {
  if (size(entry) > limit)
    refuse(entry, fmt::format("has {} bytes, more than {}", size(entry), limit),
           "no description is that long");
  std::string bytes;
  unpack(entry, [&](const char* block, std::size_t count) { bytes.append(block, count); });
  return bytes;
}

void ZipArchive::extract(const std::string& entry, const std::filesystem::path& folder) const {
  const std::filesystem::path path = folder / entry;
  const bool is_folder = entry.back() == '/';
  const std::filesystem::path needed = is_folder ? path : path.parent_path();
  std::error_code failed;
  std::filesystem::create_directories(needed, failed);
  if (failed) cannot_write(needed, failed.message());
  if (is_folder) return;
  NewFile file(path);
  unpack(entry, [&](const char* block, std::size_t count) { file.put(block, count); });
}

}  // namespace cosimo
