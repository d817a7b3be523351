#include "series/course.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "series/spectrum.hpp"

namespace cosimo::series {
namespace {

using std::numbers::pi;

Course course(std::vector<double> t, std::vector<double> y) {
  return {std::make_shared<const std::vector<double>>(std::move(t)), std::move(y)};
}
template <class Function>
Course sampled(Function&& f, double end, std::size_t points, bool uneven = false) {
  std::vector<double> t, y;
  for (std::size_t i = 0; i < points; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(points - 1);
    t.push_back(end * (uneven ? s + 0.05 * std::sin(2 * pi * s) : s));
    y.push_back(f(t.back()));
  }
  return course(t, y);
}

TEST(Course, QuantilesAreThoseOfTheLines) {
  // One second from 0 to 2, one at 2, two from 2 to 1.
  const Course x = course({0, 1, 2, 4}, {0, 2, 2, 1});
  EXPECT_DOUBLE_EQ(quantile(x, 0), 0);
  EXPECT_DOUBLE_EQ(quantile(x, 0.125), 1);       // half a second below 1
  EXPECT_DOUBLE_EQ(quantile(x, 1.75 / 4), 1.5);  // then 2.5 seconds for the way to 2
  EXPECT_DOUBLE_EQ(quantile(x, 0.8), 2);         // within the level piece
  EXPECT_DOUBLE_EQ(quantile(x, 1), 2);
  EXPECT_EQ(quantile(course({0, 1}, {7, 7}), 0.3), 7);
  EXPECT_TRUE(std::isnan(quantile(course({1}, {7}), 0.5)));
}

TEST(Course, QuantilesDoNotMindWhereOutputsAreDense) {
  const Course even = course({0, 4}, {0, 8});
  const Course uneven = course({0, 0.1, 0.2, 0.3, 4}, {0, 0.2, 0.4, 0.6, 8});
  for (const double p : {0.01, 0.05, 0.3, 0.5, 0.99}) {
    EXPECT_NEAR(quantile(even, p), 8 * p, 1e-14);
    EXPECT_NEAR(quantile(uneven, p), 8 * p, 1e-14);
  }
  EXPECT_DOUBLE_EQ(mean(uneven), 4);
}

TEST(Course, AlmostLevelPiecesDoNotDisturbQuantiles) {
  const double hair = 1e-16;
  const Course x = course({0, 1, 2, 3, 7}, {0, hair, 0, hair, 4});
  EXPECT_NEAR(quantile(x, 5.0 / 7), 2, 1e-14);
}

TEST(Course, StretchesBeginAndEndWhereTheLinesCross) {
  const Course x = course({0, 1, 2, 3, 4, 5}, {-1, 1, 0, 1, -3, -3});
  const Stretches open = above(x, false);
  ASSERT_EQ(open.size(), 2U);  // it touches zero at 2
  EXPECT_DOUBLE_EQ(open[0].begin, 0.5);
  EXPECT_DOUBLE_EQ(open[0].end, 2);
  EXPECT_DOUBLE_EQ(open[1].end, 3.25);
  ASSERT_EQ(above(x, true).size(), 1U);
  const Stretches touch = above(course({0, 1, 2}, {-1, 0, -1}), true);
  ASSERT_EQ(touch.size(), 1U);
  EXPECT_EQ(touch[0].begin, 1);
  EXPECT_EQ(touch[0].end, 1);
  EXPECT_EQ(above(course({0, 1, 2}, {1, 1, 1}), false).front().end, 2);
}

TEST(Course, StretchesMeetAndJoin) {
  const Stretches a{{0, 2}, {3, 5}}, b{{1, 3.5}, {5, 6}};
  const Stretches meet = both(a, b), join = either(a, b);
  ASSERT_EQ(meet.size(), 2U);
  EXPECT_EQ(meet[1].begin, 3);
  EXPECT_EQ(meet[1].end, 3.5);
  ASSERT_EQ(join.size(), 1U);
  EXPECT_EQ(join[0].end, 6);
}

TEST(Spectrum, FindsOneOscillationToRounding) {
  // Not a whole number of periods, beside a drift, and with outputs where they please.
  const double f = 3.7123, size = 0.25;
  const auto x = [&](double t) { return 5 - 2 * t + size * std::cos(2 * pi * f * t + 1); };
  for (const bool uneven : {false, true}) {
    const Course all = sampled(x, 4.03, 1501, uneven);
    EXPECT_NEAR(dominant_frequency(all), f, 1e-13 * f) << uneven;
    EXPECT_NEAR(amplitude(all, f), size, 1e-12) << uneven;
  }
}

TEST(Spectrum, OthersHardlyDisturbIt) {
  const auto x = [&](double t) { return std::sin(2 * pi * 5 * t) + 0.7 * std::sin(2 * pi * 6.3 * t + 2); };
  const Course all = sampled(x, 20, 4001);
  EXPECT_NEAR(dominant_frequency(all), 5, 1e-6 * 5);
  EXPECT_NEAR(amplitude(all, 5), 1, 1e-5);
  EXPECT_NEAR(amplitude(all, 6.3), 0.7, 1e-5);
  EXPECT_NEAR(amplitude(all, 9), 0, 1e-5);
}

TEST(Spectrum, HasItsPeaksWhereTheOscillationsAre) {
  const auto x = [&](double t) { return 2 * std::sin(2 * pi * 8 * t) + 0.5 * std::cos(2 * pi * 20 * t) + 3; };
  const Course all = spectrum(sampled(x, 8, 1024));
  // A peak between two places of the spectrum loses up to 2.1 %.
  EXPECT_NEAR(value_at(all, 8), 2, 0.06);
  EXPECT_NEAR(value_at(all, 20), 0.5, 0.015);
  EXPECT_NEAR(value_at(all, 14), 0, 1e-4);
  EXPECT_NEAR(value_at(all, 0), 0, 1e-4);
}

TEST(Spectrum, KnowsWhatItCannotSay) {
  EXPECT_TRUE(std::isnan(dominant_frequency(sampled([](double) { return 3.0; }, 1, 100))));
  EXPECT_TRUE(std::isnan(dominant_frequency(sampled([](double t) { return 1e6 - 3 * t; }, 1, 100))));
  EXPECT_TRUE(std::isnan(dominant_frequency(sampled([](double t) { return std::sin(t); }, 1, 7))));
  EXPECT_TRUE(std::isnan(amplitude(sampled([](double t) { return std::sin(t); }, 1, 100), 0.5)));
  EXPECT_TRUE(spectrum(sampled([](double t) { return t; }, 1, 7)).y.empty());
}

}  // namespace
}  // namespace cosimo::series
