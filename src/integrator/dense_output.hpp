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
// First-order states z take the polynomial of v. What step 2 needs of them comes from the cubic of z and z'
// at both ends, O(h^4); one more pass, with the polynomial that it leads to, gives the order of the others.
//
//   prepare(from, to, h, dofs)   two evaluations around the wanted degrees of freedom; four of all with z
//   at(theta, dof), z(theta, k)  any number of times
#pragma once

#include "integrator/slab.hpp"
#include "integrator/state.hpp"
#include "integrator/stepper.hpp"

namespace cosimo {

class DenseOutput {
 public:
  explicit DenseOutput(const System& system) : system_(system), extent_(system.extent()) {}

  /// The step must stay as it is while at() is used. False when a force overflows inside the step.
  [[nodiscard]] bool prepare(const Point& from, const State& to, double h, Range dofs);

  /// For hermite() alone.
  void take(const Point& from, const State& to, double h) {
    from_ = from;
    to_ = {to.t, to.q.data(), to.v.data(), to.a.data(), nullptr, to.z.data(), to.z_rate.data()};
    h_ = h;
  }
  int evaluations() const { return extent_.z > 0 ? 4 : 2; }  ///< of prepare()

  /// After a prepare() that returned true.
  Motion at(double theta, std::size_t dof) const;
  /// The quintic Hermite polynomial and its derivative: O(h^6) and O(h^5), without accelerations inside.
  Motion hermite(double theta, std::size_t dof) const;
  double z(double theta, std::size_t k) const;
  double hermite_z(double theta, std::size_t k) const;  ///< the cubic, O(h^4)

 private:
  bool prepare_whole();

  const System& system_;
  Extent extent_;
  Point from_, to_;
  double h_ = 0;
  Slab work_;  ///< q, v, a(1/3), a(2/3)
  const double* inner_[2] = {nullptr, nullptr};
  Slab states_;  ///< z(1/3), z(2/3) and their rates
};

}  // namespace cosimo
