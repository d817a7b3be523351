// Inputs that can be varied, for any system of the tests: forces on single degrees of freedom, and springs
// and dampers to bodies that move as prescribed, whose effect depends on the state.
#pragma once

#include <cstddef>
#include <vector>

#include "integrator/testing.hpp"
#include "numerics/polynomial.hpp"

namespace cosimo::testing {

struct ForceInput {
  std::size_t dof = 0;
  Polynomial u;
};

/// F(x - q, v - v_dof) with the law of the chain's springs: two inputs, x and v.
struct MotionInput {
  std::size_t dof = 0;
  ChainParameters law;
  Polynomial x, v;
};

/// `base` must outlive it. Inputs are numbered: the forces, then x and v of every motion.
class Driven final : public System {
 public:
  explicit Driven(const System& base) : base_(base), mass_(base.size()) {
    Tangent tangent(base.pattern());
    const std::vector<double> zero(base.size());
    base.tangent(0, zero.data(), zero.data(), tangent);
    mass_ = tangent.mass;
  }

  std::vector<ForceInput> forces;
  std::vector<MotionInput> motions;

  /// Call after the inputs are set or one of them moved to another degree of freedom.
  void finish() {
    driven_.clear();
    for (const ForceInput& f : forces) driven_.push_back(static_cast<std::int32_t>(f.dof));
    for (const MotionInput& m : motions) driven_.push_back(static_cast<std::int32_t>(m.dof));
    std::sort(driven_.begin(), driven_.end());
    driven_.erase(std::unique(driven_.begin(), driven_.end()), driven_.end());
  }
  Polynomial& input(std::size_t i) {
    if (i < forces.size()) return forces[i].u;
    MotionInput& m = motions[(i - forces.size()) / 2];
    return (i - forces.size()) % 2 == 0 ? m.x : m.v;
  }

  std::size_t size() const override { return base_.size(); }
  const TangentPattern& pattern() const override { return base_.pattern(); }
  std::size_t reach() const override { return base_.reach(); }

  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override {
    if (!base_.acceleration(t, q, v, a, dofs)) return false;
    auto inside = [&](std::size_t i) { return dofs.first <= i && i < dofs.last; };
    for (const ForceInput& f : forces)
      if (inside(f.dof)) a[f.dof] += f.u(t) / mass_[f.dof];
    for (const MotionInput& m : motions)
      if (inside(m.dof)) a[m.dof] += force(m, m.x(t) - q[m.dof], m.v(t) - v[m.dof]) / mass_[m.dof];
    return true;
  }

  void tangent(double t, const double* q, const double* v, Tangent& out) const override {
    base_.tangent(t, q, v, out);
    add_slopes(t, q, v, out, {0, size()});
  }
  Range tangent_rows(double t, const double* q, const double* v, Tangent& out, Range dofs) const override {
    const Range rows = base_.tangent_rows(t, q, v, out, dofs);
    add_slopes(t, q, v, out, rows);
    return rows;
  }

  void time_derivative(double t, const double* q, const double* v, double* a_t) const override {
    base_.time_derivative(t, q, v, a_t);
    for (const ForceInput& f : forces) a_t[f.dof] += f.u.rate(t) / mass_[f.dof];
    for (const MotionInput& m : motions)
      a_t[m.dof] +=
          (stiffness(m, m.x(t) - q[m.dof]) * m.x.rate(t) + damping(m, m.v(t) - v[m.dof]) * m.v.rate(t)) /
          mass_[m.dof];
  }

  std::span<const std::int32_t> driven() const override { return driven_; }
  std::size_t inputs() const override { return forces.size() + 2 * motions.size(); }
  InputEffect input_effect(std::size_t i, double t, const double* q, const double* v) const override {
    if (i < forces.size()) return {static_cast<std::int32_t>(forces[i].dof), 1};
    const MotionInput& m = motions[(i - forces.size()) / 2];
    const bool position = (i - forces.size()) % 2 == 0;
    return {static_cast<std::int32_t>(m.dof),
            position ? stiffness(m, m.x(t) - q[m.dof]) : damping(m, m.v(t) - v[m.dof])};
  }
  double next_breakpoint(double t) const override { return base_.next_breakpoint(t); }

 private:
  static double force(const MotionInput& m, double x, double v) {
    return m.law.c * x + m.law.C * x * x * x + m.law.d * v + m.law.D * v * v * v;
  }
  static double stiffness(const MotionInput& m, double x) { return m.law.c + 3 * m.law.C * x * x; }
  static double damping(const MotionInput& m, double v) { return m.law.d + 3 * m.law.D * v * v; }

  void add_slopes(double t, const double* q, const double* v, Tangent& out, Range rows) const {
    for (const MotionInput& m : motions) {
      if (m.dof < rows.first || m.dof >= rows.last) continue;
      out.k_diag[m.dof] += stiffness(m, m.x(t) - q[m.dof]);
      out.c_diag[m.dof] += damping(m, m.v(t) - v[m.dof]);
    }
  }

  const System& base_;
  AlignedVector mass_;
  std::vector<std::int32_t> driven_;
};

/// What an input's end value does to its polynomial of degree kappa through the macro points 0, -H, -2H and
/// the end H: 1 at H, zero at the others.
inline Polynomial end_value_shape(int kappa, double begin, double H) {
  constexpr double a[4][4] = {{1}, {0, 1}, {0, 0.5, 0.5}, {0, 1. / 3, 1. / 2, 1. / 6}};
  Polynomial shape{kappa, begin, H, {}};
  for (std::size_t j = 0; j < 4; ++j) shape.a[j] = a[kappa][j];
  return shape;
}

/// `base` + factor * shape, of the same origin and scale.
inline Polynomial varied(Polynomial base, double factor, const Polynomial& shape) {
  base.degree = std::max(base.degree, shape.degree);
  for (std::size_t j = 0; j <= static_cast<std::size_t>(shape.degree); ++j) base.a[j] += factor * shape.a[j];
  return base;
}

}  // namespace cosimo::testing
