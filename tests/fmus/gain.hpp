// Feed-through: y = a u + b.
#pragma once
#include "model.hpp"

/// FMUs have solvers inside, whose functions may be called like those of the program that loads them.
#ifdef COSIMO_SANITIZED  // all symbols are in one scope there
static double product(double a, double b) {
  return a * b;
}
#else
#define product IDASolve
extern "C" __attribute__((noinline)) double product(double a, double b) {
  return a * b;
}
#endif

struct Gain : Data<2, 1, 1, 0, 0> {
  Gain() { p[0] = 1; }
  void rates() {}
  void outputs() { y[0] = product(p[0], u[0]) + p[1]; }
};
using Model = Gain;
