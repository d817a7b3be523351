#include "numerics/polynomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "core/random.hpp"

namespace cosimo {
namespace {

/// Macro-time points around t = 3.7 with steps near 1e-5, oldest last, of random ratio.
std::vector<double> uneven_grid(std::size_t n) {
  const RandomStream random(5, 1);
  std::vector<double> grid{3.7};
  while (grid.size() < n) grid.push_back(grid.back() - 1e-5 * random.uniform(grid.size(), 0.4, 1.6));
  return grid;
}

/// A polynomial of the given degree with coefficients of order one in the local time of the grid.
struct Sample {
  int degree;
  double operator()(double t) const {
    const double s = (t - 3.7) / 1e-5;
    double r = 0;
    for (int j = degree; j >= 0; --j) r = r * s + std::cos(2.0 * j + 1);
    return r;
  }
  double rate(double t) const {
    const double s = (t - 3.7) / 1e-5;
    double r = 0;
    for (int j = degree; j >= 1; --j) r = r * s + j * std::cos(2.0 * j + 1);
    return r / 1e-5;
  }
};

template <class F>
std::vector<double> sample(const std::vector<double>& nodes, F f) {
  std::vector<double> values;
  for (const double t : nodes) values.push_back(f(t));
  return values;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

class EveryDegree : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Polynomial, EveryDegree, testing::Range(0, max_degree + 1));

TEST_P(EveryDegree, InterpolationReproducesPolynomials) {
  const Sample f{GetParam()};
  auto nodes = uneven_grid(static_cast<std::size_t>(GetParam()) + 1);
  std::rotate(nodes.begin(), nodes.begin() + GetParam() / 2, nodes.end());  // any order is allowed
  const auto values = sample(nodes, f);
  const double small = 1e-13 * std::max(1.0, largest(values));
  const Polynomial p = interpolate(nodes, values, 3.7, 1e-5);
  EXPECT_EQ(p.degree, GetParam());
  for (const double t : {3.7, 3.7 + 1e-5, 3.7 - 0.7e-5}) {
    EXPECT_NEAR(p(t), f(t), small) << "t = " << t;
    EXPECT_NEAR(p.rate(t), f.rate(t), 10 * small / 1e-5) << "t = " << t;
  }
  for (std::size_t j = 0; j < nodes.size(); ++j) EXPECT_NEAR(p(nodes[j]), values[j], small);
}

TEST_P(EveryDegree, LeastSquaresReproducesPolynomials) {
  const Sample f{GetParam()};
  for (const std::size_t extra : {1u, 2u, 5u, 20u}) {
    const auto nodes = uneven_grid(static_cast<std::size_t>(GetParam()) + extra);
    const auto values = sample(nodes, f);
    const double t = 3.7 + 0.8e-5;
    EXPECT_NEAR(least_squares_at(t, GetParam(), nodes, values), f(t), 1e-12 * std::max(1.0, largest(values)));
  }
}

TEST(LeastSquares, IsTheRegressionLine) {
  const std::vector<double> t{0, 1, 2, 3}, y{1, 3, 2, 5};  // slope 1.1, intercept 1.1
  EXPECT_NEAR(least_squares_at(0, 1, t, y), 1.1, 1e-15);
  EXPECT_NEAR(least_squares_at(4, 1, t, y), 5.5, 1e-14);
  EXPECT_NEAR(least_squares_at(17, 0, t, y), 2.75, 1e-15);
}

TEST(LeastSquares, ThroughAsManyPointsAsCoefficientsInterpolates) {
  const std::vector<double> t{0.3, 0.1, 0.9, 0.6}, y{1, 3, 2, 5};
  EXPECT_NEAR(least_squares_at(1.2, 3, t, y), interpolate(t, y, 0, 1)(1.2), 1e-12);
}

TEST(LeastSquares, LeavesAResidualOrthogonalToAllLowerPolynomials) {
  const auto nodes = uneven_grid(9);
  std::vector<double> y;
  for (std::size_t i = 0; i < nodes.size(); ++i) y.push_back(RandomStream(2, 2).uniform(i, -1, 1));
  double moment[3] = {};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double rest = y[i] - least_squares_at(nodes[i], 2, nodes, y);
    const double s = (nodes[i] - 3.7) / 1e-4;
    moment[0] += rest;
    moment[1] += rest * s;
    moment[2] += rest * s * s;
  }
  for (const double m : moment) EXPECT_NEAR(m, 0.0, 1e-14);
}

TEST(ErrorConstants, HaveThePublishedRatiosOnAnEquidistantGrid) {
  const double pos[] = {1.0 / 3, 3.0 / 4, 38.0 / 45, 135.0 / 152, 863.0 / 945, 9625.0 / 10356};
  const double vel[] = {1.0 / 2, 5.0 / 6, 9.0 / 10, 251.0 / 270, 475.0 / 502, 19087.0 / 19950};
  const std::vector<double> grid{0, -1, -2, -3, -4, -5, -6};
  EXPECT_EQ(error_constants(0, grid).pos, 0.5);
  EXPECT_EQ(error_constants(0, grid).vel, 1.0);
  for (int k = 0; k <= 5; ++k) {
    const ErrorConstants lower = error_constants(k, grid), upper = error_constants(k + 1, grid);
    EXPECT_NEAR(upper.pos / lower.pos, pos[k], 1e-14) << "k = " << k;
    EXPECT_NEAR(upper.vel / lower.vel, vel[k], 1e-14) << "k = " << k;
  }
}

/// Four-point Gauss rule on [0, 1]: exact to degree 7.
template <class F>
double gauss(F f) {
  const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(6.0 / 5));
  const double outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(6.0 / 5));
  const double heavy = (18 + std::sqrt(30.0)) / 72, light = (18 - std::sqrt(30.0)) / 72;
  return heavy * (f(0.5 - inner / 2) + f(0.5 + inner / 2)) +
         light * (f(0.5 - outer / 2) + f(0.5 + outer / 2));
}

