// Small systems with constraints for the tests of integrators, written out by hand. Here
//
//   Particles   points in a plane with gravity, springs, rods of fixed length and prescribed coordinates
//
// and what all of them share; integrator/top_testing.hpp has one that turns in space.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "integrator/constrained_system.hpp"

namespace cosimo::testing {

inline constexpr std::size_t most = 16;  ///< coordinates or rows
using Small = std::array<double, most>;
using SmallMatrix = std::array<Small, most>;

/// S x = b for a symmetric S that may be singular: Cholesky of S + eps, refined.
inline void solve_semidefinite(const SmallMatrix& S, std::size_t m, Small& b) {
  SmallMatrix L{};
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j; i < m; ++i) {
      double sum = S[i][j] + (i == j ? 1e-10 * S[i][i] : 0.0);
      for (std::size_t k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
    }
  Small x{};
  for (int pass = 0; pass < 3; ++pass) {
    Small r{};
    for (std::size_t i = 0; i < m; ++i) {
      r[i] = b[i];
      for (std::size_t k = 0; k < m; ++k) r[i] -= S[i][k] * x[k];
    }
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < i; ++k) r[i] -= L[i][k] * r[k];
      r[i] /= L[i][i];
    }
    for (std::size_t i = m; i-- > 0;) {
      for (std::size_t k = i + 1; k < m; ++k) r[i] -= L[k][i] * r[k];
      r[i] /= L[i][i];
    }
    for (std::size_t i = 0; i < m; ++i) x[i] += r[i];
  }
  b = x;
}

/// Everything by difference quotients: no mistake in a derivative can hide in the tests.
inline void difference_tangent(const ConstrainedSystem& system, double t, const double* q, const double* v,
                               const double* alpha, const double* lambda, ConstrainedTangent& out) {
  const std::size_t n = system.size(), f = system.freedoms(), m = system.constraints();
  auto shape = [f](std::vector<SparseEntry>& block, std::size_t rows) {
    if (block.size() == rows * f) return;
    for (std::size_t j = 0; j < f; ++j)
      for (std::size_t i = 0; i < rows; ++i)
        block.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), 0});
  };
  for (auto* block : {&out.M, &out.C, &out.K}) shape(*block, f);
  for (auto* block : {&out.J, &out.rate}) shape(*block, m);
  Small w{};
  system.twist(q, v, w.data());
  struct Values {
    Small r{}, g{};
  };
  auto evaluate = [&](std::size_t j, double dalpha, double dw, double dx) {
    Small q1{}, v1{}, w1 = w, alpha1{}, x{}, rate{};
    std::copy_n(alpha, f, alpha1.begin());
    alpha1[j] += dalpha;
    w1[j] += dw;
    x[j] = dx;
    system.rates(q, x.data(), rate.data());
    for (std::size_t i = 0; i < n; ++i) q1[i] = q[i] + rate[i];
    system.rates(q1.data(), w1.data(), v1.data());
    Values values;
    (void)system.residual(t, q1.data(), v1.data(), alpha1.data(), lambda, values.r.data());
    system.velocity_residual(t, q1.data(), v1.data(), values.g.data());
    return values;
  };
  const double eps = 1e-6;
  for (std::size_t j = 0; j < f; ++j) {
    const Values a0 = evaluate(j, -1, 0, 0), a1 = evaluate(j, 1, 0, 0);
    const Values w0 = evaluate(j, 0, -eps, 0), w1 = evaluate(j, 0, eps, 0);
    const Values x0 = evaluate(j, 0, 0, -eps), x1 = evaluate(j, 0, 0, eps);
    for (std::size_t i = 0; i < f; ++i) {
      out.M[j * f + i].value = (a1.r[i] - a0.r[i]) / 2;
      out.C[j * f + i].value = (w1.r[i] - w0.r[i]) / (2 * eps);
      out.K[j * f + i].value = (x1.r[i] - x0.r[i]) / (2 * eps);
    }
    for (std::size_t i = 0; i < m; ++i) {
      out.J[j * m + i].value = (w1.g[i] - w0.g[i]) / (2 * eps);
      out.rate[j * m + i].value = (x1.g[i] - x0.g[i]) / (2 * eps);
    }
  }
}

