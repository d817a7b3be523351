// An HDF5 file of columns: numbers and texts by name, all there or none of it. For tables that are small
// enough to be written anew whenever they have changed, so that whoever reads sees one whole state.
//
//   write_column_file(file, {{"measures/worst", numbers}, {"state", texts}});
//   const ColumnFile read(file);
//   read.numbers("measures/worst"), read.texts("state")
//
// Equal columns give equal bytes. The library checks what is read (Fletcher-32).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cosimo {

struct FileColumn {
  std::string path;  ///< groups are made
  std::variant<std::vector<double>, std::vector<std::string>> values;
};

/// The bytes appear under the name at once. Throws IoError.
void write_column_file(const std::filesystem::path& file, std::span<const FileColumn> columns);

/// A name as it can stand in a path.
std::string column_name(std::string name);

class ColumnFile {
 public:
  /// Throws Error naming the file when it is missing or no HDF5 file.
  explicit ColumnFile(std::filesystem::path file);
  ~ColumnFile();
  ColumnFile(const ColumnFile&) = delete;
  ColumnFile& operator=(const ColumnFile&) = delete;

  bool has(const std::string& path) const;
  bool has_texts(const std::string& path) const;
  /// Empty where there is none. Throw Error for what is damaged.
  std::vector<double> numbers(const std::string& path) const;
  std::vector<std::string> texts(const std::string& path) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
