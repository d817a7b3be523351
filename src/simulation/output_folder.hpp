// The folder a run writes to: one run at a time, files whole or not at all, and nothing lost that is not
// ours.
//
//   OutputFolder folder(path);         made and locked
//   folder.claim(claim);               refuses what it may not replace; nothing has been touched until here
//   folder.clear(goes_on);             the files of the run before are gone
//
// A run that is refused leaves nothing behind. The file `.cosimo` in the folder says whose results it holds
// and lists the files of the last run. Those are removed, no others: whatever else is in the folder belongs
// to the user.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cosimo {

/// Writes beside the file and renames, so that a full disk leaves no half file under the final name.
/// Throws IoError.
void write_text(const std::filesystem::path& file, const std::string& text);

/// What a run wants to write.
struct Claim {
  std::filesystem::path scenario{};  ///< its file, or its name where there is none
  std::string effective{};           ///< text of scenario.effective.yaml
  std::uint64_t model_hash = 0;
  std::vector<std::string> files{};  ///< names, beside checkpoints and vtk/
  bool replace = false;              ///< whatever is there
};

/// What the last run left in a folder.
struct FolderContents {
  std::string scenario{};  ///< relative to the folder
  std::vector<std::string> files{};
};

/// Reads it, touching nothing. Throws Error when a run with this claim has to be refused: the folder holds
/// another scenario's results, a file that no run wrote, or the scenario file itself where the run would
/// write.
FolderContents examine(const std::filesystem::path& folder, const Claim& claim);

/// Makes the folder and keeps it locked against other runs. Throws Error when that is impossible.
class OutputFolder {
 public:
  explicit OutputFolder(const std::filesystem::path& folder);  ///< empty: nothing is written
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Throws Error where examine() does.
  void claim(const Claim& claim);

  /// Removes what an older run left, so that nothing of it is taken for this one's; except what a run that
  /// goes on builds on.
  void clear(bool goes_on);

 private:
  void lock();
  void write_list(const FolderContents& contents) const;

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  ///< folders, the innermost last
  int lock_ = -1;
  FolderContents before_, now_;
};

}  // namespace cosimo
