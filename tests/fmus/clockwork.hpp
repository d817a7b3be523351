// Time events and a discrete input: the output is the integer input times the number of ticks so far; one
// tick per 0.25.  The state integrates the output.
#pragma once
#include "model.hpp"

struct Clockwork : Data<0, 0, 1, 1, 0> {
  Clockwork() {
    whole[0] = 1;  // the input `factor`
    next_time = 0.25;
  }
  void rates() { dx[0] = y_now(); }
  void outputs() { y[0] = x[0]; }
  double y_now() const { return static_cast<double>(latched) * whole[1]; }
  bool event() {
    latched = whole[0];
    if (t == next_time) {  // no rounding is forgiven
      ++whole[1];
      next_time += 0.25;
    }
    return false;
  }
  std::int32_t latched = 1;
};
using Model = Clockwork;
