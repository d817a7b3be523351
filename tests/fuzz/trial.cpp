#include "trial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace cosimo::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void redirect(const char* file, int descriptor) {
  const int opened = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(99);
  ::close(opened);
}

[[noreturn]] void become(const Program& program, const std::vector<std::string>& arguments,
                         const std::filesystem::path& folder, const Limits& limits) {
  if (::chdir(folder.c_str()) != 0) ::_exit(99);
  redirect("stdout", STDOUT_FILENO);
  redirect("stderr", STDERR_FILENO);
  ::setenv("TMPDIR", folder.c_str(), 1);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const rlimit memory{limits.bytes, limits.bytes};
  if (limits.bytes > 0) ::setrlimit(RLIMIT_DATA, &memory);
  std::signal(SIGTERM, SIG_IGN);  // until the program listens; it is told again and again
  std::vector<std::string> words{"cosimo"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::exit(program(static_cast<int>(words.size()), pointers.data()));
}

/// Whether `child` ends within so many seconds; each tenth of one it gets `signal`.
bool ends_within(double seconds, int child, int signal = 0) {
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (descriptor < 0) throw std::runtime_error("pidfd_open is refused");
  const Clock::time_point begin = Clock::now();
  bool ended = false;
  do {
    if (signal != 0) ::kill(child, signal);
    pollfd wanted{.fd = descriptor, .events = POLLIN, .revents = 0};
    const double left = seconds - seconds_since(begin);
    const double wait = signal != 0 ? std::min(left, 0.1) : left;
    ended = ::poll(&wanted, 1, std::max(0, static_cast<int>(1e3 * wait))) == 1;
  } while (!ended && seconds_since(begin) < seconds);
  ::close(descriptor);
  return ended;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Trial attempt(const Program& program, const std::vector<std::string>& arguments,
              const std::filesystem::path& folder, const Limits& limits) {
  const Clock::time_point begin = Clock::now();
  const int child = ::fork();
  if (child < 0) throw std::runtime_error("fork is refused");
  if (child == 0) become(program, arguments, folder, limits);

  Trial trial;
  bool ended = limits.interrupt_s > 0 && ends_within(limits.interrupt_s, child);
  if (!ended) ended = ends_within(limits.patience_s, child, limits.interrupt_s > 0 ? SIGTERM : 0);
  trial.hung = !ended;
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  if (WIFSIGNALED(status)) trial.signal = WTERMSIG(status);
  if (WIFEXITED(status)) trial.code = WEXITSTATUS(status);
  trial.wall_s = seconds_since(begin);
  trial.peak_bytes = 1024 * static_cast<std::size_t>(usage.ru_maxrss);
  trial.out = content(folder / "stdout");
  trial.err = content(folder / "stderr");
  return trial;
}

}  // namespace cosimo::fuzz