/// What all test systems have in common.
class TestSystem : public ConstrainedSystem {
 public:
  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override {
    Small all{}, lambda{};
    if (!acceleration_and_multipliers(t, q, v, all.data(), lambda.data())) return false;
    std::copy(all.begin() + static_cast<std::ptrdiff_t>(dofs.first),
              all.begin() + static_cast<std::ptrdiff_t>(dofs.last), a + dofs.first);
    return true;
  }
  void linearise(double t, const double* q, const double* v, const double* alpha, const double* lambda,
                 ConstrainedTangent& out) const override {
    difference_tangent(*this, t, q, v, alpha, lambda, out);
  }
  void time_derivative(double, const double*, const double*, double* a_t) const override {
    std::fill_n(a_t, size(), 0.0);
  }
  std::span<const std::int32_t> driven() const override { return {}; }
  double next_breakpoint(double) const override { return std::numeric_limits<double>::infinity(); }

  struct Residuals {
    double position = 0, velocity = 0;
  };
  Residuals residuals(double t, std::span<const double> q, std::span<const double> v) const {
    Small g{}, rate{};
    position_residual(t, q.data(), g.data());
    velocity_residual(t, q.data(), v.data(), rate.data());
    Residuals out;
    for (std::size_t k = 0; k < constraints(); ++k) {
      out.position = std::max(out.position, std::fabs(g[k]));
      out.velocity = std::max(out.velocity, std::fabs(rate[k]));
    }
    return out;
  }
};

struct Spring {
  int a = -1, b = -1;  ///< points; -1: the anchor
  double c = 0, d = 0, rest = 0;
  double x = 0, y = 0;  ///< anchor
};
struct Rod {
  int a = -1, b = -1;
  double length = 1;
  double x = 0, y = 0;
};
/// Coordinate `coordinate` moves as told.
struct Prescribed {
  std::size_t coordinate = 0;
  std::function<double(double)> value, rate, second;
};

class Particles : public TestSystem {
 public:
  std::vector<double> mass;
  double gravity = 9.81;
  std::vector<Spring> springs;
  std::vector<Rod> rods;
  std::vector<Prescribed> prescribed;

