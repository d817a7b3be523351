#include "results/plot_axis.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cosimo {
namespace {

std::string labels(const std::vector<Tick>& ticks) {
  std::string result;
  for (const Tick& tick : ticks) result += (result.empty() ? "" : " ") + tick.label;
  return result;
}

TEST(PlotAxis, RoundsUpToRoundNumbers) {
  EXPECT_DOUBLE_EQ(round_up(0.0012), 0.002);
  EXPECT_DOUBLE_EQ(round_up(5), 5);
  EXPECT_DOUBLE_EQ(round_up(51), 100);
  EXPECT_DOUBLE_EQ(rounded_up(0.0021), 0.0025);
  EXPECT_DOUBLE_EQ(rounded_up(9.1), 10);
}

TEST(PlotAxis, LinearTicks) {
  EXPECT_EQ(labels(linear_ticks(0, 1, 5).ticks), "0 0.2 0.4 0.6 0.8 1.0");
  EXPECT_EQ(labels(linear_ticks(-25, 25, 5).ticks), "−20 −10 0 10 20");
  const LinearTicks small = linear_ticks(0, 1e-3, 4);
  EXPECT_EQ(labels(small.ticks), "0 0.5 1.0");
  EXPECT_EQ(small.factor, "10⁻³");
  EXPECT_EQ(linear_ticks(0, 2e12, 4).factor, "10¹²");
  EXPECT_TRUE(linear_ticks(1, 1, 5).ticks.empty());
  EXPECT_TRUE(linear_ticks(1e6, 1e6 * (1 + 1e-15), 5).ticks.empty());
  EXPECT_TRUE(linear_ticks(0, std::numeric_limits<double>::infinity(), 5).ticks.empty());
}

TEST(PlotAxis, LogarithmicTicks) {
  EXPECT_EQ(labels(logarithmic_ticks(1e-6, 1e-3, 6)), "10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³");
  EXPECT_EQ(labels(logarithmic_ticks(0.9e-5, 1.1e-4, 6)), "10⁻⁵ 2·10⁻⁵ 5·10⁻⁵ 10⁻⁴");
  EXPECT_EQ(labels(logarithmic_ticks(0.04, 0.3, 6)), "0.05 0.1 0.2");
  EXPECT_LE(logarithmic_ticks(1e-30, 1e3, 6).size(), 7u);
}

TEST(PlotAxis, ThinningKeepsExtremes) {
  const std::size_t n = 100000;
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = std::sin(1e-3 * static_cast<double>(i));
  y[33333] = 50;
  y[33334] = -70;
  y[n - 1] = 3;
  const auto points = thinned(
      n, [](std::size_t i) { return static_cast<double>(i); }, [&](std::size_t i) { return y[i]; },
      Scale{0, static_cast<double>(n - 1), 0, 1}, 100);
  ASSERT_LE(points.size(), 202u);
  const auto at = std::find_if(points.begin(), points.end(), [](const CurvePoint& p) { return p.y == 50; });
  ASSERT_NE(at, points.end());
  EXPECT_EQ(at->x, 33333);
  EXPECT_EQ((at + 1)->y, -70);
  EXPECT_EQ(points.back().y, 3);
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                             [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; }));
}

TEST(PlotAxis, ThinningInterruptsTheCurveOnlyWhereNothingIsKnown) {
  const auto shape = [](std::vector<double> y, std::size_t bins) {
    std::string result;
    for (const CurvePoint& p : thinned(
             y.size(), [](std::size_t i) { return static_cast<double>(i); },
             [&](std::size_t i) { return y[i]; }, Scale{0, static_cast<double>(y.size() - 1), 0, 1}, bins))
      result += std::isfinite(p.y) ? 'o' : '|';
    return result;
  };
  const double nan = std::nan("");
  EXPECT_EQ(shape({1, 2, nan, nan, 3, nan}, 10), "oo|o|");
  EXPECT_EQ(shape({nan, nan}, 10), "");
  EXPECT_EQ(shape({}, 10), "");
  std::vector<double> alternating(10000, nan);
  for (std::size_t i = 0; i < 10000; i += 2) alternating[i] = 1;
  EXPECT_LE(shape(alternating, 10).size(), 22u);
}

}  // namespace
}  // namespace cosimo
