#include "numerics/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace cosimo {
namespace {

double sum(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double number : numbers) sum.add(number);
  return sum.value();
}

TEST(ExactSum, SingleNumbersComeBack) {
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  constexpr double huge = std::numeric_limits<double>::max();
  for (const double x : {0.0, 1.0, -1.0, 0.1, tiny, -tiny, 3 * tiny, 2.2250738585072014e-308, huge, -huge,
                         1e-310, std::nextafter(1.0, 2.0), 4294967296.0, 1e22})
    EXPECT_EQ(sum({x}), x) << x;
}

TEST(ExactSum, CancellationLosesNothing) {
  EXPECT_EQ(sum({1e300, 1.0, -1e300}), 1.0);
  EXPECT_EQ(sum({1e308, 1e308, -1e308, -1e308, 5e-324}), 5e-324);
  EXPECT_EQ(sum({-1.0, 1e-200}), -1.0);
}

TEST(ExactSum, RoundsToNearestAndTiesToEven) {
  const double ulp = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(sum({1.0, ulp / 2}), 1.0);
  EXPECT_EQ(sum({1.0, ulp / 2, 1e-300}), 1.0 + ulp);
  EXPECT_EQ(sum({1.0 + ulp, ulp / 2}), 1.0 + 2 * ulp);
  EXPECT_EQ(sum({-1.0, -ulp / 2, -1e-300}), -1.0 - ulp);
  EXPECT_EQ(sum({2.0, -ulp / 2}), 2.0);
  EXPECT_EQ(sum({2.0, -ulp / 2, -1e-300}), 2.0 - ulp);
}

TEST(ExactSum, AgreesWithLongDoubleWhereThatIsExact) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> mantissa(-(1LL << 40U), 1LL << 40U);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> numbers(50);
    long double exact = 0;
    for (double& x : numbers) {
      x = std::ldexp(static_cast<double>(mantissa(random)), static_cast<int>(random() % 12));
      exact += x;
    }
    EXPECT_EQ(sum(numbers), static_cast<double>(exact));
  }
}

TEST(ExactSum, NeitherOrderNorGroupingMatters) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(1000);
  for (double& x : numbers) x = std::exp(20 * normal(random)) * normal(random);
  const double expected = sum(numbers);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    ExactSum left, right;
    const std::size_t cut = random() % numbers.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) (i < cut ? left : right).add(numbers[i]);
    for (std::size_t k = 0; k < ExactSum::size; ++k) left.words()[k] += right.words()[k];
    EXPECT_EQ(left.value(), expected);
  }
}

TEST(ExactSum, OverflowIsInfinite) {
  constexpr double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(sum({huge, huge}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum({huge, huge, -huge}), huge);
}

TEST(ExactSum, InfinitiesAndNans) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum({1.0, inf, inf}), inf);
  EXPECT_EQ(sum({-inf, 1.0}), -inf);
  EXPECT_TRUE(std::isnan(sum({inf, -inf})));
  EXPECT_TRUE(std::isnan(sum({std::nan(""), 1.0, inf})));
}

}  // namespace
}  // namespace cosimo