  std::size_t size() const override { return 2 * mass.size(); }
  std::size_t freedoms() const override { return size(); }
  std::size_t constraints() const override { return rods.size() + prescribed.size(); }
  void twist(const double*, const double* v, double* w) const override { std::copy_n(v, size(), w); }
  void rates(const double*, const double* w, double* v) const override { std::copy_n(w, size(), v); }
  void lift(const double*, const double*, const double* alpha, double* a) const override {
    std::copy_n(alpha, size(), a);
  }
  void lower(const double*, const double*, const double* a, double* alpha) const override {
    std::copy_n(a, size(), alpha);
  }
  bool residual(double, const double* q, const double* v, const double* alpha, const double* lambda,
                double* r) const override {
    return residual_of(forces(q, v), q, alpha, lambda, r);
  }
  bool residual_of(const Small& f, const double* q, const double* alpha, const double* lambda,
                   double* r) const {
    const SmallMatrix J = jacobian(q);
    bool finite = true;
    for (std::size_t i = 0; i < size(); ++i) {
      r[i] = mass[i / 2] * alpha[i] - f[i];
      for (std::size_t k = 0; k < constraints(); ++k) r[i] += J[k][i] * lambda[k];
      finite = finite && std::isfinite(r[i]);
    }
    return finite;
  }
  void position_residual(double t, const double* q, double* g) const override {
    for (std::size_t k = 0; k < rods.size(); ++k) {
      const auto [x, y] = difference(rods[k], q, true);
      g[k] = 0.5 * (x * x + y * y - rods[k].length * rods[k].length) / rods[k].length;
    }
    for (std::size_t k = 0; k < prescribed.size(); ++k)
      g[rods.size() + k] = q[prescribed[k].coordinate] - prescribed[k].value(t);
  }
  void velocity_residual(double t, const double* q, const double* v, double* g) const override {
    const SmallMatrix J = jacobian(q);
    for (std::size_t k = 0; k < constraints(); ++k) {
      g[k] = 0;
      for (std::size_t i = 0; i < size(); ++i) g[k] += J[k][i] * v[i];
    }
    for (std::size_t k = 0; k < prescribed.size(); ++k) g[rods.size() + k] -= prescribed[k].rate(t);
  }
  bool acceleration_and_multipliers(double t, const double* q, const double* v, double* a,
                                    double* lambda) const override {
    return motion_of(forces(q, v), t, q, v, a, lambda);
  }
  bool motion_of(const Small& f, double t, const double* q, const double* v, double* a,
                 double* lambda) const {
    const SmallMatrix J = jacobian(q);
    Small b{};
    for (std::size_t k = 0; k < constraints(); ++k) {
      if (k < rods.size()) {
        const auto [x, y] = difference(rods[k], v, false);
        b[k] = (x * x + y * y) / rods[k].length;
      } else {
        b[k] = -prescribed[k - rods.size()].second(t);
      }
      for (std::size_t i = 0; i < size(); ++i) b[k] += J[k][i] * f[i] / mass[i / 2];
    }
    solve_semidefinite(schur(J), constraints(), b);
    std::copy_n(b.begin(), constraints(), lambda);
    bool finite = true;
    for (std::size_t i = 0; i < size(); ++i) {
      double force = f[i];
      for (std::size_t k = 0; k < constraints(); ++k) force -= J[k][i] * lambda[k];
      a[i] = force / mass[i / 2];
      finite = finite && std::isfinite(a[i]);
    }
    return finite;
  }
  bool project(double t, double* q, double* v, const MotionSizes& tolerances, bool& moved) const override {
    const auto [atol_pos, atol_vel] = tolerances.length;
    Small g{};
    const auto largest = [&] {
      double result = 0;
      for (std::size_t k = 0; k < constraints(); ++k) result = std::max(result, std::fabs(g[k]));
      return result;
    };
    const auto shift = [&](double* x) {
      const SmallMatrix J = jacobian(q);
      solve_semidefinite(schur(J), constraints(), g);
      for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t k = 0; k < constraints(); ++k) x[i] -= J[k][i] * g[k] / mass[i / 2];
    };
    moved = false;
    position_residual(t, q, g.data());
    for (int i = 0; largest() > (moved ? 1e-3 : 0.1) * atol_pos; ++i) {
      if (i == 10 || !std::isfinite(largest())) return false;
      shift(q);
      moved = true;
      position_residual(t, q, g.data());
    }
    velocity_residual(t, q, v, g.data());
    if (largest() > 0.1 * atol_vel) {
      shift(v);
      moved = true;
    }
    return true;
  }

  double energy(std::span<const double> q, std::span<const double> v) const {
    double sum = 0;
    for (std::size_t i = 0; i < mass.size(); ++i)
      sum += mass[i] * (0.5 * (v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]) + gravity * q[2 * i + 1]);
    for (const Spring& s : springs) {
      const auto [x, y] = difference(s, q.data(), true);
      const double stretch = std::hypot(x, y) - s.rest;
      sum += 0.5 * s.c * stretch * stretch;
    }
    return sum;
  }

 private:
  struct Vector {
    double x, y;
  };
  /// From b to a; anchors do not move.
  template <class Element>
  static Vector difference(const Element& e, const double* x, bool position) {
    auto end = [&](int point) {
      if (point < 0) return position ? Vector{e.x, e.y} : Vector{0, 0};
      const auto i = 2 * static_cast<std::size_t>(point);
      return Vector{x[i], x[i + 1]};
    };
    const Vector a = end(e.a), b = end(e.b);
    return {a.x - b.x, a.y - b.y};
  }
  template <class Element>
  static void add(const Element& e, Vector d, Small& out) {
    for (const auto& [point, sign] : {std::pair{e.a, 1.0}, std::pair{e.b, -1.0}}) {
      if (point < 0) continue;
      out[2 * static_cast<std::size_t>(point)] += sign * d.x;
      out[2 * static_cast<std::size_t>(point) + 1] += sign * d.y;
    }
  }

 protected:
  Small forces(const double* q, const double* v) const {
    Small f{};
    for (std::size_t i = 0; i < mass.size(); ++i) f[2 * i + 1] = -mass[i] * gravity;
    for (const Spring& s : springs) {
      const Vector d = difference(s, q, true), rate = difference(s, v, false);
      const double length = std::hypot(d.x, d.y);
      const double force = s.c * (length - s.rest) + s.d * (d.x * rate.x + d.y * rate.y) / length;
      add(s, {-force * d.x / length, -force * d.y / length}, f);
    }
    return f;
  }

 private:
  SmallMatrix jacobian(const double* q) const {
    SmallMatrix J{};
    for (std::size_t k = 0; k < rods.size(); ++k) {
      const Vector d = difference(rods[k], q, true);
      add(rods[k], {d.x / rods[k].length, d.y / rods[k].length}, J[k]);
    }
    for (std::size_t k = 0; k < prescribed.size(); ++k) J[rods.size() + k][prescribed[k].coordinate] = 1;
    return J;
  }
  SmallMatrix schur(const SmallMatrix& J) const {
    SmallMatrix S{};
    for (std::size_t k = 0; k < constraints(); ++k)
      for (std::size_t l = 0; l < constraints(); ++l)
        for (std::size_t i = 0; i < size(); ++i) S[k][l] += J[k][i] * J[l][i] / mass[i / 2];
    return S;
  }
};

