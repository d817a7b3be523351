#include "signal/predictor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "core/check.hpp"
#include "core/random.hpp"

namespace cosimo {
namespace {

using Signal = std::function<double(std::size_t variable, double t)>;

/// Macro points that end at T_N = 0.3 and whose distances vary between H/2 and 2 H.
History sample(const Signal& u, std::size_t variables, std::size_t points, double H = 0.1) {
  const RandomStream random(17, 3);
  std::vector<double> times(points, 0.3);
  for (std::size_t j = 1; j < points; ++j) times[j] = times[j - 1] - H * random.uniform(j, 0.5, 2.0);
  History history(variables, points);
  std::vector<double> values(variables);
  for (std::size_t j = points; j-- > 0;) {
    for (std::size_t i = 0; i < variables; ++i) values[i] = u(i, times[j]);
    history.push(times[j], values);
  }
  return history;
}

double power(double t, int k) {
  return k == 0 ? 1.0 : std::pow(t, k);
}

/// Variable i is a polynomial of degree k with its own coefficients.
Signal polynomial_signal(int k) {
  return [k](std::size_t i, double t) {
    double value = 0;
    for (int j = 0; j <= k; ++j) value += (1.0 + static_cast<double>(i) / 10 - j) * power(t, j);
    return value;
  };
}

class Degree : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Upto, Degree, testing::Range(0, max_degree + 1));

TEST_P(Degree, ExtrapolationReproducesPolynomials) {
  const int k = GetParam();
  const auto u = polynomial_signal(k);
  const History history = sample(u, 13, 8);
  std::vector<double> predicted(13);
  predict(history, 0.45, k, {}, predicted);
  for (std::size_t i = 0; i < 13; ++i) EXPECT_NEAR(predicted[i], u(i, 0.45), 1e-12 * std::pow(4, k)) << i;
}

TEST_P(Degree, FitReproducesPolynomials) {
  const int k = GetParam();
  const auto u = polynomial_signal(k);
  const History history = sample(u, 13, 10);
  std::vector<double> predicted(13);
  predict(history, 0.45, k, {.least_squares_points = k + 3}, predicted);
  for (std::size_t i = 0; i < 13; ++i) EXPECT_NEAR(predicted[i], u(i, 0.45), 1e-11 * std::pow(4, k)) << i;
}

TEST_P(Degree, ApproximationPassesThroughItsPoints) {
  const int k = GetParam();
  const History history =
      sample([](std::size_t i, double t) { return std::sin(5 * t + static_cast<double>(i)); }, 9, 8);
  const double t_next = 0.42;
  std::vector<double> u_end(9);
  std::iota(u_end.begin(), u_end.end(), -4.0);
  std::vector<Polynomial> p(9);
  approximate(history, t_next, k, u_end, p);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(p[i].degree, k);
    EXPECT_NEAR(p[i](t_next), u_end[i], 1e-12) << i;
    for (std::size_t j = 0; j < static_cast<std::size_t>(k); ++j)
      EXPECT_NEAR(p[i](history.time(j)), history.values(j)[i], 1e-9) << i << " back " << j;
    if (k > 0) {
      EXPECT_EQ(p[i](history.time(0)), history.values(0)[i]);
    }
  }
}

TEST_P(Degree, ApproximationReproducesPolynomialsBetweenThePoints) {
  const int k = GetParam();
  const auto u = polynomial_signal(k);
  const History history = sample(u, 5, 7);
  const double t_next = 0.37;
  std::vector<double> u_end(5);
  for (std::size_t i = 0; i < 5; ++i) u_end[i] = u(i, t_next);
  std::vector<Polynomial> p(5);
  approximate(history, t_next, k, u_end, p);
  for (std::size_t i = 0; i < 5; ++i)
    for (const double t : {0.3, 0.31, 0.35, 0.37}) EXPECT_NEAR(p[i](t), u(i, t), 1e-12) << i << " t " << t;
}

