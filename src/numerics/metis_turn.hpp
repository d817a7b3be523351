// METIS draws its random numbers from one stream for the whole process, which every call starts anew from its
// seed. Calls on several threads (ranks of a test, runs of a library user) would draw from each other's: they
// take turns.
//
// During a call METIS takes SIGTERM for an error of its own, and afterwards it leaves handlers that serve
// only once: a run told to end would fail in METIS, or die when it is told again. A turn keeps the signal
// waiting and the handlers as they were.
//
//   const MetisTurn turn;
//   METIS_PartGraphKway(...);
#pragma once

#include <csignal>
#include <mutex>

namespace cosimo {

class MetisTurn {
 public:
  MetisTurn() : lock_(mutex()) {
    sigset_t terminate;
    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &terminate, &blocked_);
    sigaction(SIGTERM, nullptr, &on_terminate_);
    sigaction(SIGABRT, nullptr, &on_abort_);
  }
  ~MetisTurn() {
    sigaction(SIGABRT, &on_abort_, nullptr);
    sigaction(SIGTERM, &on_terminate_, nullptr);
    pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
  }
  MetisTurn(const MetisTurn&) = delete;
  MetisTurn& operator=(const MetisTurn&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex of_all;
    return of_all;
  }

  std::unique_lock<std::mutex> lock_;
  sigset_t blocked_{};
  struct sigaction on_terminate_ {
  }, on_abort_{};
};

}  // namespace cosimo
