#include "series/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "core/error.hpp"
#include "series/worker.hpp"

namespace cosimo::series {

namespace {

constexpr std::size_t longest_log = 64U << 10U;

struct Pipe {
  FileDescriptor read, write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw IoError(fmt::format("no pipe to a worker: {}", std::strerror(errno)));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// What is written to a process that has gone is a failing write, not a signal.
Pipe make_line() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw IoError(fmt::format("no line to a worker: {}", std::strerror(errno)));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// Between fork and exec: nothing that allocates or locks.
[[noreturn]] void become(const char* program, const Pipe& in, const Pipe& out, const Pipe& err, int lock,
                         pid_t parent) {
  ::setpgid(0, 0);  // Ctrl-C is for the head, which tells its workers
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::dup2(in.read.get(), STDIN_FILENO);
  ::dup2(out.write.get(), STDOUT_FILENO);
  ::dup2(err.write.get(), STDERR_FILENO);
  // The folder stays locked until the last of its workers has ended.
  if (lock >= 0) ::fcntl(lock, F_SETFD, 0);
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const char* arguments[] = {"cosimo", "series-worker", nullptr};
  ::execv(program, const_cast<char* const*>(arguments));
  ::_exit(127);
}

}  // namespace

std::string last_error(const std::string& log) {
  constexpr std::string_view mark = "cosimo: error: ";
  const std::size_t at = log.rfind(mark);
  if (at == log.npos) return "";
  const std::size_t begin = at + mark.size();
  return ": " + log.substr(begin, log.find('\n', begin) - begin);
}

std::string Ending::text() const {
  if (signal == 0) return fmt::format("ended with exit code {}", code);
  const char* name = ::sigdescr_np(signal);
  return fmt::format("crashed ({})", name != nullptr ? name : "unknown signal");
}

Child::Child(const std::filesystem::path& program, int lock) {
  Pipe in = make_line(), out = make_pipe(), err = make_pipe();
  const std::string path = program.string();
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw IoError(fmt::format("no worker can be started: {}", std::strerror(errno)));
  if (pid_ == 0) become(path.c_str(), in, out, err, lock, parent);
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  for (const FileDescriptor* pipe : {&out_, &err_}) ::fcntl(pipe->get(), F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  if (ended()) return;
  kill(SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
}

bool Child::send(const Frame& frame) {
  const std::string bytes = encoded(frame);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::send(in_.get(), bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

bool Child::receive() {
  std::array<char, 65536> block{};
  for (;;) {
    const ssize_t n = ::read(out_.get(), block.data(), block.size());
    if (n > 0) {
      frames_.feed({block.data(), static_cast<std::size_t>(n)});
      if (static_cast<std::size_t>(n) < block.size()) return true;
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    return n < 0 && errno == EAGAIN;
  }
}

void Child::read_errors() {
  std::array<char, 16384> block{};
  for (;;) {
    const ssize_t n = ::read(err_.get(), block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    log_.append(block.data(), static_cast<std::size_t>(n));
  }
  if (log_.size() > 2 * longest_log) log_.erase(0, log_.size() - longest_log);
}

std::string Child::log_of(std::int64_t job) const {
  const std::string mark = log_mark(job);
  const std::size_t at = log_.rfind(mark);
  if (at == log_.npos) return "";
  const std::size_t begin = at + mark.size(), end = log_.find(log_mark_begin, begin);
  return log_.substr(begin, end - begin);
}

void Child::kill(int signal) const {
  if (!ending_) ::kill(pid_, signal);
}

std::optional<Ending> Child::ended() {
  if (ending_) return ending_;
  int status = 0;
  const pid_t found = ::waitpid(pid_, &status, WNOHANG);
  if (found == pid_)
    ending_ = WIFSIGNALED(status) ? Ending{0, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
  else if (found < 0 && errno != EINTR)
    ending_ = Ending{127, 0};
  return ending_;
}

}  // namespace cosimo::series
