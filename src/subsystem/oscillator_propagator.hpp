// The exact solution of x'' + c x' + k x = f over a step, for a polynomial f = sum_j f_j s^j of the local
// time s = (t - t0) / H:
//
//   z(t0 + H) = (I + D) z(t0) + sum_j f_j g_j,    z = (x, x'),
//   D = exp(A H) - I,    g_j = int_0^H exp(A (H - t)) e_2 (t / H)^j dt,    A = (0 1; -k -c).
//
// Over a step so short that A is of order one the g_j come from their power series; from there the step is
// doubled, g_j(2H) = 2^-j ((I + D) g_j + sum_i (j over i) g_i). D never needs a series of its own: since
// A e_1 = -k e_2, its columns are -k g_0 and A g_0. Working with D instead of exp(A H) keeps slow motion
// beside fast decay exact, and the sums are averages: nothing grows, however stiff the oscillator.
#pragma once

#include <array>
#include <cstddef>

#include "numerics/polynomial.hpp"

namespace cosimo {

struct OscillatorState {
  double x = 0, v = 0;
};

class OscillatorPropagator {
 public:
  OscillatorPropagator() = default;
  /// Stiffness and damping per mass.
  OscillatorPropagator(double k, double c, double H);

  double step() const { return step_; }
  /// The state after the step from z; `f` is the force per mass, its scale the step.
  OscillatorState operator()(const OscillatorState& z, const Polynomial& f) const;
  /// g_j.
  const OscillatorState& answer(std::size_t j) const { return g_[j]; }

 private:
  double step_ = 0;
  OscillatorState d_x_, d_v_;  ///< the columns of D
  std::array<OscillatorState, max_degree + 1> g_{};
};

}  // namespace cosimo
