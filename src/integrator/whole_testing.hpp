// Systems with first-order states, memory and root functions for the tests of integrators, given by
// functions; all masses are one. Derivatives are difference quotients: no mistake in one can hide.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "integrator/testing.hpp"

namespace cosimo::testing {

class WholeSystem final : public System {
 public:
  WholeSystem(std::size_t n, Extent extent) : n_(n), extent_(extent), pattern_(path_pattern(n)) {}

  std::function<void(double t, const Whole& y, double* a, double* z_rate)> rates;
  std::function<void(double t, const Whole& y, double* s)> committed;
  std::function<void(double t, const Whole& y, double* g)> root_values;
  std::function<Fired(double t, std::span<const std::int8_t> crossed, Editable& y)> event;
  std::vector<double> nominal;

  std::size_t size() const override { return n_; }
  Extent extent() const override { return extent_; }
  std::span<const double> nominals() const override { return nominal; }
  bool evaluate(double t, const Whole& y, double* a, double* z_rate) const override {
    rates(t, y, a, z_rate);
    const auto finite = [](double x) { return std::isfinite(x); };
    return std::all_of(a, a + n_, finite) && std::all_of(z_rate, z_rate + extent_.z, finite);
  }
  void commit(double t, const Whole& y, double* s) const override {
    if (committed) committed(t, y, s);
  }
  void roots(double t, const Whole& y, double* g) const override { root_values(t, y, g); }
  Fired fire(double t, std::span<const std::int8_t> crossed, Editable& y) const override {
    return event(t, crossed, y);
  }

  void state_tangent(double t, const Whole& y, StateTangent& out) const override {
    const std::size_t m = extent_.z, all = 2 * n_ + m;
    std::vector<double> x(all), plus(n_ + m), minus(n_ + m);
    std::copy_n(y.q, n_, x.begin());
    std::copy_n(y.v, n_, x.begin() + static_cast<std::ptrdiff_t>(n_));
    std::copy_n(y.z, m, x.begin() + static_cast<std::ptrdiff_t>(2 * n_));
    const auto at = [&](double time, std::vector<double>& r) {
      rates(time, {x.data(), x.data() + n_, x.data() + 2 * n_, y.s}, r.data(), r.data() + n_);
    };
    for (auto* block : {&out.M, &out.C, &out.K, &out.z.f_z, &out.z.z_x, &out.z.z_w, &out.z.z_z})
      block->clear();
    for (std::size_t i = 0; i < n_; ++i) put(out.M, i, i, 1);
    for (std::size_t j = 0; j < all; ++j) {
      const double eps =
          1e-6 * std::max(std::fabs(x[j]), nominal.empty() || j < 2 * n_ ? 1 : nominal[j - 2 * n_]);
      const double old = x[j];
      x[j] = old + eps;
      at(t, plus);
      x[j] = old - eps;
      at(t, minus);
      x[j] = old;
      const auto slope = [&](std::size_t i) { return (plus[i] - minus[i]) / (2 * eps); };
      for (std::size_t i = 0; i < n_; ++i) {
        if (j < n_) put(out.K, i, j, -slope(i));
        if (n_ <= j && j < 2 * n_) put(out.C, i, j - n_, -slope(i));
        if (2 * n_ <= j) put(out.z.f_z, i, j - 2 * n_, slope(i));
      }
      for (std::size_t i = 0; i < m; ++i) {
        if (j < n_) put(out.z.z_x, i, j, slope(n_ + i));
        if (n_ <= j && j < 2 * n_) put(out.z.z_w, i, j - n_, slope(n_ + i));
        if (2 * n_ <= j) put(out.z.z_z, i, j - 2 * n_, slope(n_ + i));
      }
    }
    const double eps = 1e-6;
    at(t + eps, plus);
    at(t - eps, minus);
    for (std::size_t i = 0; i < n_; ++i) out.a_t[i] = (plus[i] - minus[i]) / (2 * eps);
    for (std::size_t i = 0; i < m; ++i) out.z_t[i] = (plus[n_ + i] - minus[n_ + i]) / (2 * eps);
  }

