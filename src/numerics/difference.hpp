// The derivative of a function of one variable of which nothing is known but its values: central differences
// with shrinking steps, extrapolated to zero (Ridders, Adv. Eng. Software 4 (1982) 75).
//
//   double slope = derivative(t, [](double s) { return std::sin(s); });   // about 12 digits
//
// Steps begin at 0.06 (larger where the rounding of x asks for it) and go down by powers of three, so that
// functions which vary over anything between 1e-5 and 1 or more are differentiated well; smooth ones need a
// few rows only. Places where the function jumps or has no value do no harm once the steps are short enough.
// A plain difference with a very small step guards against an apparent limit of the large ones (a narrow
// peak). At a kink the result is the mean of both slopes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cosimo {

template <class Function>
double derivative(double x, Function&& f) {
  constexpr std::size_t most_rows = 12;
  constexpr double shrink = 3, rounding = 4 * std::numeric_limits<double>::epsilon();
  const double scale = std::max(1.0, 1e-3 * std::fabs(x));
  double size = 0;  // of the values met last
  const auto slope = [&](double h) {
    const double above = x + h, below = x - h, f_above = f(above), f_below = f(below);
    size = std::max(std::fabs(f_above), std::fabs(f_below));
    return (f_above - f_below) / (above - below);
  };

  const double least = 1e-6 * scale;
  const double guard = slope(least), guard_error = 1e-3 * std::fabs(guard) + rounding * size / least;
  double best = guard, best_error = std::numeric_limits<double>::infinity();
  std::array<double, most_rows> row{}, next{};
  std::size_t columns = 0;  // of `row`
  double h = 0.06 * scale;
  for (std::size_t k = 0; k < most_rows; ++k, h /= shrink) {
    next[0] = slope(h);
    if (!std::isfinite(next[0])) {
      columns = 0;
      continue;
    }
    const double floor = rounding * size / h;
    double factor = 1;
    for (std::size_t j = 1; j <= columns; ++j) {
      factor *= shrink * shrink;
      next[j] = next[j - 1] + (next[j - 1] - row[j - 1]) / (factor - 1);
      const double error =
          std::max(std::fabs(next[j] - next[j - 1]), std::fabs(next[j] - row[j - 1])) + floor;
      if (error < best_error && std::fabs(next[j] - guard) <= guard_error) {
        best = next[j];
        best_error = error;
      }
    }
    ++columns;
    std::swap(row, next);
    if (best_error <= 1e-12 * std::fabs(best) + 2 * floor) break;
  }
  return best;
}

}  // namespace cosimo
