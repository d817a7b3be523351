// Systems for the tests of IDA beyond the chain of integrator/testing.hpp.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "integrator/system.hpp"

namespace cosimo::testing {

/// Masses, each tied to the ground, with springs between any two of them: trees and rings.
class Network final : public System {
 public:
  Network(std::size_t n, std::vector<Edge> edges) : pattern_(n, std::move(edges)) {}
  std::size_t size() const override { return pattern_.size(); }
  const TangentPattern& pattern() const override { return pattern_; }
  std::size_t reach() const override { return size(); }
  bool acceleration(double, const double* q, const double* v, double* a, Range dofs) const override {
    std::vector<double> f(size());
    for (std::size_t i = 0; i < size(); ++i) f[i] = -q[i] - 0.1 * v[i];
    for (const Edge& e : pattern_.edges()) {
      const auto i = static_cast<std::size_t>(e.a), j = static_cast<std::size_t>(e.b);
      const double x = q[j] - q[i], force = 20 * x + 5 * x * x * x + 0.2 * (v[j] - v[i]);
      f[i] += force;
      f[j] -= force;
    }
    for (std::size_t i = dofs.first; i < dofs.last; ++i) a[i] = f[i] / mass(i);
    return true;
  }
  void tangent(double, const double* q, const double*, Tangent& out) const override {
    for (std::size_t i = 0; i < size(); ++i) {
      out.mass[i] = mass(i);
      out.k_diag[i] = 1;
      out.c_diag[i] = 0.1;
    }
    for (std::size_t e = 0; e < pattern_.edges().size(); ++e) {
      const auto [a, b] = pattern_.edges()[e];
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      const double x = q[j] - q[i], k = 20 + 15 * x * x;
      out.k_edge[e] = -k;
      out.c_edge[e] = -0.2;
      for (std::size_t d : {i, j}) {
        out.k_diag[d] += k;
        out.c_diag[d] += 0.2;
      }
    }
  }
  void time_derivative(double, const double*, const double*, double* a_t) const override {
    std::fill_n(a_t, size(), 0.0);
  }
  std::span<const std::int32_t> driven() const override { return {}; }
  double next_breakpoint(double) const override { return std::numeric_limits<double>::infinity(); }

 private:
  static double mass(std::size_t i) { return 1 + 0.1 * static_cast<double>(i % 7); }
  TangentPattern pattern_;
};

/// A branched tree on nine masses with numbers in no particular order.
inline std::vector<Edge> branched_tree() {
  return {{0, 5}, {2, 5}, {1, 2}, {2, 7}, {3, 7}, {4, 7}, {6, 8}, {5, 8}};
}

}  // namespace cosimo::testing
