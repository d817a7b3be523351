// Everything the predictors compute is linear in the values of the history:
//
//   result_i = [u_{i,N}] + sum_{j >= 1} w_j (u_{i,N-j} - u_{i,N})
//
// with weights w_j that depend on the macro grid alone. They are computed once per step
// and applied to all variables in one sweep. Differences against the newest value are
// exact where it matters: a constant signal is predicted as that constant to the bit and
// has derivatives of exactly zero, and slowly varying signals lose no digits.
//
// Internal to signal/. All node lists are newest first: T_N, T_{N-1}, ...
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "signal/history.hpp"

namespace cosimo {

/// Most macro points that one weight vector spans; bounds the scratch on the stack.
inline constexpr std::size_t max_fit_points = 64;

/// Weights or nodes of at most max_fit_points macro points.
struct PointRow {
  std::array<double, max_fit_points> data;
  std::size_t size = 0;
  std::span<const double> span() const { return {data.data(), size}; }
  double operator[](std::size_t j) const { return data[j]; }
  double& operator[](std::size_t j) { return data[j]; }
};

/// The newest `points` macro times of the history.
PointRow newest_times(const History& history, std::size_t points);

/// Lagrange weights: the value at t of the polynomial through all nodes.
PointRow extrapolation_weights(std::span<const double> nodes, double t);

/// The value at t of the least-squares polynomial of the given degree, by unit vectors of the linear fit.
PointRow fit_weights(std::span<const double> nodes, int degree, double t);

/// prod_l factors[l] times the divided difference over all nodes; one factor per node but the last.
/// Factors and nodal distances are divided pairwise: no power of H is ever formed.
PointRow difference_weights(std::span<const double> nodes, std::span<const double> factors);

/// Whether the newest value itself is part of the result (weights that sum to one) or not (to zero).
enum class Lead { newest, none };

/// out_i = [u_{i,N}] + sum_{j >= 1} weights[j] (u_{i,N-j} - u_{i,N}).
void apply_weights(const History& history, const PointRow& weights, Lead lead, std::span<double> out);

}  // namespace cosimo
