// Sizes of coordinates of one kind, lengths or angles, where both are in one array.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/sums.hpp"

namespace cosimo {

struct KindSizes {
  double length = 0, angle = 0;
  double of(bool angles) const { return angles ? angle : length; }
};

/// Root mean squares over the lengths and over the angles of x; zero where there are none. `angles` as in
/// System.
inline KindSizes root_mean_squares(std::span<const double> x, std::span<const std::uint8_t> angles) {
  const auto size = [](double sum, std::size_t count) {
    return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
  };
  if (angles.empty())
    return {size(reproducible_sum(x.size(), [&](std::size_t i) { return x[i] * x[i]; }), x.size()), 0};
  double sums[2][8] = {};
  const auto add = [&](std::size_t i, std::size_t j) {
    const double square = x[i] * x[i];
    sums[0][j] += angles[i] != 0 ? 0.0 : square;
    sums[1][j] += angles[i] != 0 ? square : 0.0;
  };
  std::size_t turning = 0, i = 0;
  for (const std::uint8_t angle : angles) turning += angle != 0 ? 1 : 0;
  for (; i + 8 <= x.size(); i += 8)
    for (std::size_t j = 0; j < 8; ++j) add(i + j, j);
  for (std::size_t j = 0; i < x.size(); ++i, ++j) add(i, j);
  return {size(add_eight(sums[0]), x.size() - turning), size(add_eight(sums[1]), turning)};
}

}  // namespace cosimo
