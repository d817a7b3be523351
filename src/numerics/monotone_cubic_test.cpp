#include "numerics/monotone_cubic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "core/random.hpp"

namespace cosimo {
namespace {

using Points = std::vector<double>;

TEST(MonotoneCubic, PassesThroughItsPointsAndKeepsLines) {
  const Points x{-2, -0.5, 0, 3, 3.25}, y{1, -4, 2, 2.5, 10};
  const MonotoneCubic curve(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(curve(x[i]), y[i]);
  Points line;
  for (const double value : x) line.push_back(3 - 2 * value);
  const MonotoneCubic straight(x, line);
  for (double at = -10; at < 10; at += 0.37) {
    EXPECT_NEAR(straight(at), 3 - 2 * at, 1e-14 * (3 + 2 * std::fabs(at)));
    EXPECT_NEAR(straight.at(at).slope, -2, 1e-14);
  }
}

TEST(MonotoneCubic, HasTheSlopesOfFritschAndButland) {
  // Intervals 1, 2 with slopes 1, 2: weights 5 and 4, harmonic mean 9 / (5 + 2) = 9/7; ends (4 - 2) / 3 and
  // (10 - 2) / 3 by the parabola.
  const MonotoneCubic curve(Points{0, 1, 3}, Points{0, 1, 5});
  EXPECT_NEAR(curve.at(0).slope, 2.0 / 3, 1e-15);
  EXPECT_NEAR(curve.at(1).slope, 9.0 / 7, 1e-15);
  EXPECT_NEAR(curve.at(3).slope, 8.0 / 3, 1e-15);
  // Where the points turn it is flat; an end that would turn first is flat, and one too steep is held.
  const MonotoneCubic turning(Points{0, 1, 2, 3}, Points{0, 1, 0.5, 0.4});
  EXPECT_EQ(turning.at(1).slope, 0);
  EXPECT_NEAR(turning.at(0).slope, 1.75, 1e-15);
  const MonotoneCubic steep(Points{0, 1, 2}, Points{0, 1, -9});
  EXPECT_NEAR(steep.at(0).slope, 3, 1e-15);
  const MonotoneCubic flat(Points{0, 1, 2}, Points{0, 1, 9});
  EXPECT_EQ(flat.at(0).slope, 0);
}

TEST(MonotoneCubic, NeverLeavesTheRangeOfTwoNeighbours) {
  const RandomStream random(7, 1);
  for (std::size_t round = 0; round < 50; ++round) {
    Points x{0}, y{0};
    for (std::size_t i = 0; i < 12; ++i) {
      x.push_back(x.back() + 1e-3 + random.uniform(100 * round + 2 * i));
      y.push_back(std::pow(10, 6 * random.uniform(100 * round + 2 * i + 1) - 3) * (i % 3 == 0 ? -1 : 1));
    }
    const MonotoneCubic curve(x, y);
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const auto [low, high] = std::minmax(y[i], y[i + 1]);
      double before = y[i];
      for (int k = 1; k <= 40; ++k) {
        const double value = curve(x[i] + (x[i + 1] - x[i]) * k / 40);
        const double rounding = 1e-13 * (high - low + std::fabs(low));
        EXPECT_GE((value - before) * (y[i + 1] - y[i] < 0 ? -1 : 1), -rounding);
        EXPECT_GE(value, low - rounding);
        EXPECT_LE(value, high + rounding);
        before = value;
      }
    }
  }
}

TEST(MonotoneCubic, DerivativeAndIntegralAreExact) {
  const MonotoneCubic curve(Points{-1, 0, 0.5, 2, 2.1}, Points{-3, 0, 4, 5, -1});
  const double d = 1e-6;
  for (double at = -2.0037; at < 3; at += 0.09) {
    EXPECT_NEAR((curve(at + d) - curve(at - d)) / (2 * d), curve.at(at).slope, 1e-6);
    EXPECT_NEAR((curve.integral(at + d) - curve.integral(at - d)) / (2 * d), curve(at), 1e-7);
  }
  EXPECT_EQ(curve.integral(-1), 0);
  // No jump at the points, from either side.
  for (const double knot : {-1.0, 0.0, 0.5, 2.0, 2.1}) {
    const double below = std::nextafter(knot, -10), above = std::nextafter(knot, 10);
    EXPECT_NEAR(curve.at(below).slope, curve.at(above).slope, 1e-11);
    EXPECT_NEAR(curve.integral(below), curve.integral(above), 1e-13);
  }
}

TEST(MonotoneCubic, GoesOnAsALineBeyondItsEnds) {
  const MonotoneCubic curve(Points{0, 1, 3}, Points{0, 1, 5});
  EXPECT_NEAR(curve(-3), -2, 1e-14);
  EXPECT_NEAR(curve.at(6).slope, 8.0 / 3, 1e-14);
  EXPECT_NEAR(curve(6), 13, 1e-14);
  EXPECT_NEAR(curve.integral(6) - curve.integral(3), 27, 1e-12);
  const MonotoneCubic two(Points{1, 2}, Points{4, 6});
  EXPECT_EQ(two(0), 2);
  EXPECT_EQ(two(3), 8);
}

TEST(MonotoneCubic, RefusesWhatIsNoCurve) {
  EXPECT_THROW(MonotoneCubic(Points{1}, Points{1}), Bug);
  EXPECT_THROW(MonotoneCubic(Points{1, 2}, Points{1}), Bug);
  EXPECT_THROW(MonotoneCubic(Points{1, 1}, Points{1, 2}), Bug);
  EXPECT_THROW(MonotoneCubic(Points{1, std::numeric_limits<double>::quiet_NaN()}, Points{1, 2}), Bug);
}

}  // namespace
}  // namespace cosimo
