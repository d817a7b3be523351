#include "mechanics/prescribed_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cosimo {

namespace {

constexpr int nodes = 9, fewer_nodes = 7;
constexpr double first_step = 0.8, shrink = 0.3, least_step = 1e-7;
constexpr double agreement = 1e-13;   // of seven and nine nodes, in units of value / step^2
constexpr double consistency = 1e-6;  // of two steps, likewise

using Nodes = std::array<double, nodes>;

/// Offsets from t that are inside [low, high), nearest first; false when the stretch is too short.
bool place(double t, double h, double low, double high, Nodes& offset) {
  double shift = 0;
  constexpr int half = nodes / 2;
  if (t - half * h < low) shift = std::ceil((low - t) / h + half);
  if (t + half * h >= high) shift = -(std::floor((t - high) / h + half) + 1);
  for (int i = 0; i < nodes; ++i) {
    const double at = t + (shift + i - half) * h;
    if (at < low || at >= high) return false;
    offset[static_cast<std::size_t>(i)] = at - t;  // as it was rounded
  }
  std::sort(offset.begin(), offset.end(),
            [](double a, double b) { return std::pair(std::fabs(a), a) < std::pair(std::fabs(b), b); });
  return true;
}

struct Derivatives {
  double first = 0, second = 0;
};

/// Of two pairs of derivatives, in units of the values.
double distance(const Derivatives& a, const Derivatives& b, double h) {
  return h * std::fabs(a.first - b.first) + h * h * std::fabs(a.second - b.second);
}

/// Weights for derivatives 0, 1, 2 at zero, node after node; `fewer` are those through the first seven.
struct Estimate {
  Derivatives full, fewer;
};
Estimate differentiate(const Nodes& x, const Nodes& f) {
  std::array<std::array<double, 3>, nodes> weight{};
  const auto sum = [&](std::size_t count) {
    Derivatives d;
    for (std::size_t i = 0; i < count; ++i) {
      d.first += weight[i][1] * f[i];
      d.second += weight[i][2] * f[i];
    }
    return d;
  };
  Estimate out;
  weight[0][0] = 1;
  double scale = 1;  // product of the distances of the node before to its predecessors
  for (std::size_t i = 1; i < nodes; ++i) {
    double product = 1;
    const std::array<double, 3> before = weight[i - 1];
    for (std::size_t j = 0; j < i; ++j) {
      const double gap = x[i] - x[j];
      product *= gap;
      for (std::size_t k = 3; k-- > 0;) {
        const double lower = k > 0 ? static_cast<double>(k) * weight[j][k - 1] : 0.0;
        weight[j][k] = (x[i] * weight[j][k] - lower) / gap;
      }
    }
    for (std::size_t k = 3; k-- > 0;) {
      const double lower = k > 0 ? static_cast<double>(k) * before[k - 1] : 0.0;
      weight[i][k] = scale / product * (lower - x[i - 1] * before[k]);
    }
    scale = product;
    if (i + 1 == fewer_nodes) out.fewer = sum(fewer_nodes);
  }
  out.full = sum(nodes);
  return out;
}

}  // namespace

PrescribedMotion::PrescribedMotion(const Expression& formula, std::vector<double> breakpoints)
    : formula_(formula), breakpoints_(std::move(breakpoints)) {
  std::sort(breakpoints_.begin(), breakpoints_.end());
}

double PrescribedMotion::value(double t) const {
  return formula_(std::array{t});
}

double PrescribedMotion::next_breakpoint(double t) const {
  const auto next = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), t);
  return next == breakpoints_.end() ? std::numeric_limits<double>::infinity() : *next;
}

PrescribedMotion::State PrescribedMotion::at(double t) const {
  const double high = next_breakpoint(t);
  double low = t >= 0 ? 0.0 : -std::numeric_limits<double>::infinity();
  if (const auto next = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), t);
      next != breakpoints_.begin())
    low = std::max(low, *std::prev(next));

  State state{value(t), 0, 0};
  if (formula_.is_constant()) return state;
  double best = std::numeric_limits<double>::infinity(), previous_step = 0;
  bool resolved = false;
  Derivatives previous;
  Nodes x, f;
  for (double h = first_step; h > least_step; h *= shrink) {
    if (!place(t, h, low, high, x)) continue;
    double size = std::numeric_limits<double>::min();
    for (std::size_t i = 0; i < nodes; ++i) {
      f[i] = value(t + x[i]);
      size = std::max(size, std::fabs(f[i]));
    }
    const Estimate estimate = differentiate(x, f);
    const double error = distance(estimate.full, estimate.fewer, h);
    if (!std::isfinite(error)) continue;
    // Two steps must agree: values taken once per period of the formula look constant.
    const bool consistent =
        previous_step > 0 && distance(estimate.full, previous, previous_step) <= consistency * size;
    // Rounding grows with the inverse square of the step; it decides among steps that resolve the formula.
    const double loss = error / (consistent ? h * h : size);
    if ((consistent && !resolved) || (consistent == resolved && loss < best)) {
      best = loss;
      state.rate = estimate.full.first;
      state.acceleration = estimate.full.second;
    }
    resolved = resolved || consistent;
    if (consistent && error <= agreement * size) break;
    previous = estimate.full;
    previous_step = h;
  }
  return state;
}

}  // namespace cosimo
