#include "signal/weights.hpp"

#include <algorithm>
#include <string>

#include "core/check.hpp"
#include "numerics/polynomial.hpp"

namespace cosimo {

PointRow newest_times(const History& history, std::size_t points) {
  COSIMO_CHECK(
      points <= std::min(history.size(), max_fit_points),
      std::to_string(points) + " macro points asked of a history with " + std::to_string(history.size()));
  PointRow nodes;
  nodes.size = points;
  for (std::size_t j = 0; j < points; ++j) nodes[j] = history.time(j);
  return nodes;
}

PointRow extrapolation_weights(std::span<const double> nodes, double t) {
  PointRow weights;
  weights.size = nodes.size();
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    weights[j] = 1;
    for (std::size_t l = 0; l < nodes.size(); ++l)
      if (l != j) weights[j] *= (t - nodes[l]) / (nodes[j] - nodes[l]);
  }
  return weights;
}

PointRow fit_weights(std::span<const double> nodes, int degree, double t) {
  PointRow weights, unit;
  weights.size = unit.size = nodes.size();
  std::fill_n(unit.data.begin(), unit.size, 0.0);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    unit[j] = 1;
    weights[j] = least_squares_at(t, degree, nodes, unit.span());
    unit[j] = 0;
  }
  return weights;
}

PointRow difference_weights(std::span<const double> nodes, std::span<const double> factors) {
  PointRow weights;
  weights.size = nodes.size();
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    weights[j] = 1;
    for (std::size_t l = 0, f = 0; l < nodes.size(); ++l)
      if (l != j) weights[j] *= factors[f++] / (nodes[j] - nodes[l]);
  }
  return weights;
}

void apply_weights(const History& history, const PointRow& weights, Lead lead, std::span<double> out) {
  COSIMO_CHECK(out.size() == history.variables(), std::to_string(out.size()) + " places for " +
                                                      std::to_string(history.variables()) + " variables");
  constexpr std::size_t block = 512;  // the running sums stay in the first-level cache
  const double* const newest = history.values(0).data();
  for (std::size_t first = 0; first < out.size(); first += block) {
    const std::size_t n = std::min(block, out.size() - first);
    const double* const u_newest = newest + first;
    double* __restrict const sum = out.data() + first;
    std::fill_n(sum, n, 0.0);
    for (std::size_t j = 1; j < weights.size; ++j) {
      const double w = weights[j];
      const double* const u = history.values(j).data() + first;
      for (std::size_t i = 0; i < n; ++i) sum[i] += w * (u[i] - u_newest[i]);
    }
    if (lead == Lead::newest)
      for (std::size_t i = 0; i < n; ++i) sum[i] += u_newest[i];
  }
}

}  // namespace cosimo
