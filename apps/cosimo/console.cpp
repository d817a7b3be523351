#include "console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "commands.hpp"

namespace cosimo::cli {
namespace {

int failure = 0;      // the first errno of stdout
bool closed = false;  // stdout was, when the program began
bool muted = false;

}  // namespace

void open_streams() {
  closed = ::fcntl(STDOUT_FILENO, F_GETFD) < 0;
  int opened = 0;
  do opened = ::open("/dev/null", O_RDWR);  // the lowest that is free
  while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened > STDERR_FILENO) ::close(opened);
  std::signal(SIGXFSZ, SIG_IGN);
}

void mute(bool on) {
  muted = on;
}

void put(std::FILE* stream, std::string_view text) {
  if (muted) return;
  if (closed && stream == stdout && !text.empty() && failure == 0) failure = EBADF;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) < text.size() && stream == stdout && failure == 0)
    failure = errno;
}

int printed(int code) {
  errno = 0;
  if (std::fflush(stdout) != 0 && failure == 0) failure = errno;
  if (code != success || (failure == 0 && std::ferror(stdout) == 0)) return code;
  say(stderr, "cosimo: error: what was printed could not be written: {}\n",
      std::generic_category().message(failure == 0 ? EIO : failure));
  return run_failed;
}

}  // namespace cosimo::cli
