#include "numerics/monotone_cubic.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// Inside, from the lengths h and the slopes d of the two intervals: their weighted harmonic mean, zero where
/// the points turn.
double inner_slope(double h0, double h1, double d0, double d1) {
  if (d0 == 0 || d1 == 0 || (d0 < 0) != (d1 < 0)) return 0;
  const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/// At an end, of the parabola through three points, held where it would leave the first interval's range.
double end_slope(double h0, double h1, double d0, double d1) {
  const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (d0 == 0 || slope * d0 <= 0) return 0;
  if ((d0 < 0) != (d1 < 0) && std::fabs(slope) > 3 * std::fabs(d0)) return 3 * d0;
  return slope;
}

}  // namespace

MonotoneCubic::MonotoneCubic(std::span<const double> x, std::span<const double> y) : knots_(x.size()) {
  const std::size_t n = x.size();
  COSIMO_CHECK(n >= 2 && y.size() == n, "a curve through " + std::to_string(n) + " arguments and " +
                                            std::to_string(y.size()) + " values");
  for (std::size_t i = 0; i < n; ++i) {
    COSIMO_CHECK(std::isfinite(x[i]) && std::isfinite(y[i]) && (i == 0 || x[i] > x[i - 1]),
                 "point " + std::to_string(i) + " of a curve is not finite or does not ascend");
    knots_[i].x = x[i];
    knots_[i].y = y[i];
  }
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto d = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  if (n == 2) {
    knots_[0].slope = knots_[1].slope = d(0);
  } else {
    knots_[0].slope = end_slope(h(0), h(1), d(0), d(1));
    for (std::size_t i = 1; i + 1 < n; ++i) knots_[i].slope = inner_slope(h(i - 1), h(i), d(i - 1), d(i));
    knots_[n - 1].slope = end_slope(h(n - 2), h(n - 3), d(n - 2), d(n - 3));
  }
  for (std::size_t i = 1; i < n; ++i) knots_[i].area = area(knots_[i - 1], knots_[i], x[i]);
}

const MonotoneCubic::Knot& MonotoneCubic::before(double x) const {
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), x,
                                      [](double value, const Knot& knot) { return value < knot.x; });
  return after == knots_.begin() ? *after : *(after - 1);
}

MonotoneCubic::Value MonotoneCubic::at(double x) const {
  const Knot& left = before(x);
  if (x < left.x || &left == &knots_.back()) return {left.y + left.slope * (x - left.x), left.slope};
  const Knot& right = *(&left + 1);
  const double h = right.x - left.x, s = (x - left.x) / h, d = (right.y - left.y) / h;
  // Hermite's form around the left point: y + slope h s + a s^2 + b s^3.
  const double a = 3 * d - 2 * left.slope - right.slope, b = left.slope + right.slope - 2 * d;
  return {left.y + h * s * (left.slope + s * (a + s * b)), left.slope + s * (2 * a + 3 * s * b)};
}

double MonotoneCubic::curvature(double x) const {
  const Knot& left = before(x);
  if (x < left.x || &left == &knots_.back()) return 0;
  const Knot& right = *(&left + 1);
  const double h = right.x - left.x, s = (x - left.x) / h, d = (right.y - left.y) / h;
  return (2 * (3 * d - 2 * left.slope - right.slope) + 6 * s * (left.slope + right.slope - 2 * d)) / h;
}

double MonotoneCubic::area(const Knot& left, const Knot& right, double x) {
  const double h = right.x - left.x, s = (x - left.x) / h, d = (right.y - left.y) / h;
  const double a = 3 * d - 2 * left.slope - right.slope, b = left.slope + right.slope - 2 * d;
  return left.area + h * s * (left.y + h * s * (left.slope / 2 + s * (a / 3 + s * b / 4)));
}

double MonotoneCubic::integral(double x) const {
  const Knot& left = before(x);
  if (x >= left.x && &left != &knots_.back()) return area(left, *(&left + 1), x);
  const double w = x - left.x;
  return left.area + w * (left.y + 0.5 * left.slope * w);
}

}  // namespace cosimo
