// Axes with round ticks, and curves thinned to what a picture can show: private to results/.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "results/svg.hpp"

namespace cosimo {

struct Tick {
  double value = 0;
  std::string label;
};

/// The smallest of 1, 2, 5 times a power of ten that is at least `value` (> 0).
double round_up(double value);
/// The same with finer steps: two digits at most, a quarter above `value` at most.
double rounded_up(double value);

/// At most three significant digits.
std::string short_number(double value);

/// "10⁻³".
std::string power_of_ten(int exponent);

struct LinearTicks {
  std::vector<Tick> ticks;
  std::string factor;  ///< a common power of ten taken out of the labels, "10⁻³", or empty
};
/// About `wanted` ticks inside [low, high], at multiples of a round number.
LinearTicks linear_ticks(double low, double high, int wanted);

/// Ticks inside [low, high] (both > 0): powers of ten, with 2 and 5 between them when the range is short.
std::vector<Tick> logarithmic_ticks(double low, double high, int most);

/// Maps values to pixels.
struct Scale {
  double from = 0, to = 1;  ///< values
  double from_pixel = 0, to_pixel = 1;
  double operator()(double value) const {
    return from_pixel + (value - from) / (to - from) * (to_pixel - from_pixel);
  }
};

/// The curve (x(i), y(i)), i < n, x ascending, thinned to at most two points in each of `bins` equal
/// stretches of x: the lowest and the highest, so that no extreme is lost. A stretch without any finite
/// value interrupts the curve.
template <class X, class Y>
std::vector<CurvePoint> thinned(std::size_t n, X x, Y y, const Scale& scale, std::size_t bins) {
  std::vector<CurvePoint> result;
  const bool thin = n > 2 * bins;
  std::size_t current = 0, low_at = 0, high_at = 0;
  CurvePoint low, high;
  bool any = false, gap = false;
  const auto close_bin = [&] {
    if (any) {
      result.push_back(low_at <= high_at ? low : high);
      if (low_at != high_at) result.push_back(low_at <= high_at ? high : low);
    } else if (gap && !result.empty() && std::isfinite(result.back().y)) {
      result.push_back({0, std::nan("")});
    }
    any = gap = false;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double share = (x(i) - scale.from) / (scale.to - scale.from);
    const std::size_t bin =
        thin ? static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(bins)) : i;
    if (bin != current) close_bin();
    current = bin;
    const CurvePoint point{x(i), y(i)};
    if (!std::isfinite(point.y)) {
      gap = true;
      continue;
    }
    if (!any || point.y < low.y) {
      low = point;
      low_at = i;
    }
    if (!any || point.y > high.y) {
      high = point;
      high_at = i;
    }
    any = true;
  }
  close_bin();
  return result;
}

}  // namespace cosimo
