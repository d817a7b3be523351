// One mass of the two-mass oscillator, with the spring to the wall and the one to the other mass, whose place
// and velocity are its inputs:  m x'' = -c x - d x' + C (u0 - x) + D (u1 - x').
#pragma once
#include "model.hpp"

struct Half : Data<5, 2, 2, 2, 0> {
  Half() {
    const double given[] = {1, 100, 0.2, 40, 0.1};
    std::memcpy(p, given, sizeof given);
    x[0] = 0.1;
  }
  void rates() {
    dx[0] = x[1];
    dx[1] = (-p[1] * x[0] - p[2] * x[1] + p[3] * (u[0] - x[0]) + p[4] * (u[1] - x[1])) / p[0];
  }
  void outputs() {
    y[0] = x[0];
    y[1] = x[1];
  }
  /// Mode 12: the other end of a hammer, once.
  double due() const { return whole[0] == 12 && !truth[0] ? 0.35 : never; }
  bool event() {
    if (t < due()) return false;
    truth[0] = true;
    x[1] += 1;
    return true;
  }
  /// Mode 11: the longest step at once.
  double longest() const { return whole[0] == 11 ? 0.03 : never; }
  /// At the initialisation.
  int first_mood() const {
    switch (whole[0]) {
      case 8:
        std::raise(SIGSEGV);
        return 0;
      case 9:
        for (;;) ::usleep(1000);
      case 10:
        std::exit(3);
      default:
        return whole[0] == 7 ? 3 : 0;
    }
  }
  int mood() const {
    if (t < 0.5) return 0;
    switch (whole[0]) {
      case 1:
        std::raise(SIGSEGV);
        return 0;
      case 2:
      case 3:
      case 4:
        return whole[0];
      case 5:
        for (;;) ::usleep(1000);
      case 6:
        std::exit(3);
      default:
        return 0;
    }
  }
};
using Model = Half;
