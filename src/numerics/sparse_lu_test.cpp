#include "numerics/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/check.hpp"
#include "core/random.hpp"

namespace cosimo {
namespace {

using Entry = SparseLu::Entry;

/// A pattern with values, and its dense product for reference.
struct Sparse {
  std::size_t n = 0;
  std::vector<Entry> entries;
  std::vector<double> values;

  void add(std::size_t row, std::size_t column, double value) {
    entries.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)});
    values.push_back(value);
  }
  SparseLu lu() const {
    SparseLu result(n, entries);
    fill(result);
    return result;
  }
  void fill(SparseLu& lu) const { std::copy(values.begin(), values.end(), lu.values().begin()); }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> dense(n * n, 0.0), y(n, 0.0);
    for (std::size_t k = 0; k < entries.size(); ++k)
      dense[static_cast<std::size_t>(entries[k].row) * n + static_cast<std::size_t>(entries[k].column)] +=
          values[k];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) y[i] += dense[i * n + j] * x[j];
    return y;
  }
};

/// Unsymmetric, not diagonally dominant; the diagonal lies on a shifted one, so that pivoting is needed.
/// About half of the entries are given in two parts.
Sparse random_matrix(std::size_t n, std::uint64_t seed) {
  const RandomStream random(seed, 5);
  std::uint64_t count = 0;
  const auto draw = [&](double low, double high) { return random.uniform(count++, low, high); };
  Sparse a;
  a.n = n;
  for (std::size_t i = 0; i < n; ++i) {
    a.add(i, (i + 1) % n, draw(1, 2));
    for (int k = 0; k < 4; ++k) {
      const auto j = static_cast<std::size_t>(draw(0, static_cast<double>(n)));
      a.add(i, j, draw(-1, 1));
      if (draw(0, 1) < 0.5) a.add(i, j, draw(-1, 1));
    }
  }
  return a;
}

std::vector<double> random_vector(std::size_t n, std::uint64_t seed) {
  const RandomStream random(seed, 6);
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = random.uniform(i, -1, 1);
  return x;
}

TEST(SparseLu, SolvesRandomMatrices) {
  for (const std::size_t n : {1U, 2U, 7U, 40U, 150U})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Sparse a = random_matrix(n, seed);
      const std::vector<double> x = random_vector(n, seed);
      std::vector<double> b = a.times(x);
      SparseLu lu = a.lu();
      EXPECT_EQ(lu.size(), n);
      EXPECT_FALSE(lu.factored());
      ASSERT_TRUE(lu.factor()) << n << " " << seed;
      EXPECT_TRUE(lu.factored());
      lu.solve(b);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-9) << n << " " << seed << " " << i;
    }
}

TEST(SparseLu, SumsDuplicates) {
  Sparse a;
  a.n = 2;
  a.add(1, 1, 3);
  a.add(0, 0, 1);
  a.add(1, 1, 1);
  a.add(0, 0, 1);
  a.add(0, 1, 4);
  SparseLu lu = a.lu();  // [2 4; 0 4]
  ASSERT_TRUE(lu.factor());
  std::vector<double> b{10, 8};
  lu.solve(b);
  EXPECT_DOUBLE_EQ(b[0], 1);
  EXPECT_DOUBLE_EQ(b[1], 2);
}

