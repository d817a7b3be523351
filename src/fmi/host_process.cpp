#include "fmi/host_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "core/error.hpp"
#include "parallel/cores.hpp"

extern char** environ;

// The program, as the build has made it (dependencies.cmake).
asm(R"(.pushsection .rodata
.balign 64
.globl cosimo_fmu_host_begin
cosimo_fmu_host_begin:
.incbin ")" COSIMO_FMU_HOST R"("
.globl cosimo_fmu_host_end
cosimo_fmu_host_end:
.popsection)");
extern "C" const char cosimo_fmu_host_begin[], cosimo_fmu_host_end[];

namespace cosimo::fmi {

namespace {

using Clock = std::chrono::steady_clock;

/// Hosts of this process, which must share the cores: nothing but a global knows them all.
std::atomic<int> hosts{0};

/// Seconds for a call that the user's interruption finds under way.
constexpr double grace = 0.5;

/// Looks (of 10 to 40 ns) that make some tens of microseconds: what a tiny FMU needs for its answer. Who
/// waits longer sleeps, as the core may be wanted by others; without a core for each everybody does so at
/// once.
constexpr std::uint32_t patient = 2000;

[[noreturn]] void fail(const std::string& what) {
  const int code = errno;
  const char* remedy =
      code == EACCES
          ? "; the folder for temporary files may not allow programs (noexec): set TMPDIR to another one"
          : "";
  throw IoError(fmt::format("cannot start the process of an isolated FMU: {}: {}{}", what,
                            std::strerror(code), remedy));
}

/// The program as a file in a folder that is there for this FMU alone.
std::filesystem::path unpack_program(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "cosimo-fmu-host";
  if (std::filesystem::exists(file)) return file;
  const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  if (out < 0) fail(file.string());
  const char* from = cosimo_fmu_host_begin;
  while (from < cosimo_fmu_host_end) {
    const ssize_t n = ::write(out, from, static_cast<std::size_t>(cosimo_fmu_host_end - from));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      ::close(out);
      fail(file.string());
    }
    from += n;
  }
  ::close(out);
  return file;
}

std::string signal_text(int number) {
  std::string text = ::strsignal(number);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

HostProcess::HostProcess(const std::filesystem::path& folder, std::size_t capacity,
                         const std::atomic<bool>* interrupt)
    : capacity_(capacity),
      bytes_(message_offset + 2 * capacity),
      interrupt_(interrupt),
      cores_(available_cores()) {
  const std::filesystem::path program = unpack_program(folder);
  const int memory = ::memfd_create("cosimo-fmu", MFD_CLOEXEC);
  if (memory < 0) fail("shared memory");
  void* at = MAP_FAILED;
  if (::ftruncate(memory, static_cast<off_t>(bytes_)) == 0)
    at = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (at == MAP_FAILED) {
    ::close(memory);
    fail("shared memory");
  }
  calls_ = new (at) SharedCalls;
  try {
    start(program, memory);
  } catch (...) {
    ::close(memory);
    ::munmap(calls_, bytes_);
    throw;
  }
  ::close(memory);
  ++hosts;
}

void HostProcess::start(const std::filesystem::path& program, int memory) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t nothing;
  sigemptyset(&nothing);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (const int kept : {memory, ends[0]}) posix_spawn_file_actions_adddup2(&actions, kept, kept);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  // Ctrl-C is not for it: the program may want to ask for its state first.
  posix_spawnattr_setsigmask(&attributes, &nothing);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  const std::string name = program.string(), first = std::to_string(memory), second = std::to_string(ends[0]);
  const char* arguments[] = {name.c_str(), first.c_str(), second.c_str(), nullptr};
  int failed = ETXTBSY;
  // Another thread may be starting a process of its own, which still has the file open.
  for (int attempt = 0; failed == ETXTBSY && attempt < 100; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    failed = ::posix_spawn(&process_, name.c_str(), &actions, &attributes,
                           const_cast<char* const*>(arguments), environ);
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(ends[0]);
  line_ = ends[1];
  if (failed == 0) return;
  ::close(line_);
  errno = failed;
  fail(name);
}

HostProcess::~HostProcess() {
  const auto last = Clock::now() + std::chrono::seconds(told_to_leave_ ? 5 : 0);
  while (process_ > 0 && !ended() && Clock::now() < last)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  end();
  ::close(line_);
  ::munmap(calls_, bytes_);
  --hosts;
}

void HostProcess::send(std::size_t size) {
  calls_->size = size;
  calls_->patience.store(hosts.load(std::memory_order_relaxed) < cores_ ? patient : 0,
                         std::memory_order_relaxed);
  hand_over(*calls_, Side::host);
}

bool HostProcess::wait(double limit) {
  if (patience_.look(*calls_, Side::caller)) return true;
  const auto begin = Clock::now();
  std::optional<Clock::time_point> asked;  // when the user wanted the end
  for (timespec nap{0, 1'000'000};; nap.tv_nsec = 20'000'000) {
    sleep(*calls_, Side::caller, &nap);
    if (calls_->turn.load(std::memory_order_acquire) == static_cast<std::uint32_t>(Side::caller)) return true;
    const std::string where = function();
    if (ended()) {
      story_ += where.empty() ? "" : " in " + where;
      return false;
    }
    const auto now = Clock::now();
    const auto since = [&](Clock::time_point then) {
      return std::chrono::duration<double>(now - then).count();
    };
    if (!asked && interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed)) asked = now;
    const bool late = since(begin) >= limit;
    if (!late && !(asked && since(*asked) >= grace)) continue;
    story_ = late ? fmt::format("it did not come back from {} within {} s (time_limit)", where, limit)
                  : fmt::format("it was in {} when the user interrupted, and did not come back", where);
    end();
    return false;
  }
}

/// Asks, without waiting, whether it has; then it is known why.
bool HostProcess::ended() {
  if (process_ < 0) return true;
  int status = 0;
  const pid_t found = ::waitpid(process_, &status, WNOHANG);
  if (found == 0 || (found < 0 && errno == EINTR)) return false;
  process_ = -1;
  if (found > 0 && WIFSIGNALED(status))
    story_ = fmt::format("it crashed ({})", signal_text(WTERMSIG(status)));
  else
    story_ = fmt::format("it ended its process (exit code {})", found > 0 ? WEXITSTATUS(status) : -1);
  return true;
}

void HostProcess::end() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

/// What the other side has written there may be anything.
std::string HostProcess::function() const {
  std::string text(calls_->function, ::strnlen(calls_->function, sizeof calls_->function));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  return text;
}

}  // namespace cosimo::fmi
