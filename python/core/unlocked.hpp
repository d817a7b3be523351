// The interpreter's lock, released for as long as the object lives.
//
// When the interpreter goes down while another thread is in the library, taking the lock back would end that
// thread in the middle of C++, which nothing survives. So from close_interpreter() on, such threads stay
// where they are until the process has ended; the one that called it goes on.
#pragma once

#include <Python.h>

namespace cosimo::python {

class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

void close_interpreter();

/// Before the lock is taken by a thread of the library.
void stay_when_closed();

}  // namespace cosimo::python
