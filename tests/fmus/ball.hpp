// A ball that bounces: h' = v, v' = -g, and v becomes -e v where h reaches zero. It counts its bounces.
#pragma once
#include "model.hpp"

struct Ball : Data<2, 0, 2, 2, 1> {
  Ball() {
    p[0] = 9.81;
    p[1] = 0.7;
    x[0] = 1;
  }
  void rates() {
    dx[0] = x[1];
    dx[1] = -p[0];
  }
  void outputs() {
    y[0] = x[0];
    y[1] = x[1];
  }
  void indicators(double* g) const { g[0] = x[0]; }
  bool event() {
    if (x[0] > 0 || x[1] >= 0) return false;
    x[0] = 0;
    x[1] *= -p[1];
    ++whole[0];
    return true;
  }
};
using Model = Ball;
