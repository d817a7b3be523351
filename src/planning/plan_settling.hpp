// Whether a pilot run has seen enough: what it promises of the whole run has stopped changing.
//
// At a macro point t, reached after the wall time w, the whole run promises to take
//
//   P = w + (w - w_q) / (t - t_q) (end - t),
//
// q the first macro point in the last three quarters of the simulated time: the start phase of a coupling
// takes many tiny steps, set-up included. P is settled when it was about the same after half the wall time.
// While macro steps grow, P falls with each of them.
#pragma once

#include <vector>

namespace cosimo {

class Settling {
 public:
  explicit Settling(double end) : end_(end) {}

  void reached(double t, double wall) { points_.push_back({t, wall}); }
  bool settled() const;

 private:
  struct Point {
    double t = 0, wall = 0;
  };
  double promise(std::size_t last) const;

  double end_;
  std::vector<Point> points_{{}};
};

}  // namespace cosimo
