// Where the files of a system structure are: in an archive, or in a folder of the user's.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "fmi/ssp_document.hpp"
#include "fmi/zip_archive.hpp"

namespace cosimo::fmi {

class SspPackage {
 public:
  /// The archive `file`; without one a folder.
  static std::shared_ptr<const SspPackage> archive(const std::filesystem::path& file);
  static std::shared_ptr<const SspPackage> folder(const std::filesystem::path& folder);

  /// The whole path of one of its files: "dir/system.ssp/resources/drive.fmu".
  std::filesystem::path path(const std::string& entry) const { return root_ / entry; }
  /// What a URI in the file `from` refers to: a file of this package, or `outside` one anywhere.
  struct Target {
    std::string entry;            ///< empty: outside
    std::filesystem::path whole;  ///< the path to open
    std::string problem, remedy;  ///< of a URI that cannot be followed
  };
  Target resolve(const std::string& uri, const std::string& from) const;

  /// Throws Error.
  std::unique_ptr<const SspDocument> document(const Target& target) const;

 private:
  std::filesystem::path root_;
  std::unique_ptr<const ZipArchive> archive_;  ///< null: a folder
};

}  // namespace cosimo::fmi
