#include "signals.hpp"

#include <csignal>

#include "last_words.hpp"

namespace cosimo::cli {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// A second Ctrl-C kills. Schedulers and mpirun may tell more than once, and have SIGKILL: their signals never
// end a run that is writing its checkpoint.
extern "C" void on_signal(int signal_number) {
  if (!interrupted.exchange(true)) return expect_end();
  if (signal_number != SIGINT) return;
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // the writing of results goes on undisturbed
  // SIGUSR1: mpirun forwards it to its ranks, unlike SIGTERM, on which it kills them two seconds later.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaction(number, &action, nullptr);
  return interrupted;
}

}  // namespace cosimo::cli
