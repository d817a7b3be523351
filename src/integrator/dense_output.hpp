// States inside a step, of the order of the method, from accelerations.
//
// Both ends of an accepted step give q, v and a. With theta = (t - t_0) / h:
//   1. q(theta): the quintic Hermite polynomial of q, v, a at both ends, error O(h^6);
//   2. accelerations at theta = 1/3 and 2/3, evaluated at q(theta) and v = q'(theta);
//   3. v(theta): the quintic with v and v' = a at both ends and v' = a at 1/3 and 2/3
//      (Hermite-Birkhoff; one point in the middle would not do: Simpson's rule is exact for
//      cubics, so the fourth coefficient would stay free).
// A method of order p delivers ends with a local error O(h^(p+1)); q' then has O(h^p), which step 2
// multiplies by h on the way into v: O(h^(p+1)) for p <= 5, the local order of the method itself.
//
//   prepare(from, to, h, dofs)   two evaluations around the wanted degrees of freedom
//   at(theta, dof)               any number of times
#pragma once

#include "integrator/slab.hpp"
#include "integrator/state.hpp"
#include "integrator/stepper.hpp"

namespace cosimo {

class DenseOutput {
 public:
  explicit DenseOutput(const System& system) : system_(system) {}

  /// The step must stay as it is while at() is used. False when a force overflows inside the step.
  [[nodiscard]] bool prepare(const Point& from, const State& to, double h, Range dofs);

  /// For hermite() alone.
  void take(const Point& from, const State& to, double h) {
    from_ = from;
    to_ = {to.t, to.q.data(), to.v.data(), to.a.data()};
    h_ = h;
  }

  /// After a prepare() that returned true.
  Motion at(double theta, std::size_t dof) const;
  /// The quintic Hermite polynomial and its derivative: O(h^6) and O(h^5), without accelerations inside.
  Motion hermite(double theta, std::size_t dof) const;

 private:
  const System& system_;
  Point from_, to_;
  double h_ = 0;
  Slab work_;  ///< q, v, a(1/3), a(2/3)
  const double* inner_[2] = {nullptr, nullptr};
};

}  // namespace cosimo
