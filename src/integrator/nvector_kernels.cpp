#include "integrator/nvector_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/check.hpp"

namespace cosimo::kernels {

namespace {

constexpr std::size_t max_terms = 8;

// A cache line of numbers. Sums keep one partial sum per position in it and add them in the fixed
// tree of numerics/sums.hpp: the same bits whatever the machine's vectors are. (Left to itself the
// compiler does not vectorise such loops, and they cost more than the sums they measure.)
constexpr std::size_t line = 8;
using Line [[gnu::vector_size(line * sizeof(double)), gnu::may_alias]] = double;

const Line& load(const double* x, std::size_t i) {
  return *reinterpret_cast<const Line*>(x + i);
}

double add_lanes(const Line& s) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

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
  Line squares{};
  for (std::size_t i = 0; i < length; i += line) {
    Line x = terms.c[0] * load(terms.x[0], i);
    for (std::size_t j = 1; j < T; ++j) x += terms.c[j] * load(terms.x[j], i);
    x *= load(w, i);
    squares += x * x;
  }
  return add_lanes(squares);
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
  Line squares{};
  std::size_t i = 0;
  for (; i + line <= n; i += line) {
    const Line x = load(y, i);
    const Line weight = 1.0 / (rtol * (x < 0 ? -x : x) + atol);
    *reinterpret_cast<Line*>(w + i) = weight;
    const Line scaled = weight * x;
    squares += scaled * scaled;
  }
  for (std::size_t j = 0; i < n; ++i, ++j) {
    w[i] = 1.0 / (rtol * std::abs(y[i]) + atol);
    squares[j] += (w[i] * y[i]) * (w[i] * y[i]);
  }
  return add_lanes(squares);
}

}  // namespace cosimo::kernels
