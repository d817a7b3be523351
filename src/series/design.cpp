#include "series/design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "series/sobol.hpp"

namespace cosimo::series {

namespace {

using Points = std::vector<std::vector<double>>;

/// Streams of a design, so that no two coordinates share numbers.
constexpr std::uint64_t streams = 0x5EE9;
RandomStream stream_of(std::uint64_t seed, std::size_t dimension, std::uint64_t use) {
  return {seed, (streams << 40) + 2 * dimension + use};
}

Points random(std::size_t dimensions, std::size_t n, std::uint64_t seed) {
  Points out(n, std::vector<double>(dimensions));
  for (std::size_t j = 0; j < dimensions; ++j) {
    const RandomStream stream = stream_of(seed, j, 0);
    for (std::size_t i = 0; i < n; ++i) out[i][j] = stream.uniform(i);
  }
  return out;
}

/// 0 ... n-1 in an order of its own.
std::vector<std::size_t> shuffled(std::size_t n, const RandomStream& stream) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(stream.uniform(i) * static_cast<double>(i))]);
  return order;
}

Points latin_hypercube(std::size_t dimensions, std::size_t n, std::uint64_t seed) {
  // Points keep this far from the borders of their slices, of which they have one: rounding moves none
  // across.
  constexpr double margin = 0x1p-24;
  Points out(n, std::vector<double>(dimensions));
  for (std::size_t j = 0; j < dimensions; ++j) {
    const std::vector<std::size_t> slice = shuffled(n, stream_of(seed, j, 0));
    const RandomStream within = stream_of(seed, j, 1);
    for (std::size_t i = 0; i < n; ++i)
      out[i][j] =
          (static_cast<double>(slice[i]) + within.uniform(i, margin, 1 - margin)) / static_cast<double>(n);
  }
  return out;
}

Points sobol(std::size_t dimensions, std::size_t n) {
  if (dimensions > sobol_dimensions)
    throw Error(
        Fault{.field = "sweep.design",
              .value = std::to_string(dimensions) + " quantities vary",
              .problem = "Sobol' points have at most " + std::to_string(sobol_dimensions) + " coordinates",
              .remedy = "vary fewer quantities, or use `latin-hypercube` or `random`"});
  COSIMO_CHECK(n <= (std::size_t{1} << sobol_bits), "Sobol' points");
  Points out(n, std::vector<double>(dimensions));
  for (std::size_t j = 0; j < dimensions; ++j) {
    const auto direction = direction_numbers(j);
    for (std::size_t i = 0; i < n; ++i) {
      std::uint32_t x = 0;
      std::size_t gray = i ^ (i >> 1);
      for (int k = 0; gray != 0; ++k, gray >>= 1)
        if ((gray & 1) != 0) x ^= direction[static_cast<std::size_t>(k)];
      out[i][j] = std::ldexp(static_cast<double>(x), -sobol_bits);
    }
  }
  return out;
}

}  // namespace

std::vector<std::vector<double>> unit_points(DesignKind kind, std::size_t dimensions, std::size_t n,
                                             std::uint64_t seed) {
  COSIMO_CHECK(kind != DesignKind::grid && kind != DesignKind::list, "points of a design without any");
  if (kind == DesignKind::sobol) return sobol(dimensions, n);
  return kind == DesignKind::random ? random(dimensions, n, seed) : latin_hypercube(dimensions, n, seed);
}

void check(const Range& range) {
  if (!std::isfinite(range.from) || !std::isfinite(range.to))
    throw Error(Fault{.problem = "the ends of a range must be finite", .remedy = "write two numbers"});
  if (range.points == 0)
    throw Error(Fault{.problem = "a range without points", .remedy = "write points: 2 or more"});
  if (range.from == range.to && range.points > 1)
    throw Error(Fault{.problem = "both ends of the range are the same",
                      .remedy = "write another end, or the value alone"});
  if (range.log && (range.from == 0 || range.to == 0 || (range.from > 0) != (range.to > 0)))
    throw Error(Fault{.problem = "a logarithmic scale needs ends that are not zero and have the same sign",
                      .remedy = "begin above 0, or leave out `scale: log`"});
}

double from_unit(const Range& range, double unit) {
  if (range.log) return range.from * std::pow(range.to / range.from, unit);
  return range.from + (range.to - range.from) * unit;
}

std::vector<double> values(const Range& range) {
  std::vector<double> out(range.points, range.from);
  for (std::size_t i = 1; i < out.size(); ++i)
    out[i] = i + 1 == out.size()
                 ? range.to
                 : from_unit(range, static_cast<double>(i) / static_cast<double>(out.size() - 1));
  return out;
}

}  // namespace cosimo::series
