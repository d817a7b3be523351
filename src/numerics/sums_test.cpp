#include "numerics/sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/random.hpp"

namespace cosimo {
namespace {

TEST(ReproducibleSum, IsExactOnIntegersForEveryLength) {
  for (std::size_t n = 0; n < 40; ++n)
    EXPECT_EQ(reproducible_sum(n, [](std::size_t i) { return static_cast<double>(i + 1); }),
              static_cast<double>(n * (n + 1) / 2));
}

TEST(ReproducibleSum, AddsInTheDocumentedOrder) {
  const RandomStream random(3, 1);
  const auto f = [&random](std::size_t i) { return random.uniform(i, -1, 1); };
  constexpr std::size_t n = 1003;
  volatile double s[8] = {};  // volatile: one addition at a time, whatever the compiler would like
  for (std::size_t i = 0; i < n; ++i) s[i % 8] = s[i % 8] + f(i);
  EXPECT_EQ(reproducible_sum(n, f), ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));
}

TEST(WrmsNorm, IsTheFormula) {
  const std::vector<double> error{0.1, -0.2, 0.4}, value{1, -3, 0};
  const double a = 0.1 / 0.11, b = 0.2 / 0.31, c = 0.4 / 0.01;
  EXPECT_DOUBLE_EQ(wrms_norm(error, value, 0.1, 0.01), std::sqrt((a * a + b * b + c * c) / 3));
}

TEST(WrmsNorm, OfWeightsIsOneForEveryLength) {
  for (const std::size_t n : {1u, 7u, 8u, 9u, 1000u}) {
    std::vector<double> value(n), error(n);
    for (std::size_t i = 0; i < n; ++i) {
      value[i] = std::sin(static_cast<double>(i));
      error[i] = 1e-6 + 1e-4 * std::abs(value[i]);
    }
    EXPECT_DOUBLE_EQ(wrms_norm(error, value, 1e-4, 1e-6), 1.0);
  }
}

TEST(WrmsNorm, KnowsEmptyAndNotFinite) {
  EXPECT_EQ(wrms_norm({}, {}, 1e-4, 1e-6), 0.0);
  const std::vector<double> error{1.0, std::numeric_limits<double>::quiet_NaN()}, value{1.0, 1.0};
  EXPECT_TRUE(std::isnan(wrms_norm(error, value, 1e-4, 1e-6)));
}

}  // namespace
}  // namespace cosimo