TEST(ErrorConstants, AreTheIntegralsOnAnUnevenGrid) {
  const auto grid = uneven_grid(7);
  const double h = grid[0] - grid[1];
  for (int k = 0; k <= 6; ++k) {
    const auto basis = [&](double s) {
      double product = 1;
      for (std::size_t j = 1; j <= static_cast<std::size_t>(k); ++j)
        product *= (s * h + (grid[1] - grid[j])) / (grid[0] - grid[j]);
      return product;
    };
    const ErrorConstants c = error_constants(k, grid);
    EXPECT_NEAR(c.vel, gauss(basis), 1e-14) << "k = " << k;
    // The double integral is that of (1 - s) L(s).
    EXPECT_NEAR(c.pos, gauss([&](double s) { return (1 - s) * basis(s); }), 1e-14) << "k = " << k;
  }
}

TEST(ErrorConstants, DoNotDependOnTheUnitOfTime) {
  const std::vector<double> grid{5, 4, 2.5, 2, 0.5}, scaled{5e-9, 4e-9, 2.5e-9, 2e-9, 0.5e-9};
  EXPECT_NEAR(error_constants(4, grid).pos, error_constants(4, scaled).pos, 1e-15);
  EXPECT_NEAR(error_constants(4, grid).vel, error_constants(4, scaled).vel, 1e-15);
}

TEST(Polynomial, RefusesWhatItCannotHold) {
  const std::vector<double> two{0, 1}, nine{0, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_THROW(interpolate({}, {}, 0, 1), Bug);
  EXPECT_THROW(interpolate(nine, nine, 0, 1), Bug);
  EXPECT_THROW(interpolate(two, nine, 0, 1), Bug);
  EXPECT_THROW(least_squares_at(0.5, 2, two, two), Bug);
  EXPECT_THROW(error_constants(2, two), Bug);
  EXPECT_THROW(error_constants(1, two), Bug);  // oldest first
}

}  // namespace
}  // namespace cosimo