struct Begin {
  std::vector<double> q, v;
};

/// One point on a rod of length 1, released at this angle from the lowest position.
inline Particles pendulum() {
  Particles system;
  system.mass = {1};
  system.rods = {{0, -1, 1}};
  return system;
}
inline Begin pendulum_at(double angle) {
  return {{std::sin(angle), -std::cos(angle)}, {0, 0}};
}

inline Particles double_pendulum() {
  Particles system;
  system.mass = {1, 0.5};
  system.rods = {{0, -1, 1}, {1, 0, 0.7}};
  return system;
}
inline Begin double_pendulum_at(double first, double second) {
  const double x = std::sin(first), y = -std::cos(first);
  return {{x, y, x + 0.7 * std::sin(second), y - 0.7 * std::cos(second)}, {0, 0, 0, 0}};
}

/// A second point hangs on a pendulum by a stiff damped spring.
inline Particles stiff_pendulum(double c, double d) {
  Particles system;
  system.mass = {1, 0.5};
  system.rods = {{0, -1, 1}};
  system.springs = {{1, 0, c, d, 0.7}};
  return system;
}

/// A pendulum whose support slides to and fro as told.
inline Particles driven_pendulum(double amplitude, double omega) {
  Particles system;
  system.mass = {1, 0.5};
  system.rods = {{1, 0, 1}};
  system.prescribed = {
      {0, [=](double t) { return amplitude * std::sin(omega * t); },
       [=](double t) { return amplitude * omega * std::cos(omega * t); },
       [=](double t) { return -amplitude * omega * omega * std::sin(omega * t); }},
      {1, [](double) { return 0.0; }, [](double) { return 0.0; }, [](double) { return 0.0; }}};
  return system;
}
inline Begin driven_pendulum_at(double amplitude, double omega) {
  return {{0, 0, 0, -1}, {amplitude * omega, 0, amplitude * omega, 0}};
}

}  // namespace cosimo::testing