  // With states or memory nobody asks these.
  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override {
    std::vector<double> all(n_);
    rates(t, {q, v, nullptr, nullptr}, all.data(), nullptr);
    std::copy(all.begin() + static_cast<std::ptrdiff_t>(dofs.first),
              all.begin() + static_cast<std::ptrdiff_t>(dofs.last), a + dofs.first);
    return !extent_.states();
  }
  void tangent(double, const double*, const double*, Tangent& out) const override {
    for (auto* x : {&out.c_diag, &out.k_diag}) std::fill(x->begin(), x->end(), 0.0);
    std::fill(out.mass.begin(), out.mass.end(), 1.0);
  }
  void time_derivative(double, const double*, const double*, double* a_t) const override {
    std::fill_n(a_t, n_, 0.0);
  }
  const TangentPattern& pattern() const override { return pattern_; }
  std::size_t reach() const override { return n_; }
  std::span<const std::int32_t> driven() const override { return {}; }
  double next_breakpoint(double) const override { return std::numeric_limits<double>::infinity(); }

 private:
  static void put(std::vector<SparseEntry>& block, std::size_t row, std::size_t column, double value) {
    block.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column), value});
  }

  std::size_t n_;
  Extent extent_;
  TangentPattern pattern_;
};

/// Where a system begins.
struct WholeBegin {
  std::vector<double> q, v, z, s;
};

/// Two masses and two states, each of which acts on all others; driven, not linear.
inline WholeSystem coupled_system() {
  WholeSystem system(2, {.z = 2});
  system.rates = [](double t, const Whole& y, double* a, double* r) {
    const double *q = y.q, *v = y.v, *z = y.z;
    a[0] = -2 * q[0] + q[1] - 0.3 * v[0] + 0.5 * z[0] - 0.4 * q[0] * q[0] * q[0] + std::sin(3 * t);
    a[1] = q[0] - 2 * q[1] - 0.2 * v[1] + z[0] * z[1];
    r[0] = -z[0] + 0.7 * q[0] * v[1] + std::cos(2 * t);
    r[1] = -0.5 * z[1] + v[0] - 0.2 * z[0] * z[0];
  };
  return system;
}
inline WholeBegin coupled_begin() {
  return {{0.8, -0.4}, {0.3, 0.9}, {0.6, -0.7}, {}};
}

inline constexpr double gravity = 9.81;

/// A ball that falls on the ground and comes back with a part e of its velocity.
inline WholeSystem bouncing_ball(double e) {
  WholeSystem system(1, {.roots = 1});
  system.rates = [](double, const Whole&, double* a, double*) { a[0] = -gravity; };
  system.root_values = [](double, const Whole& y, double* g) { g[0] = y.q[0]; };
  system.event = [e](double, std::span<const std::int8_t> crossed, Editable& y) {
    if (crossed[0] > 0) return Fired::none;
    y.v[0] = -e * y.v[0];
    return Fired::outputs;
  };
  return system;
}

/// A mass on an elastoplastic spring of stiffness c that yields at the force f: s holds the plastic
/// elongation, and the direction in which it flows (0: it does not). Both ends of the flow are kinks.
inline WholeSystem elastoplastic(double c, double f) {
  WholeSystem system(1, {.s = 2, .roots = 2});
  const auto trial = [c](const Whole& y) { return c * (y.q[0] - y.s[0]); };
  const auto force = [=](const Whole& y) { return y.s[1] != 0 ? y.s[1] * f : trial(y); };
  system.rates = [=](double, const Whole& y, double* a, double*) { a[0] = -force(y); };
  system.committed = [=](double, const Whole& y, double* s) { s[0] = y.q[0] - force(y) / c; };
  system.root_values = [=](double, const Whole& y, double* g) {
    g[0] = y.s[1] == 0 ? f - std::fabs(trial(y)) : 1;
    g[1] = y.s[1] != 0 ? y.s[1] * y.v[0] : 1;
  };
  system.event = [](double, std::span<const std::int8_t> crossed, Editable& y) {
    if (crossed[0] < 0) y.s[1] = y.v[0] > 0 ? 1 : -1;
    if (crossed[1] < 0) y.s[1] = 0;
    return Fired::inside;
  };
  return system;
}

}  // namespace cosimo::testing
