#include "integrator/nvector_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/check.hpp"
#include "numerics/sums.hpp"

namespace cosimo::kernels {

namespace {

constexpr std::size_t max_terms = 8;

// Coefficients and pointers as local arrays of known length: the compiler keeps them in registers.
template <std::size_t T>
struct Terms {
  std::array<double, T> c;
  std::array<const double*, T> x;
  explicit Terms(const Combination& sum) {
    std::copy_n(sum.c, T, c.begin());
    std::copy_n(sum.x, T, x.begin());
  }
  double operator()(std::size_t i) const {
    double s = c[0] * x[0][i];
    for (std::size_t j = 1; j < T; ++j) s += c[j] * x[j][i];
    return s;
  }
};

template <std::size_t T>
void combine_terms(const Combination& sum, std::size_t first, std::size_t last, double* z) {
  const Terms<T> terms(sum);
#pragma GCC ivdep
  for (std::size_t i = first; i < last; ++i) z[i] = terms(i);
}

template <std::size_t T>
double square_sum_terms(const Combination& sum, const double* w, std::size_t length) {
  const Terms<T> terms(sum);
  return reproducible_sum(length, [&](std::size_t i) {
    const double x = w[i] * terms(i);
    return x * x;
  });
}

template <std::size_t K>
void chain_rows(const Chain& in, std::size_t length) {
  std::array<double, K> c;
  std::array<const double*, K> x;
  std::array<double*, K> z;
  std::copy_n(in.c, K, c.begin());
  std::copy_n(in.x, K, x.begin());
  std::copy_n(in.z, K, z.begin());
  const double e = in.e;
  const double* x_e = in.x_e;
#pragma GCC ivdep
  for (std::size_t i = 0; i < length; ++i) {
    double s = e * x_e[i];
    for (std::size_t j = 0; j < K; ++j) {
      s += c[j] * x[j][i];
      z[j][i] = s;
    }
  }
}

// table[k] is f<k + 1>.
template <std::size_t... I>
constexpr auto combine_table(std::index_sequence<I...>) {
  return std::array{&combine_terms<I + 1>...};
}
template <std::size_t... I>
constexpr auto square_sum_table(std::index_sequence<I...>) {
  return std::array{&square_sum_terms<I + 1>...};
}
template <std::size_t... I>
constexpr auto chain_table(std::index_sequence<I...>) {
  return std::array{&chain_rows<I + 1>...};
}
constexpr auto all_counts = std::make_index_sequence<max_terms>{};

}  // namespace

void combine(const Combination& sum, std::size_t first, std::size_t last, double* z) {
  static constexpr auto table = combine_table(all_counts);
  COSIMO_CHECK(sum.count >= 1 && sum.count <= max_terms, "terms of a linear combination");
  table[sum.count - 1](sum, first, last, z);
}

double weighted_square_sum(const Combination& sum, const double* w, std::size_t length) {
  static constexpr auto table = square_sum_table(all_counts);
  COSIMO_CHECK(sum.count >= 1 && sum.count <= max_terms, "terms of a linear combination");
  return table[sum.count - 1](sum, w, length);
}

void chain(const Chain& in, std::size_t length) {
  static constexpr auto table = chain_table(all_counts);
  COSIMO_CHECK(in.count >= 1 && in.count <= max_terms, "rows of a chain of sums");
  table[in.count - 1](in, length);
}

double error_weights(std::size_t n, const double* y, double rtol, double atol, double* w) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) w[i] = 1.0 / (rtol * std::abs(y[i]) + atol);
  return reproducible_sum(n, [&](std::size_t i) {
    const double x = w[i] * y[i];
    return x * x;
  });
}

}  // namespace cosimo::kernels
