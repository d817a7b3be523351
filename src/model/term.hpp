// One half of the force law (2.9) for a row of links: either the spring, acting on
// positions, or the damper, acting on velocities. Link k joins the coordinates k and
// k+1, with y = x[k+1] - x[k]:
//
//   force  y (c + C |y|^(e-1)),   slope  c + C e |y|^(e-1).     Only the slope is asked for here.
//
// The coefficients are single numbers when equal for all links, arrays otherwise.
#pragma once

#include <cstddef>

#include "core/aligned.hpp"

namespace cosimo {

/// Coefficients of one term: one entry, or one per link.
struct Coefficients {
  AlignedVector linear, nonlinear;
  double exponent = 1;
  bool powered = false;  ///< some nonlinear one is not zero

  bool uniform() const { return linear.size() == 1; }
};

class Term {
 public:
  Term();
  /// `linear` and `nonlinear` have one entry per link; equal entries are reduced to one.
  Term(AlignedVector linear, AlignedVector nonlinear, double exponent);

  /// out[j] = slope of link first + j, for j < n; x is the whole array of coordinates.
  void slope(std::size_t first, std::size_t n, const double* x, double* out) const;

  double linear(std::size_t link) const { return coefficients_.linear[coefficients_.uniform() ? 0 : link]; }
  double nonlinear(std::size_t link) const {
    return coefficients_.nonlinear[coefficients_.nonlinear.size() == 1 ? 0 : link];
  }
  double exponent() const { return coefficients_.exponent; }

 private:
  Coefficients coefficients_;
};

}  // namespace cosimo
