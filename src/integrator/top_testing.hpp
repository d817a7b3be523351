// A heavy symmetric top for the tests of integrators: more coordinates (seven, with a unit quaternion) than
// freedoms (six), and three constraints.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "integrator/constrained_testing.hpp"

namespace cosimo::testing {

/// Products of quaternions (scalar part first).
using Quaternion = std::array<double, 4>;
inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
using Vector3 = std::array<double, 3>;
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A heavy symmetric top: mass 1, its centre of mass at distance 0.5 from the tip along its axis, moments of
/// inertia 0.1 across and 0.05 along about the centre. Coordinates are r (the centre) and the quaternion p,
/// freedoms the velocity of the centre and the angular velocity along fixed axes. The tip is tied to the
/// origin: g = r - 0.5 axis = 0.
class Top final : public TestSystem {
 public:
  static constexpr double gravity = 9.81, reach_of_tip = 0.5, across = 0.1, along = 0.05;

  std::size_t size() const override { return 7; }
  std::size_t freedoms() const override { return 6; }
  std::size_t constraints() const override { return 3; }
  void twist(const double* q, const double* v, double* w) const override {
    std::copy_n(v, 3, w);
    const Quaternion omega = Quaternion{v[3], v[4], v[5], v[6]} * inverse(q);
    for (std::size_t k = 0; k < 3; ++k) w[3 + k] = 2 * omega[k + 1];
  }
  void rates(const double* q, const double* w, double* v) const override {
    std::copy_n(w, 3, v);
    const Quaternion rate = Quaternion{0, 0.5 * w[3], 0.5 * w[4], 0.5 * w[5]} * turn(q);
    std::copy_n(rate.begin(), 4, v + 3);
  }
  void lift(const double* q, const double* v, const double* alpha, double* a) const override {
    Small w{};
    twist(q, v, w.data());
    rates(q, alpha, a);
    const Quaternion bend = Quaternion{0, 0.5 * w[3], 0.5 * w[4], 0.5 * w[5]} * turn(v);
    for (std::size_t k = 0; k < 4; ++k) a[3 + k] += bend[k];
  }
  void lower(const double* q, const double* v, const double* a, double* alpha) const override {
    Small w{}, rest{};
    twist(q, v, w.data());
    const Quaternion bend = Quaternion{0, 0.5 * w[3], 0.5 * w[4], 0.5 * w[5]} * turn(v);
    std::copy_n(a, 7, rest.begin());
    for (std::size_t k = 0; k < 4; ++k) rest[3 + k] -= bend[k];
    twist(q, rest.data(), alpha);
  }
  void normalise(double* q) const override {
    const double length = std::hypot(std::hypot(q[3], q[4]), std::hypot(q[5], q[6]));
    for (std::size_t k = 3; k < 7; ++k) q[k] /= length;
  }
  bool residual(double, const double* q, const double* v, const double* alpha, const double* lambda,
                double* r) const override {
    Small w{};
    twist(q, v, w.data());
    const Vector3 e = axis(q), omega{w[3], w[4], w[5]}, reaction{lambda[0], lambda[1], lambda[2]};
    const Vector3 turning = add(inertia(e, {alpha[3], alpha[4], alpha[5]}), cross(omega, inertia(e, omega)));
    const Vector3 torque =
        cross(reaction, e);  // J^T lambda: -0.5 (omega x e) . lambda = 0.5 (lambda x e) . omega
    for (std::size_t k = 0; k < 3; ++k) {
      r[k] = alpha[k] + (k == 2 ? gravity : 0.0) + reaction[k];
      r[3 + k] = turning[k] + reach_of_tip * torque[k];
    }
    return std::isfinite(r[0] + r[3] + r[4] + r[5]);
  }
  void position_residual(double, const double* q, double* g) const override {
    const Vector3 e = axis(q);
    for (std::size_t k = 0; k < 3; ++k) g[k] = q[k] - reach_of_tip * e[k];
  }
  void velocity_residual(double, const double* q, const double* v, double* g) const override {
    Small w{};
    twist(q, v, w.data());
    const Vector3 moving = cross({w[3], w[4], w[5]}, axis(q));
    for (std::size_t k = 0; k < 3; ++k) g[k] = v[k] - reach_of_tip * moving[k];
  }
  bool acceleration_and_multipliers(double, const double* q, const double* v, double* a,
                                    double* lambda) const override {
    // Without the constraint: gravity, and the turning of a free body. With it: S lambda = J M^-1 f + c.
    Small w{};
    twist(q, v, w.data());
    const Vector3 e = axis(q), omega{w[3], w[4], w[5]};
    Vector3 free = inverse_inertia(e, cross(inertia(e, omega), omega));
    const Vector3 curve = cross(omega, cross(omega, e)), turned = cross(free, e);
    Small b{};
    for (std::size_t k = 0; k < 3; ++k)
      b[k] = (k == 2 ? -gravity : 0.0) - reach_of_tip * (turned[k] + curve[k]);
    SmallMatrix S{};
    for (std::size_t k = 0; k < 3; ++k) {
      Vector3 unit{};
      unit[k] = 1;
      const Vector3 answer = cross(inverse_inertia(e, cross(unit, e)), e);
      for (std::size_t l = 0; l < 3; ++l)
        S[l][k] = (k == l ? 1.0 : 0.0) - reach_of_tip * reach_of_tip * answer[l];
    }
    solve_semidefinite(S, 3, b);
    std::copy_n(b.begin(), 3, lambda);
    const Vector3 pull = inverse_inertia(e, cross({b[0], b[1], b[2]}, e));
    Small alpha{};
    for (std::size_t k = 0; k < 3; ++k) {
      alpha[k] = (k == 2 ? -gravity : 0.0) - b[k];
      alpha[3 + k] = free[k] - reach_of_tip * pull[k];
    }
    lift(q, v, alpha.data(), a);
    return std::isfinite(b[0] + b[1] + b[2]);
  }
  /// The quaternion gets its length, the centre follows the axis.
  bool project(double t, double* q, double* v, const MotionSizes& tolerances, bool& moved) const override {
    const auto [atol_pos, atol_vel] = tolerances.length;
    const Residuals off = residuals(t, {q, 7}, {v, 7});
    const double length = std::hypot(std::hypot(q[3], q[4]), std::hypot(q[5], q[6]));
    const double slope = (q[3] * v[3] + q[4] * v[4] + q[5] * v[5] + q[6] * v[6]) / length;
    moved = std::max(off.position, std::fabs(length - 1)) > 0.1 * atol_pos ||
            std::max(off.velocity, std::fabs(slope)) > 0.1 * atol_vel;
    if (!moved) return true;
    Small w{};
    for (std::size_t k = 3; k < 7; ++k) q[k] /= length;
    twist(q, v, w.data());
    const Vector3 e = axis(q), moving = cross({w[3], w[4], w[5]}, e);
    for (std::size_t k = 0; k < 3; ++k) {
      q[k] = reach_of_tip * e[k];
      w[k] = reach_of_tip * moving[k];
    }
    rates(q, w.data(), v);
    return true;
  }

