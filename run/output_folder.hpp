// The folder a run writes to: one run at a time, files whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace cosimo {

/// Writes beside the file and renames, so that a full disk leaves no half file under the final name.
/// Throws IoError.
void write_text(const std::filesystem::path& file, const std::string& text);

/// Makes the folder and keeps it locked against other runs. Throws Error when that is impossible.
class OutputFolder {
 public:
  /// Empty: nothing is written. What an older run left is removed, except what a run that goes on builds on.
  explicit OutputFolder(const std::filesystem::path& folder, bool goes_on = false);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

 private:
  int lock_ = -1;
};

}  // namespace cosimo
