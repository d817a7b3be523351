#include "series/design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "core/check.hpp"
#include "core/error.hpp"

namespace cosimo::series {
namespace {

using testing::HasSubstr;

TEST(Sobol, GivesTheFirstPointsOfSciPy) {
  // scipy.stats.qmc.Sobol(7, scramble=False).random(8), SciPy 1.10.1
  const std::vector<std::vector<double>> expected{{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                                                  {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
                                                  {0.75, 0.25, 0.25, 0.25, 0.75, 0.75, 0.25},
                                                  {0.25, 0.75, 0.75, 0.75, 0.25, 0.25, 0.75},
                                                  {0.375, 0.375, 0.625, 0.875, 0.375, 0.125, 0.375},
                                                  {0.875, 0.875, 0.125, 0.375, 0.875, 0.625, 0.875},
                                                  {0.625, 0.125, 0.875, 0.625, 0.625, 0.875, 0.125},
                                                  {0.125, 0.625, 0.375, 0.125, 0.125, 0.375, 0.625}};
  EXPECT_EQ(unit_points(DesignKind::sobol, 7, 8, 0), expected);
}

TEST(Sobol, GivesTheLatePointsOfSciPyInAllDimensions) {
  const auto points = unit_points(DesignKind::sobol, 161, 4096, 0);
  EXPECT_EQ(points[4095][0], 0.000244140625);
  EXPECT_EQ(points[4095][160], 0.688232421875);
  EXPECT_EQ(points[3000][77], 0.831298828125);
  EXPECT_EQ(points[2049][120], 0.917236328125);
  EXPECT_EQ(points[1025][160], 0.95947265625);
  EXPECT_EQ(points[2500][9], 0.291748046875);
  // All coordinates of the first 256 points of Sobol(161, scramble=False), as multiples of 2^-30.
  std::uint64_t digest = 1469598103934665603ULL;
  for (std::size_t i = 0; i < 256; ++i)
    for (const double x : points[i])
      digest = (digest ^ static_cast<std::uint64_t>(std::ldexp(x, 30))) * 1099511628211ULL;
  EXPECT_EQ(digest, 0xda1da949aefd8f83ULL);
}

TEST(Sobol, ALongerSeriesOnlyAddsPoints) {
  const auto few = unit_points(DesignKind::sobol, 5, 10, 1), many = unit_points(DesignKind::sobol, 5, 300, 2);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], many[i]);
}

TEST(Sobol, RefusesMoreDimensionsThanItHas) {
  EXPECT_NO_THROW(unit_points(DesignKind::sobol, sobol_dimensions, 2, 0));
  try {
    unit_points(DesignKind::sobol, sobol_dimensions + 1, 2, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("162 quantities vary"));
    EXPECT_THAT(error.what(), HasSubstr("at most 161"));
    EXPECT_THAT(error.what(), HasSubstr("latin-hypercube"));
  }
}

TEST(LatinHypercube, HasOnePointPerSliceOfEveryCoordinate) {
  for (const std::size_t n : {1U, 2U, 3U, 49U, 1000U, 4097U}) {
    const auto points = unit_points(DesignKind::latin_hypercube, 6, n, 11);
    ASSERT_EQ(points.size(), n);
    for (std::size_t j = 0; j < 6; ++j) {
      std::set<std::size_t> slices;
      for (const auto& point : points) {
        EXPECT_GE(point[j], 0);
        EXPECT_LT(point[j], 1);
        slices.insert(static_cast<std::size_t>(std::floor(point[j] * static_cast<double>(n))));
      }
      EXPECT_EQ(slices.size(), n) << "coordinate " << j;
      EXPECT_EQ(*slices.rbegin(), n - 1);
    }
  }
}

TEST(LatinHypercube, TheSeedChoosesTheOrder) {
  const auto a = unit_points(DesignKind::latin_hypercube, 3, 50, 1);
  EXPECT_EQ(a, unit_points(DesignKind::latin_hypercube, 3, 50, 1));
  EXPECT_NE(a, unit_points(DesignKind::latin_hypercube, 3, 50, 2));
}

TEST(LatinHypercube, CoordinatesAreNotTied) {
  constexpr std::size_t n = 2000;
  const auto points = unit_points(DesignKind::latin_hypercube, 4, n, 5);
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b) {
      double covariance = 0;
      for (const auto& p : points) covariance += (p[a] - 0.5) * (p[b] - 0.5) / n;
      EXPECT_LT(std::abs(12 * covariance), 4 / std::sqrt(double{n})) << a << " and " << b;
    }
}

TEST(Random, ALongerSeriesOnlyAddsPoints) {
  const auto few = unit_points(DesignKind::random, 5, 10, 3),
             many = unit_points(DesignKind::random, 5, 300, 3);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], many[i]);
  EXPECT_NE(many, unit_points(DesignKind::random, 5, 300, 4));
  EXPECT_NE(many[0][0], many[0][1]);
}

TEST(Design, OnlyListsAndGridsHaveNoPoints) {
  EXPECT_THROW(unit_points(DesignKind::grid, 2, 4, 0), Bug);
  EXPECT_THROW(unit_points(DesignKind::list, 2, 4, 0), Bug);
}

TEST(Range, HasBothEndsExactly) {
  const std::vector<double> tenths = values({.from = 0.1, .to = 0.7, .points = 7});
  ASSERT_EQ(tenths.size(), 7U);
  EXPECT_EQ(tenths.front(), 0.1);
  EXPECT_EQ(tenths.back(), 0.7);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(tenths[i], 0.1 * static_cast<double>(i + 1), 1e-15);
  EXPECT_EQ(values({.from = 3, .to = 4, .points = 1}), std::vector<double>{3});
}

TEST(Range, LogarithmicOnesHaveEqualRatios) {
  const std::vector<double> decades = values({.from = 1e-2, .to = 1e3, .points = 6, .log = true});
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_DOUBLE_EQ(decades[i], std::pow(10.0, static_cast<double>(i) - 2));
  EXPECT_EQ(decades.back(), 1e3);
  EXPECT_DOUBLE_EQ(from_unit({.from = -1, .to = -16, .log = true}, 0.5), -4);
  EXPECT_EQ(from_unit({.from = 2, .to = 6}, 0.25), 3);
}

TEST(Range, RefusesWhatHasNoValues) {
  const auto problem = [](const Range& range) -> std::string {
    try {
      check(range);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(problem({.from = 1, .to = 2, .log = true}), "");
  EXPECT_EQ(problem({.from = 2, .to = 1}), "");
  EXPECT_EQ(problem({.from = 2, .to = 2, .points = 1}), "");
  EXPECT_THAT(problem({.from = nan, .to = 2}), HasSubstr("must be finite"));
  EXPECT_THAT(problem({.from = 2, .to = 2}), HasSubstr("are the same"));
  EXPECT_THAT(problem({.from = 1, .to = 2, .points = 0}), HasSubstr("without points"));
  for (const Range& range : {Range{0, 1, 2, true}, Range{1, 0, 2, true}, Range{-1, 1, 2, true}})
    EXPECT_THAT(problem(range), HasSubstr("logarithmic scale"));
}

}  // namespace
}  // namespace cosimo::series