TEST(SparseLu, SingularMatrixKeepsTheOldFactors) {
  Sparse a;
  a.n = 2;
  a.add(0, 0, 1);
  a.add(0, 1, 2);
  a.add(1, 0, 3);
  a.add(1, 1, 4);
  SparseLu lu = a.lu();
  ASSERT_TRUE(lu.factor());
  const auto expect_old_solution = [&] {
    std::vector<double> b{5, 11};
    lu.solve(b);
    EXPECT_NEAR(b[0], 1, 1e-14);
    EXPECT_NEAR(b[1], 2, 1e-14);
  };
  const auto refused = [&](std::vector<double> values) {
    std::copy(values.begin(), values.end(), lu.values().begin());
    return !lu.factor();
  };
  EXPECT_TRUE(refused({1, 2, 2, 4}));
  expect_old_solution();
  EXPECT_TRUE(refused({0, 0, 3, 4}));                      // a row of zeros
  EXPECT_TRUE(refused({0.1, 0.3, 0.3, 0.3 * 0.3 / 0.1}));  // singular up to rounding
  EXPECT_TRUE(refused({1, std::numeric_limits<double>::quiet_NaN(), 3, 4}));
  EXPECT_TRUE(refused({1, 2, std::numeric_limits<double>::infinity(), 4}));
  EXPECT_TRUE(lu.factored());
  expect_old_solution();
  EXPECT_FALSE(refused({1, 2, 3, 4}));
  expect_old_solution();
}

TEST(SparseLu, SingularFromTheStartHasNoFactors) {
  Sparse a;  // structurally singular although no row and no column is empty
  a.n = 3;
  a.add(0, 0, 1);
  a.add(0, 1, 1);
  a.add(0, 2, 1);
  a.add(1, 0, 1);
  a.add(2, 0, 1);
  SparseLu lu = a.lu();
  EXPECT_FALSE(lu.factor());
  EXPECT_FALSE(lu.factored());
  std::vector<double> b(3);
  EXPECT_THROW(lu.solve(b), Bug);
}

TEST(SparseLu, DifferentUnitsAreNotSingular) {
  // The force of a stiff cut in terms of a displacement and back, as the interface has it.
  Sparse a;
  a.n = 2;
  a.add(0, 0, 1);
  a.add(0, 1, -1e18);
  a.add(1, 0, 1e-20);
  a.add(1, 1, 1);
  SparseLu lu = a.lu();
  ASSERT_TRUE(lu.factor());
  std::vector<double> b{1e18, 0};
  lu.solve(b);
  EXPECT_NEAR(b[0] / (1e18 / 1.01), 1, 1e-14);
  EXPECT_NEAR(b[1] / (-1e-2 / 1.01), 1, 1e-14);
}

TEST(SparseLu, BitsDependOnTheValuesAlone) {
  const Sparse first = random_matrix(60, 1);
  Sparse second = first;
  const RandomStream random(9, 9);
  for (std::size_t k = 0; k < second.values.size(); ++k) second.values[k] = random.uniform(k, -1, 1);

  SparseLu fresh = second.lu(), used = first.lu();
  ASSERT_TRUE(fresh.factor());
  ASSERT_TRUE(used.factor());
  second.fill(used);
  ASSERT_TRUE(used.factor());
  std::vector<double> b = random_vector(60, 2), c = b;
  fresh.solve(b);
  used.solve(c);
  EXPECT_EQ(b, c);
}

TEST(SparseLu, MovesWithItsFactors) {
  const Sparse a = random_matrix(10, 3);
  SparseLu lu = a.lu();
  ASSERT_TRUE(lu.factor());
  std::vector<double> b = random_vector(10, 4), c = b;
  lu.solve(b);
  SparseLu moved = std::move(lu);
  moved.solve(c);
  EXPECT_EQ(b, c);
}

TEST(SparseLu, EmptyMatrix) {
  SparseLu lu(0, {});
  EXPECT_TRUE(lu.factor());
  std::vector<double> b;
  lu.solve(b);
}

TEST(SparseLu, RefusesBadPatterns) {
  const std::vector<Entry> outside{{0, 0}, {1, 2}}, hole{{0, 0}, {0, 1}}, gap{{0, 0}, {1, 0}};
  EXPECT_THROW(SparseLu(2, outside), Bug);
  EXPECT_THROW(SparseLu(2, hole), Bug);
  EXPECT_THROW(SparseLu(2, gap), Bug);
}

}  // namespace
}  // namespace cosimo
