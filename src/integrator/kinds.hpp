// Sizes of coordinates of one kind, lengths or angles, where both are in one array.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/sums.hpp"

namespace cosimo {

/// Root mean square over the lengths or the angles of x; zero when there are none. `angles` as in System.
inline double root_mean_square(std::span<const double> x, std::span<const std::uint8_t> angles, bool angle) {
  const auto wanted = [&](std::size_t i) { return (!angles.empty() && angles[i] != 0) == angle; };
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += wanted(i) ? 1 : 0;
  if (count == 0) return 0;
  const double sum = reproducible_sum(x.size(), [&](std::size_t i) { return wanted(i) ? x[i] * x[i] : 0.0; });
  return std::sqrt(sum / static_cast<double>(count));
}

}  // namespace cosimo
