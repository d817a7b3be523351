// A folder of its own for what an FMU contains, gone when it is not needed any more.
//
// Foreign code may end the program in any way, so that no destructor runs. A small process therefore waits
// for the program's end, whatever brings it about, and removes the folder then.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace cosimo {

class TemporaryFolder {
 public:
  /// Readable for this user alone. Throws IoError.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  void leave_a_guard();

  std::filesystem::path path_;
  pid_t guard_ = -1;
  int line_ = -1;  ///< to the guard: it closes with this process
};

}  // namespace cosimo