TEST_P(Degree, PredictionErrorHasOrderDegreePlusOne) {
  const int k = GetParam();
  const auto u = [](std::size_t, double t) { return std::exp(t) * std::sin(2 * t + 0.4); };
  for (const int n_sp : {0, k + 3}) {
    // Slope of the error between H and H / 2; larger steps for high degrees stay clear of rounding.
    const auto error = [&](double H) {
      const History history = sample(u, 1, 10, H);
      std::vector<double> predicted(1);
      predict(history, 0.3 + H, k, {.least_squares_points = n_sp}, predicted);
      return std::abs(predicted[0] - u(0, 0.3 + H));
    };
    const double H = k < 4 ? 2e-3 : k == 4 ? 5e-3 : 1e-2;
    EXPECT_NEAR(std::log2(error(H) / error(H / 2)), k + 1, 0.2) << "N_sp " << n_sp;
  }
}

class Derivative : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Upto, Derivative, testing::Range(1, max_degree + 1));

TEST_P(Derivative, OfPowersIsFactorial) {
  const int j = GetParam();
  const double H = 0.07;
  const History history =
      sample([](std::size_t i, double t) { return power(t, static_cast<int>(i)); }, max_degree + 1, 7);
  std::vector<double> scaled(max_degree + 1);
  scaled_derivative(history, j, H, scaled);
  const double expected = std::tgamma(j + 1) * std::pow(H, j);
  for (std::size_t i = 0; i < static_cast<std::size_t>(j); ++i)
    EXPECT_NEAR(scaled[i], 0, 1e-10 * expected) << "t^" << i;
  EXPECT_NEAR(scaled[static_cast<std::size_t>(j)], expected, 1e-10 * expected);
}

TEST_P(Derivative, SurvivesTinySteps) {
  // Powers of H alone would underflow here.
  const int j = GetParam();
  const double H = 1e-60;
  History history(1, 7);
  for (int n = 0; n < 7; ++n) history.push(n * H, std::array{power(n, j)});
  std::vector<double> scaled(1);
  scaled_derivative(history, j, H, scaled);
  EXPECT_NEAR(scaled[0], std::tgamma(j + 1), 1e-9 * std::tgamma(j + 1));
}

TEST_P(Derivative, APrioriErrorIsTheDifferenceOfTwoExtrapolations) {
  const int kappa = GetParam() - 1;
  const History history =
      sample([](std::size_t i, double t) { return std::cos(3 * t + static_cast<double>(i)); }, 11, 8);
  std::vector<double> lower(11), upper(11), error(11);
  predict(history, 0.38, kappa, {}, lower);
  predict(history, 0.38, kappa + 1, {}, upper);
  a_priori_error(history, 0.38, kappa, error);
  for (std::size_t i = 0; i < 11; ++i) EXPECT_NEAR(error[i], upper[i] - lower[i], 1e-12) << i;
}

TEST(Predictor, ConstantSignalsStayConstantToTheBit) {
  const double value = 0.1;
  const History history = sample([value](std::size_t, double) { return value; }, 700, 8);
  std::vector<double> out(700);
  std::vector<Polynomial> p(700);
  for (const int n_sp : {0, 8})
    for (int k = 0; k <= 5; ++k) {
      predict(history, 0.39, k, {.least_squares_points = n_sp}, out);
      for (const double x : out) ASSERT_EQ(x, value);
      approximate(history, 0.39, k, out, p);
      for (const Polynomial& x : p) ASSERT_EQ(x(0.333), value);
      a_priori_error(history, 0.39, k, out);
      for (const double x : out) ASSERT_EQ(x, 0.0);
      scaled_derivative(history, k + 1, 0.1, out);
      for (const double x : out) ASSERT_EQ(x, 0.0);
    }
}

TEST(Predictor, FitSmoothsWhatExtrapolationAmplifies) {
  // A zigzag around zero: extrapolation of degree 2 amplifies it sevenfold, the fit through 8 does not.
  History history(1, 8);
  for (int n = 0; n < 8; ++n) history.push(n, std::array{n % 2 == 0 ? 1.0 : -1.0});
  std::vector<double> extrapolated(1), fitted(1);
  predict(history, 8, 2, {}, extrapolated);
  predict(history, 8, 2, {.least_squares_points = 8}, fitted);
  EXPECT_NEAR(std::abs(extrapolated[0]), 7, 1e-12);
  EXPECT_LT(std::abs(fitted[0]), 1);
}

