// A zip archive from somewhere: an FMU, or a package with FMUs. Every name in it is looked at before anything
// is read, and nothing grows without bounds.
//
//   ZipArchive archive("system.ssp/resources/drive.fmu");   // also one that is inside another
//   if (archive.has("modelDescription.xml")) text = archive.read("modelDescription.xml", limit);
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct zip;

namespace cosimo {

struct UnpackLimits {
  std::uint64_t entries = 20'000;
  std::uint64_t file = std::uint64_t{2} << 30U;          ///< bytes of one entry
  std::uint64_t description = std::uint64_t{64} << 20U;  ///< of modelDescription.xml
  std::uint64_t total = std::uint64_t{4} << 30U;
  /// Beyond so many bytes the archive may not be more than so many times smaller than its contents.
  std::uint64_t ratio_from = std::uint64_t{64} << 20U;
  std::uint64_t ratio = 500;
};

class ZipArchive {
 public:
  /// Throws Error that names the archive, the entry and what is wrong with it.
  explicit ZipArchive(const std::filesystem::path& path, const UnpackLimits& limits = {});
  /// From its bytes; messages call it `name`.
  ZipArchive(std::string bytes, std::string name, const UnpackLimits& limits);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  const std::string& name() const { return name_; }
  /// In the order of the archive; names of folders end with a slash.
  const std::vector<std::string>& entries() const { return names_; }
  /// A file of this name.
  bool has(const std::string& entry) const { return numbers_.contains(entry); }
  std::uint64_t size(const std::string& entry) const;
  /// An entry with at most so many bytes. Throws Error.
  std::string read(const std::string& entry, std::uint64_t limit) const;
  /// Into a folder, under its own name. Throws Error or IoError.
  void extract(const std::string& entry, const std::filesystem::path& folder) const;

  [[noreturn]] void refuse(const std::string& entry, std::string problem, std::string remedy) const;

 private:
  void open_file();
  void open_inside(const std::filesystem::path& file, const std::filesystem::path& inside);
  void open_bytes();
  void look_at_all();
  void look_at(std::uint64_t number);
  void check_name(const std::string& name);
  void check_kind(std::uint64_t number, const std::string& name) const;
  void check_folders() const;
  void check_size() const;
  using Put = std::function<void(const char* bytes, std::size_t count)>;
  void unpack(const std::string& entry, const Put& put) const;

  std::string name_;
  UnpackLimits limits_;
  std::string bytes_;  ///< of an archive inside another
  struct Close {
    void operator()(::zip* archive) const;
  };
  std::unique_ptr<::zip, Close> archive_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::unordered_set<std::string> twice_;  ///< refused where they are needed: which one counts?
  std::uint64_t total_ = 0, packed_ = 0;
};

/// Where a path leads through a file: the file and what is named inside it; empty where the path leads to a
/// file or to nothing at all.
struct PathInFile {
  std::filesystem::path file;
  std::string inside;  ///< empty: the path does not lead through a file
};
PathInFile split_at_file(const std::filesystem::path& path);

}  // namespace cosimo
