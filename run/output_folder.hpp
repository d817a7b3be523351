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
  explicit OutputFolder(const std::filesystem::path& folder);  ///< empty: nothing is written
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Removes what an older run left, so that nothing of it is taken for this one's; except what a run that
  /// goes on builds on.
  void clear(bool goes_on);

 private:
  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace cosimo
