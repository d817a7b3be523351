#include "unlocked.hpp"

#include <unistd.h>

#include <atomic>
#include <thread>

namespace cosimo::python {

namespace {

// Of the interpreter, of which a process has one.
std::atomic<bool> closed{false};
std::thread::id closer;

}  // namespace

void close_interpreter() {
  closer = std::this_thread::get_id();
  closed = true;
}

void stay_when_closed() {
  while (closed && std::this_thread::get_id() != closer) pause();
}

Unlocked::~Unlocked() {
  stay_when_closed();
  PyEval_RestoreThread(state_);
}

}  // namespace cosimo::python
