#include "fmi/temporary_folder.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace cosimo {

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  std::filesystem::path base = std::filesystem::temp_directory_path(failed);
  if (failed) base = "/tmp";
  // FMUs are told where their resources are, and may have a working directory of their own.
  base = std::filesystem::absolute(base, failed);
  if (failed) throw IoError("cannot tell where the folder for temporary files is: " + failed.message());
  std::string name = (base / "cosimo-fmu-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw IoError("cannot make a folder for an FMU in " + base.string() + ": " + std::strerror(errno));
  path_ = name;
  leave_a_guard();
}

/// Without one (no process to be had) the folder still goes with this object.
void TemporaryFolder::leave_a_guard() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  // Whoever waits for our outputs to close must not wait for the guard.
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);  // Ctrl-C is not for it
  const char* script = "read line; exec rm -rf -- \"$0\"";
  const std::string folder = path_.string();
  const char* arguments[] = {"sh", "-c", script, folder.c_str(), nullptr};
  const int result =
      ::posix_spawn(&guard_, "/bin/sh", &actions, &attributes, const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(ends[0]);
  if (result == 0) {
    line_ = ends[1];
  } else {
    guard_ = -1;
    ::close(ends[1]);
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (guard_ < 0) return;
  ::close(line_);
  while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace cosimo
