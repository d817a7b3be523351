// Sums whose bits depend on the numbers alone: eight interleaved partial sums over
// fixed positions, added in a fixed tree. The compiler may use any vector width.
#pragma once

#include <cstddef>
#include <span>

namespace cosimo {

/// The sum of eight partial sums.
inline double add_eight(const double* s) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/// sum_i f(i) for i in [0, n); f must be inlineable and free of side effects.
template <class F>
double reproducible_sum(std::size_t n, F f) {
  double s[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t j = 0; j < 8; ++j) s[j] += f(i + j);
  for (std::size_t j = 0; i < n; ++i, ++j) s[j] += f(i);
  return add_eight(s);
}

/// Weighted root-mean-square norm (3.21): sqrt(mean((e_i / (atol + rtol |y_i|))^2)). Zero for empty input.
double wrms_norm(std::span<const double> error, std::span<const double> value, double rtol, double atol);

}  // namespace cosimo
