// A small mechanical system for tests and timings of integrators: masses on cubic springs and
// dampers in a row between two walls,
//
//   F = c dx + C dx^3 + d dv + D dv^3,
//
// with exponential contacts A exp(B x), a force over time on the last mass (its input, which makes
// that mass `driven`) and one on the first (a load). No model module is needed for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "integrator/system.hpp"

namespace cosimo::testing {

struct ChainParameters {
  double mass = 1, c = 1, d = 0, C = 0, D = 0;
};

/// Table 5.9, in N, mm, s.
inline constexpr ChainParameters table_5_9{5e-5, 2.5e6, 0.25, 1e10, 5e-5};

struct Contact {
  std::size_t dof = 0;
  double A = 0, B = 0;
};

struct TimeForce {
  std::function<double(double)> value, rate;
};

inline TangentPattern path_pattern(std::size_t n) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i + 1 < n; ++i)
    edges.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(i + 1)});
  return {n, std::move(edges)};
}

class Chain final : public System {
 public:
  Chain(std::size_t n, const ChainParameters& parameters)
      : n_(n), p_(parameters), pattern_(path_pattern(n)) {}

  std::vector<Contact> contacts;
  TimeForce input, load;
  std::vector<double> breakpoints;  ///< ascending
  std::size_t claimed_reach = 1;    ///< larger is allowed, and slower

  std::size_t size() const override { return n_; }
  const TangentPattern& pattern() const override { return pattern_; }
  std::size_t reach() const override { return claimed_reach; }

  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override {
    for (std::size_t first = dofs.first; first < dofs.last; first += piece)
      spring_forces(q, v, a, {first, std::min(first + piece, dofs.last)});
    const double inverse = 1 / p_.mass;
    auto inside = [&](std::size_t i) { return dofs.first <= i && i < dofs.last; };
    for (const Contact& contact : contacts) {
      if (!inside(contact.dof)) continue;
      const double exponent = contact.B * q[contact.dof];
      if (!(exponent < 600)) return false;
      a[contact.dof] += inverse * contact.A * std::exp(exponent);
    }
    if (load.value && inside(0)) a[0] += inverse * load.value(t);
    if (input.value && inside(n_ - 1)) a[n_ - 1] += inverse * input.value(t);
    return true;
  }

  void tangent(double t, const double* q, const double* v, Tangent& out) const override {
    tangent_rows(t, q, v, out, {0, n_});
  }

  Range tangent_rows(double, const double* q, const double* v, Tangent& out, Range dofs) const override {
    auto stiffness = [&](double dx) { return p_.c + 3 * p_.C * dx * dx; };
    auto damping = [&](double dv) { return p_.d + 3 * p_.D * dv * dv; };
    auto left = [&](const double* x, std::size_t i) { return i > 0 ? x[i] - x[i - 1] : x[i]; };
    auto right = [&](const double* x, std::size_t i) { return i + 1 < n_ ? x[i + 1] - x[i] : -x[i]; };
    for (std::size_t i = dofs.first; i < dofs.last; ++i) {
      const double k = stiffness(right(q, i)), c = damping(right(v, i));
      if (i + 1 < n_) {
        out.k_edge[i] = -k;
        out.c_edge[i] = -c;
      }
      out.mass[i] = p_.mass;
      out.k_diag[i] = stiffness(left(q, i)) + k;
      out.c_diag[i] = damping(left(v, i)) + c;
    }
    for (const Contact& contact : contacts)
      if (dofs.first <= contact.dof && contact.dof < dofs.last)
        out.k_diag[contact.dof] -= contact.A * contact.B * std::exp(contact.B * q[contact.dof]);
    return dofs;
  }

  void time_derivative(double t, const double*, const double*, double* a_t) const override {
    std::fill_n(a_t, n_, 0.0);
    if (load.rate) a_t[0] += load.rate(t) / p_.mass;
    if (input.rate) a_t[n_ - 1] += input.rate(t) / p_.mass;
  }

  std::span<const std::int32_t> driven() const override {
    return input.value ? std::span<const std::int32_t>(&last_, 1) : std::span<const std::int32_t>();
  }

  double next_breakpoint(double t) const override {
    const auto next = std::upper_bound(breakpoints.begin(), breakpoints.end(), t);
    return next == breakpoints.end() ? std::numeric_limits<double>::infinity() : *next;
  }

 private:
  static constexpr std::size_t piece = 256;

  /// Each spring once, into a buffer; then the difference of the two at every mass.
  void spring_forces(const double* q, const double* v, double* a, Range dofs) const {
    alignas(64) double force[piece + 1];
    const auto [c, d, C, D] = std::array{p_.c, p_.d, p_.C, p_.D};
    auto law = [=](double dx, double dv) { return dx * (c + C * (dx * dx)) + dv * (d + D * (dv * dv)); };
    const std::size_t first = dofs.first, count = dofs.size();
    const std::size_t low = first == 0 ? 1 : 0, high = dofs.last == n_ ? count : count + 1;
    if (first == 0) force[0] = law(q[0] - 0.0, v[0] - 0.0);
    if (dofs.last == n_) force[count] = law(0.0 - q[n_ - 1], 0.0 - v[n_ - 1]);
    if (low < high) {
      const double* const x = q + (first + low);  // x[-1] exists: low skips the wall
      const double* const w = v + (first + low);
#pragma GCC ivdep
      for (std::size_t k = 0; k < high - low; ++k)
        force[low + k] = law(x[k] - *(x + k - 1), w[k] - *(w + k - 1));
    }
    const double inverse = 1 / p_.mass;
    double* const out = a + first;
#pragma GCC ivdep
    for (std::size_t k = 0; k < count; ++k) out[k] = inverse * (force[k + 1] - force[k]);
  }

  std::size_t n_;
  ChainParameters p_;
  TangentPattern pattern_;
  std::int32_t last_ = static_cast<std::int32_t>(n_) - 1;
};

}  // namespace cosimo::testing
