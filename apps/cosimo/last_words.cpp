#include "last_words.hpp"

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "commands.hpp"
#include "cosimo/library_call.hpp"

namespace cosimo::cli {
namespace {

// A run flushes its results every second. Within two, mpirun and schedulers lose patience.
constexpr suseconds_t patience = 1'500'000;  // microseconds

// A signal handler can reach nothing but a global.
LibraryWatch* watch = nullptr;
pid_t watched = 0;  // this process: a library's children end as they like

LibraryCall call_here() {
  return watch != nullptr && ::getpid() == watched ? library_call_here() : LibraryCall{};
}

[[noreturn]] void end_now(int code) {
  for (;;) ::syscall(SYS_exit_group, code);
}

/// One sentence, by what a signal handler may call, and the end.
[[noreturn]] void say_and_end(const LibraryCall& call, const char* what, const char* detail) {
  for (const char* piece : {"cosimo: error: ", call.kind, " '", call.element, "': the library ", call.library,
                            " ", what, call.function, detail, "\n"})
    if (::write(STDERR_FILENO, piece, std::strlen(piece)) < 0) break;
  end_now(run_failed);
}

const char* name_of(int number) {
  switch (number) {
    case SIGSEGV:
      return " (segmentation fault)";
    case SIGBUS:
      return " (bus error)";
    case SIGFPE:
      return " (arithmetic exception)";
    case SIGILL:
      return " (illegal instruction)";
    default:
      return " (abort)";
  }
}

extern "C" void on_crash(int number) {
  const LibraryCall call = call_here();
  if (call.library != nullptr && call.ends_thread)
    say_and_end(call, "ended a thread of the program in ", " (it called pthread_exit)");
  if (call.library != nullptr) say_and_end(call, "crashed in ", name_of(number));
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void ended_by(const char* detail) {
  const LibraryCall call = call_here();
  if (call.library != nullptr) say_and_end(call, "ended the program in ", detail);
}

extern "C" void on_exit_inside() {
  ended_by(" (it called exit)");
}

extern "C" void on_quick_exit_inside() {
  ended_by(" (it called quick_exit)");
}

void start_timer() {
  const itimerval once{.it_interval = {}, .it_value = {patience / 1'000'000, patience % 1'000'000}};
  setitimer(ITIMER_REAL, &once, nullptr);
}

extern "C" void on_timer(int) {
  const LibraryCall call = watch->unfinished();
  if (call.library != nullptr) say_and_end(call, "does not return from ", ", so the run cannot end properly");
  expect_end();
}

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction old {
  }, action{};
  // Somebody who watches over crashes already (a sanitizer, a debugger) knows more.
  if (sigaction(number, nullptr, &old) == 0 && old.sa_handler != SIG_DFL) return;
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

}  // namespace

void watch_libraries() {
  watch = new LibraryWatch;  // until the very end: signals come when they like
  watched = ::getpid();
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) handle(number, on_crash, SA_ONSTACK);
  handle(SIGALRM, on_timer, SA_RESTART);
  std::atexit(on_exit_inside);
  std::at_quick_exit(on_quick_exit_inside);
}

void expect_end() noexcept {
  if (watch == nullptr) return;
  watch->look();
  start_timer();
}

}  // namespace cosimo::cli

// Nothing is called on the way out of _exit, so libraries get this one: the program's come before the
// system's.
extern "C" void _exit(int code) {
  cosimo::cli::ended_by(" (it called _exit)");
  cosimo::cli::end_now(code);
}
extern "C" void _Exit(int code) noexcept {
  _exit(code);
}