  double energy(std::span<const double> q, std::span<const double> v) const {
    Small w{};
    twist(q.data(), v.data(), w.data());
    const Vector3 omega{w[3], w[4], w[5]}, velocity{w[0], w[1], w[2]};
    return 0.5 * dot(velocity, velocity) + 0.5 * dot(omega, inertia(axis(q.data()), omega)) + gravity * q[2];
  }
  static Vector3 axis(const double* q) {
    const Quaternion p = turn(q), e = p * Quaternion{0, 0, 0, 1} * inverse(q);
    return {e[1], e[2], e[3]};
  }

 private:
  static Quaternion turn(const double* q) { return {q[3], q[4], q[5], q[6]}; }
  static Quaternion inverse(const double* q) {
    const double square = q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6];
    return {q[3] / square, -q[4] / square, -q[5] / square, -q[6] / square};
  }
  static Vector3 add(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
  static Vector3 scaled(const Vector3& e, const Vector3& x, double side, double axial) {
    const double part = (axial - side) * dot(e, x);
    return {side * x[0] + part * e[0], side * x[1] + part * e[1], side * x[2] + part * e[2]};
  }
  static Vector3 inertia(const Vector3& e, const Vector3& x) { return scaled(e, x, across, along); }
  static Vector3 inverse_inertia(const Vector3& e, const Vector3& x) {
    return scaled(e, x, 1 / across, 1 / along);
  }
};

/// A top leaning by `angle`, spinning about its axis with `spin` and turning about the vertical with `turn`.
inline Begin top_at(double angle, double spin, double turn) {
  const Top top;
  Begin begin{{0, 0, 0, std::cos(angle / 2), std::sin(angle / 2), 0, 0}, std::vector<double>(7)};
  const Vector3 e = Top::axis(begin.q.data());
  const Vector3 omega{spin * e[0], spin * e[1], spin * e[2] + turn}, moving = cross(omega, e);
  Small w{};
  for (std::size_t k = 0; k < 3; ++k) {
    begin.q[k] = Top::reach_of_tip * e[k];
    w[k] = Top::reach_of_tip * moving[k];
    w[3 + k] = omega[k];
  }
  top.rates(begin.q.data(), w.data(), begin.v.data());
  return begin;
}

}  // namespace cosimo::testing
