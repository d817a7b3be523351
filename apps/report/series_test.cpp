#include "apps/report/series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "apps/report/test_support.hpp"

namespace cosimo::page {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Thinner thinned(const std::vector<double>& y, std::size_t most) {
  Thinner thinner(y.size(), most);
  for (std::size_t i = 0; i < y.size(); ++i) thinner.push(static_cast<double>(i), y[i]);
  thinner.finish();
  return thinner;
}

TEST(Thinner, ShortCoursesStayWhole) {
  const std::vector<double> y = {3, 1, nan, 2};
  const Thinner thinner = thinned(y, 4);
  ASSERT_EQ(thinner.y().size(), 4u);
  EXPECT_EQ(thinner.t(), (std::vector<double>{0, 1, 2, 3}));
}

TEST(Thinner, EveryStretchKeepsItsExtremesAndTheirTimes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-1, 1);
  for (const std::size_t n : {101u, 1000u, 9999u}) {
    std::vector<double> y(n);
    for (double& v : y) v = value(random);
    y[n / 3] = 40;  // a peak of one value, as an impulse makes it
    y[n / 2] = -30;
    constexpr std::size_t most = 100;
    const Thinner thinner = thinned(y, most);
    EXPECT_LE(thinner.y().size(), most);
    EXPECT_GE(thinner.y().size(), most / 2);
    EXPECT_EQ(thinner.t().front(), 0);
    EXPECT_EQ(thinner.t().back(), static_cast<double>(n - 1));
    for (std::size_t i = 0; i < thinner.t().size(); ++i) {
      EXPECT_EQ(thinner.y()[i], y[static_cast<std::size_t>(thinner.t()[i])]) << "a value at its own time";
      if (i > 0) {
        EXPECT_LT(thinner.t()[i - 1], thinner.t()[i]);
      }
    }
    // Stretches as documented: equally many values each.
    constexpr std::size_t stretches = (most - 2) / 2;
    for (std::size_t s = 0; s < stretches; ++s) {
      double low = 2, high = -2, kept_low = 2, kept_high = -2;
      for (std::size_t i = 0; i < n; ++i)
        if (i * stretches / n == s) low = std::min(low, y[i]), high = std::max(high, y[i]);
      for (std::size_t i = 0; i < thinner.t().size(); ++i)
        if (static_cast<std::size_t>(thinner.t()[i]) * stretches / n == s)
          kept_low = std::min(kept_low, thinner.y()[i]), kept_high = std::max(kept_high, thinner.y()[i]);
      EXPECT_EQ(low, kept_low) << n << " " << s;
      EXPECT_EQ(high, kept_high) << n << " " << s;
    }
  }
}

TEST(Thinner, DivergedRunsKeepTheirInfinitiesAndTheFirstNaN) {
  std::vector<double> y(1000, 1.0);
  y[500] = std::numeric_limits<double>::infinity();
  for (std::size_t i = 501; i < 1000; ++i) y[i] = nan;
  const Thinner thinner = thinned(y, 50);
  EXPECT_LE(thinner.y().size(), 51u);
  bool infinite = false, first_nan = false;
  for (std::size_t i = 0; i < thinner.y().size(); ++i) {
    infinite = infinite || (std::isinf(thinner.y()[i]) && thinner.t()[i] == 500);
    first_nan = first_nan || (std::isnan(thinner.y()[i]) && thinner.t()[i] == 501);
  }
  EXPECT_TRUE(infinite && first_nan);
}

TEST(Numbers, AreListsWhenFewAndBase64WhenMany) {
  const std::vector<double> few = {1, nan, 0.1};
  EXPECT_EQ(numbers(std::span<const double>(few)).dump(), "[1.0,null,0.1]");
  std::vector<double> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = std::sqrt(static_cast<double>(i));
  many[7] = nan;
  many[8] = -std::numeric_limits<double>::infinity();
  const std::vector<double> back = test::decode(numbers(std::span<const double>(many)));
  ASSERT_EQ(back.size(), 100u);
  EXPECT_TRUE(std::isnan(back[7]) && std::isinf(back[8]));
  for (std::size_t i = 9; i < 100; ++i) EXPECT_EQ(back[i], many[i]);
  const std::vector<std::int32_t> counts(50, -3);
  EXPECT_EQ(test::decode(numbers(std::span<const std::int32_t>(counts))), std::vector<double>(50, -3));
}

TEST(Numbers, Base64IsThatOfTheStandard) {
  const auto encode = [](std::string_view text) { return base64(std::as_bytes(std::span(text))); };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

TEST(Numbers, TheirSizeIsKnownBefore) {
  for (const std::size_t n : {0u, 1u, 16u, 17u, 1000u, 4321u}) {
    const std::vector<double> y(n, -1.2345678901234567e-300);
    EXPECT_LE(numbers(std::span<const double>(y)).dump().size(), encoded_bytes(n, sizeof(double))) << n;
    Thinner thinner = thinned(y, n);
    EXPECT_LE(thinner.json().dump().size(), series_bytes(n)) << n;
    if (n > 16) {
      EXPECT_LE(series_bytes(points_in(series_bytes(n))), series_bytes(n));
    }
  }
}

}  // namespace
}  // namespace cosimo::page
