#include "numerics/kkt_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cosimo {
namespace {

using Complex = std::complex<double>;

/// Three freedoms, one constraint given `copies` times.
ConstrainedTangent example(std::int32_t copies) {
  ConstrainedTangent t;
  t.M = {{0, 0, 2}, {1, 1, 1}, {1, 1, 2}, {2, 2, 1}, {0, 1, 0.5}, {1, 0, 0.5}};
  t.C = {{0, 0, 0.3}, {0, 2, -0.4}, {2, 2, 0.1}};
  t.K = {{0, 0, 50}, {0, 1, -20}, {1, 0, -25}, {1, 1, 40}, {2, 2, 10}};
  for (std::int32_t k = 0; k < copies; ++k) {
    t.J.insert(t.J.end(), {{k, 0, 1}, {k, 1, -2}, {k, 2, 0.5}});
    t.rate.insert(t.rate.end(), {{k, 1, 0.7}});
  }
  return t;
}

/// Residual of the equations without eps.
template <class Scalar>
std::vector<Scalar> product(const ConstrainedTangent& t, Scalar g, const std::vector<Scalar>& x) {
  std::vector<Scalar> y(x.size());
  auto add = [&](const std::vector<SparseEntry>& block, Scalar factor) {
    for (const SparseEntry& e : block)
      y[static_cast<std::size_t>(e.row)] += factor * e.value * x[static_cast<std::size_t>(e.column)];
  };
  add(t.M, 1);
  add(t.C, g);
  add(t.K, g * g);
  for (const SparseEntry& e : t.J) {
    const auto row = static_cast<std::size_t>(e.row) + 3, column = static_cast<std::size_t>(e.column);
    y[column] += e.value * x[row];
    y[row] += e.value * x[column];
  }
  for (const SparseEntry& e : t.rate)
    y[static_cast<std::size_t>(e.row) + 3] += g * e.value * x[static_cast<std::size_t>(e.column)];
  return y;
}

template <class Scalar>
void expect_solves(Scalar g, std::int32_t copies) {
  const ConstrainedTangent tangent = example(copies);
  const auto m = static_cast<std::size_t>(copies);
  KktSolver<Scalar> solver(3, m, tangent);
  ASSERT_TRUE(solver.factor(tangent, g));
  std::vector<Scalar> b{1, -2, 0.5};
  for (std::size_t k = 0; k < m; ++k) b.push_back(0.3);
  std::vector<Scalar> x = b;
  solver.solve(x);
  const std::vector<Scalar> back = product(tangent, g, x);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_LT(std::abs(back[i] - b[i]), 1e-8) << i;
}

TEST(KktSolver, SolvesRealAndComplex) {
  expect_solves<double>(0.01, 1);
  expect_solves<double>(10, 1);
  expect_solves<Complex>({0.02, 0.03}, 1);
  expect_solves<Complex>({5, -7}, 1);
}

TEST(KktSolver, WithoutConstraints) {
  expect_solves<double>(0.1, 0);
  expect_solves<Complex>({0.1, 0.2}, 0);
}

TEST(KktSolver, RedundantConstraints) {
  expect_solves<double>(0.1, 3);
  expect_solves<Complex>({0.1, 0.2}, 3);
}

/// Two states beside the freedoms: the solution of the matrix written out in the header.
template <class Scalar>
void expect_solves_with_states(Scalar g) {
  const ConstrainedTangent tangent = example(1);
  const StateBlocks z{.f_z = {{0, 1, 2}, {2, 0, -1}},
                      .z_x = {{1, 2, 3}},
                      .z_w = {{0, 0, 0.5}, {1, 1, -2}},
                      .z_z = {{0, 0, -4}, {0, 1, 1}, {1, 1, -7}}};
  KktSolver<Scalar> solver(3, 1, tangent, 2, z);
  ASSERT_TRUE(solver.factor(tangent, g, z));
  const std::vector<Scalar> b{1, -2, 0.5, 0.9, -0.2, 0.3};
  std::vector<Scalar> x = b;
  solver.solve(x);
  const std::vector<Scalar> part = product(tangent, g, std::vector<Scalar>{x[0], x[1], x[2], x[5]});
  std::vector<Scalar> back{part[0], part[1], part[2], x[3], x[4], part[3]};
  const auto add = [&](const std::vector<SparseEntry>& block, std::size_t row, std::size_t column,
                       Scalar factor) {
    for (const SparseEntry& e : block)
      back[row + static_cast<std::size_t>(e.row)] +=
          factor * e.value * x[column + static_cast<std::size_t>(e.column)];
  };
  add(z.f_z, 0, 3, -g);
  add(z.z_w, 3, 0, -g);
  add(z.z_x, 3, 0, -g * g);
  add(z.z_z, 3, 3, -g);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_LT(std::abs(back[i] - b[i]), 1e-8) << i;
}

TEST(KktSolver, FirstOrderStates) {
  expect_solves_with_states<double>(0.01);
  expect_solves_with_states<double>(10);
  expect_solves_with_states<Complex>({0.2, -0.3});
}

TEST(KktSolver, BitsDependOnTheMatrixAlone) {
  const ConstrainedTangent tangent = example(2);
  KktSolver<Complex> fresh(3, 2, tangent), used(3, 2, tangent);
  for (const double g : {1e-6, 1e3, 0.7}) ASSERT_TRUE(used.factor(tangent, {g, -g}));
  ASSERT_TRUE(used.factor(tangent, {0.2, 0.1}));
  ASSERT_TRUE(fresh.factor(tangent, {0.2, 0.1}));
  std::vector<Complex> a{1, 2, 3, 4, 4}, b = a;
  fresh.solve(a);
  used.solve(b);
  EXPECT_EQ(a, b);
}

TEST(KktSolver, RefusesWhatIsNotFinite) {
  ConstrainedTangent tangent = example(1);
  KktSolver<double> solver(3, 1, tangent);
  tangent.K[0].value = std::nan("");
  EXPECT_FALSE(solver.factor(tangent, 0.1));
  tangent.K[0].value = 50;
  EXPECT_TRUE(solver.factor(tangent, 0.1));
}

TEST(KktSolver, Products) {
  const std::vector<SparseEntry> block = {{0, 1, 2}, {1, 0, 3}, {0, 1, 1}};
  std::vector<double> x{5, 7}, y{1, 1}, z{1, 1};
  add_product(block, 2, x.data(), y.data());
  add_transposed_product(block, 2, x.data(), z.data());
  EXPECT_EQ(y, (std::vector<double>{43, 31}));
  EXPECT_EQ(z, (std::vector<double>{1 + 2 * 3 * 7, 1 + 2 * 3 * 5}));
}

/// Two bodies, each of which needs a pivot from the other: blocks alone cannot, KLU does.
TEST(KktMatrix, WhatBlocksCannotSolveIsLeftToKlu) {
  std::vector<KktPlace> places;
  for (std::int32_t i = 0; i < 4; ++i)
    for (std::int32_t j = 0; j < 4; ++j) places.push_back({i, j});
  KktMatrix<double> matrix(4, places, 4, UnknownGroups{{{0, 1}, {2, 3}}, {}});
  ASSERT_NE(matrix.blocks(), nullptr);
  const auto fill = [&](double own) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto [row, column] = places[k];
      const double other = row % 2 == column % 2 ? 1 : 0.25;
      matrix.values()[k] = row / 2 == column / 2 ? own * (row == column ? 2 : 1) : other;
    }
  };
  for (const double own : {1.0, 1e-7, 0.0}) {
    fill(own);
    KktFactors factors;
    ASSERT_TRUE(matrix.factor(factors));
    EXPECT_EQ(factors.in_blocks(), own > 0) << own;
    EXPECT_EQ(factors.refinements() > 0, own == 1e-7);
    std::vector<double> x{1, -2, 3, 0.5};
    const std::vector<double> b = x;
    matrix.solve(factors, x);
    for (std::size_t i = 0; i < 4; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 4; ++j) sum += matrix.values()[4 * i + j] * x[j];
      EXPECT_NEAR(sum, b[i], 1e-13) << own;
    }
  }
}

/// Unknowns of a body are coupled with the same others; so are rows of a constraint, but not with each other.
TEST(KktMatrix, GroupsFollowFromThePlaces) {
  std::vector<KktPlace> places;
  const auto couple = [&](std::int32_t a, std::int32_t b) {
    places.push_back({a, b});
    places.push_back({b, a});
  };
  for (std::int32_t i = 0; i < 7; ++i) places.push_back({i, i});
  couple(0, 1);  // a body of two freedoms, one of two more, one of one; rows 5 and 6
  couple(2, 3);
  for (std::int32_t row : {5, 6})
    for (std::int32_t i = 0; i < 4; ++i) couple(i, row);
  couple(4, 3);
  couple(4, 2);
  const UnknownGroups groups = find_groups(7, places, 5);
  using Lists = std::vector<std::vector<std::int32_t>>;
  EXPECT_EQ(groups.bodies, (Lists{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(groups.constraints, (Lists{{5, 6}}));
}

}  // namespace
}  // namespace cosimo
