#include "model/loads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cosimo {
namespace {

using std::numbers::pi;

template <class Load>
double force(const Load& load, double t) {
  return load.amplitude * load.value(t);
}

template <class Load>
void expect_rate_is_derivative(const Load& load, double t, double h) {
  const double difference = (force(load, t + h) - force(load, t - h)) / (2 * h);
  const double scale = std::fabs(load.amplitude) / h * 1e-9;
  EXPECT_NEAR(load.amplitude * load.rate(t), difference, 1e-5 * std::fabs(difference) + scale) << "t = " << t;
}

TEST(Harmonic, IsFormula211) {
  const Harmonic load{BodyId(0), 5e7, 500, 0.25};
  EXPECT_DOUBLE_EQ(force(load, 0.01), 5e7 * std::sin(5.25));
  for (const double t : {0.0, 1e-3, 0.02}) expect_rate_is_derivative(load, t, 1e-7);
}

TEST(Impulse, IsFormula213) {
  const Impulse load{BodyId(0), -1e6, 1e-4, 1e-3, 1e-6};
  const auto formula = [&](double t) {
    return -1e6 * 0.5 * (std::tanh((t - 1e-4) / 1e-6) - std::tanh((t - (1e-4 + 1e-3)) / 1e-6));
  };
  // Exactly, although tanh is not called where it is +-1.
  for (double t = 0; t < 1.3e-3; t += 1.3e-7) ASSERT_EQ(force(load, t), formula(t)) << t;
  EXPECT_EQ(force(load, 5e-4), -1e6);
  EXPECT_EQ(force(load, 0.5), 0);
  for (const double t : {9.9e-5, 1e-4, 1.007e-4, 1.0995e-3}) expect_rate_is_derivative(load, t, 1e-10);
  EXPECT_EQ(load.rate(5e-4), 0);
}

TEST(PowerSine, OddExponentKeepsTheSignEvenLosesIt) {
  const double quarter = -0.5 * pi;
  EXPECT_DOUBLE_EQ(force(PowerSine{BodyId(0), 2, 1, quarter, 95}, 0), -2);
  EXPECT_DOUBLE_EQ(force(PowerSine{BodyId(0), 2, 1, quarter, 4}, 0), 2);
  EXPECT_DOUBLE_EQ(force(PowerSine{BodyId(0), 2, 1, quarter, 2.5}, 0), -2);
}

TEST(PowerSine, RateIsDerivative) {
  for (const double exponent : {1.0, 2.0, 3.0, 95.0, 2.5, 1.5})
    for (const double t : {0.1, 0.7, 1.9, 2.4}) {
      const PowerSine load{BodyId(0), 3, 2, 0.3, exponent};
      expect_rate_is_derivative(load, t, 1e-6);
    }
}

TEST(Breakpoints, SurroundEveryEdge) {
  Loads loads;
  loads.harmonic.push_back({BodyId(0), 1, 1, 0});
  loads.impulse.push_back({BodyId(0), 1, 2.0, 1.0, 0.01});
  loads.impulse.push_back({BodyId(3), 7, 2.0, 1.0, 0.01});  // same instants, named once
  std::vector<double> expected;
  for (const double edge : {2.0, 3.0})
    for (const double place : {-18.0, -8.0, -4.0, -1.5, 0.0, 1.5, 4.0, 8.0, 18.0})
      expected.push_back(edge + place * 0.01);
  EXPECT_EQ(breakpoints(loads), expected);
  EXPECT_TRUE(breakpoints(Loads{}).empty());
}

TEST(Loads, SortByBodyKeepsTheOrderOnOneBody) {
  Loads loads;
  loads.harmonic = {{BodyId(2), 1, 0, 0}, {BodyId(0), 2, 0, 0}, {BodyId(2), 3, 0, 0}, {BodyId(0), 4, 0, 0}};
  sort_by_body(loads);
  std::vector<double> amplitudes;
  for (const Harmonic& load : loads.harmonic) amplitudes.push_back(load.amplitude);
  EXPECT_THAT(amplitudes, ::testing::ElementsAre(2, 4, 1, 3));
}

}  // namespace
}  // namespace cosimo
