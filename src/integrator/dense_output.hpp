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
//   prepare(from, to, h, dofs, team)   two evaluations around the wanted degrees of freedom; four of all with
//   z at(theta, dof), z(theta, k)        any number of times course(theta, resolved).at(dof)    the same for
//   many degrees of freedom at one instant
#pragma once

#include "integrator/slab.hpp"
#include "integrator/state.hpp"
#include "integrator/stepper.hpp"
#include "parallel/shares.hpp"

namespace cosimo {

class DenseOutput {
 public:
  /// Coefficients of q1 - q0, h v0, h v1, h^2 a0, h^2 a1 in a quintic Hermite polynomial.
  struct Hermite {
    double dq, v0, v1, a0, a1;
  };
  /// Integrals from 0 to theta of the Lagrange polynomials on 0, 1/3, 2/3, 1, and of the polynomial that
  /// vanishes there, scaled so that it is 1 at the end: it takes up what is missing in y_1 - y_0.
  struct Birkhoff {
    double b0, b1, b2, b3, rest;
    explicit Birkhoff(double theta);
    /// The values at both ends and h times the slopes at the four points.
    double operator()(double y0, double y1, double h, double a0, double a1, double a2, double a3) const {
      const double missing = (y1 - y0) - h * (0.125 * (a0 + a3) + 0.375 * (a1 + a2));
      return y0 + (h * ((b0 * a0 + b3 * a3) + (b1 * a1 + b2 * a2)) + rest * missing);
    }
  };
  /// One instant of the step, for any number of degrees of freedom.
  class Course {
   public:
    Motion at(std::size_t i) const {
      const double dq = to_.q[i] - from_.q[i];
      const auto sum = [&](const Hermite& x) {
        return x.dq * dq +
               h_ * ((x.v0 * from_.v[i] + x.v1 * to_.v[i]) + h_ * (x.a0 * from_.a[i] + x.a1 * to_.a[i]));
      };
      const double q = from_.q[i] + sum(value_);
      if (!resolved_) return {q, sum(slope_) / h_};
      return {q, inner_(from_.v[i], to_.v[i], h_, from_.a[i], a_[0][i], a_[1][i], to_.a[i])};
    }

   private:
    friend class DenseOutput;
    Course(const DenseOutput& step, double theta, bool resolved);
    Hermite value_, slope_;
    Birkhoff inner_;
    Point from_, to_;
    double h_;
    const double* a_[2];
    bool resolved_;
  };

  explicit DenseOutput(const System& system) : system_(system), extent_(system.extent()) {}

  /// The step must stay as it is while at() is used. False when a force overflows inside the step. The team,
  /// where there is one, shares the evaluations.
  [[nodiscard]] bool prepare(const Point& from, const State& to, double h, Range dofs, Team* team = nullptr);

  /// For hermite() alone.
  void take(const Point& from, const State& to, double h) {
    from_ = from;
    to_ = {to.t, to.q.data(), to.v.data(), to.a.data(), nullptr, to.z.data(), to.z_rate.data()};
    h_ = h;
  }
  int evaluations() const { return extent_.z > 0 ? 4 : 2; }  ///< of prepare()

  /// Resolved: after a prepare() that returned true. Otherwise the quintic Hermite polynomial and its
  /// derivative: O(h^6) and O(h^5), without accelerations inside.
  Course course(double theta, bool resolved) const { return {*this, theta, resolved}; }
  Motion at(double theta, std::size_t dof) const { return course(theta, true).at(dof); }
  Motion hermite(double theta, std::size_t dof) const { return course(theta, false).at(dof); }
  double z(double theta, std::size_t k) const;
  double hermite_z(double theta, std::size_t k) const;  ///< the cubic, O(h^4)

 private:
  bool prepare_whole();

  const System& system_;
  Extent extent_;
  Point from_, to_;
  double h_ = 0;
  Slab work_;  ///< q, v, a at 1/3, then at 2/3
  const double* inner_[2] = {nullptr, nullptr};
  Slab states_;  ///< z(1/3), z(2/3) and their rates
};

}  // namespace cosimo