TEST(Predictor, FitFallsBackToExtrapolation) {
  const auto u = [](std::size_t, double t) { return std::exp(3 * t); };
  const History few = sample(u, 3, 5), many = sample(u, 3, 9);
  std::vector<double> a(3), b(3);
  predict(few, 0.4, 2, {}, a);
  predict(few, 0.4, 2, {.least_squares_points = 6}, b);  // only 5 points are there
  EXPECT_EQ(a, b);
  predict(many, 0.4, 4, {}, a);
  predict(many, 0.4, 4, {.least_squares_points = 5}, b);  // no more points than coefficients
  EXPECT_EQ(a, b);
  predict(many, 0.4, 4, {.least_squares_points = 6}, b);
  EXPECT_NE(a, b);
}

TEST(Predictor, ResultsDoNotDependOnThePositionOfAVariable) {
  constexpr std::size_t n = 1237;  // several blocks and a remainder
  const auto u = [](std::size_t i, double t) { return std::sin(4 * t + 0.01 * static_cast<double>(i)); };
  const auto reversed = [&](std::size_t i, double t) { return u(n - 1 - i, t); };
  const History forward = sample(u, n, 8), backward = sample(reversed, n, 8);
  std::vector<double> a(n), b(n);
  std::vector<Polynomial> p(n), q(n);
  const auto expect_mirrored = [&](int k) {
    std::reverse(b.begin(), b.end());
    ASSERT_EQ(a, b) << k;
  };
  for (int k = 0; k <= 5; ++k) {
    predict(forward, 0.41, k, {}, a);
    predict(backward, 0.41, k, {}, b);
    approximate(forward, 0.41, k, a, p);
    approximate(backward, 0.41, k, b, q);
    expect_mirrored(k);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(p[i].a, q[n - 1 - i].a);
    predict(forward, 0.41, k, {.least_squares_points = 8}, a);
    predict(backward, 0.41, k, {.least_squares_points = 8}, b);
    expect_mirrored(k);
    a_priori_error(forward, 0.41, k, a);
    a_priori_error(backward, 0.41, k, b);
    expect_mirrored(k);
    scaled_derivative(forward, k + 1, 0.1, a);
    scaled_derivative(backward, k + 1, 0.1, b);
    expect_mirrored(k);
  }
}

TEST(Predictor, UsedDegreeFollowsTheHistory) {
  History history(1, 3);
  EXPECT_THROW(used_degree(history, 2), Bug);
  for (int n = 0; n < 5; ++n) {
    history.push(n, std::array{0.0});
    EXPECT_EQ(used_degree(history, 5), std::min(n, 2));
    EXPECT_EQ(used_degree(history, 1), std::min(n, 1));
    EXPECT_EQ(used_degree(history, 0), 0);
  }
}

TEST(Predictor, RefusesMoreThanTheHistoryHolds) {
  const History history = sample(polynomial_signal(1), 2, 3);
  std::vector<double> out(2), wrong(3);
  std::vector<Polynomial> p(2);
  EXPECT_THROW(predict(history, 0.4, 3, {}, out), Bug);
  EXPECT_THROW(predict(history, 0.4, -1, {}, out), Bug);
  EXPECT_THROW(predict(history, 0.4, 1, {}, wrong), Bug);
  EXPECT_THROW(approximate(history, 0.4, 4, out, p), Bug);
  EXPECT_THROW(approximate(history, 0.4, 1, wrong, p), Bug);
  EXPECT_THROW(scaled_derivative(history, 0, 0.1, out), Bug);
  EXPECT_THROW(scaled_derivative(history, 3, 0.1, out), Bug);
  EXPECT_THROW(a_priori_error(history, 0.4, 2, out), Bug);
}

}  // namespace
}  // namespace cosimo
