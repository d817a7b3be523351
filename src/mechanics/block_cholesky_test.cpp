#include "mechanics/block_cholesky.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "mechanics/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::random_number;
using cosimo::testing::Rng;

using Couplings = std::vector<BlockPattern::Coupling>;

/// A dense random matrix of this pattern, positive definite by its diagonal, and its entries in the storage.
struct Problem {
  Problem(std::vector<std::size_t> block_sizes, const Couplings& couplings)
      : sizes(std::move(block_sizes)), pattern(sizes, couplings), values(pattern.storage(), 0.0) {
    for (const std::size_t size : sizes) {
      first.push_back(rows);
      rows += size;
    }
    A = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(rows));
    for (std::size_t i = 0; i < sizes.size(); ++i) fill(i, i);
    for (const auto& [i, j] : couplings) fill(i, j);
    A.diagonal().array() += 12.0;
  }

  void fill(std::size_t i, std::size_t j) {
    for (std::size_t a = 0; a < sizes[i]; ++a) {
      for (std::size_t b = 0; b < sizes[j]; ++b) {
        const auto row = static_cast<Eigen::Index>(first[i] + a),
                   column = static_cast<Eigen::Index>(first[j] + b);
        A(row, column) = A(column, row) = random_number(rng);
      }
    }
  }

  void store(const Couplings& couplings) {
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t i = 0; i < sizes.size(); ++i) store(i, i);
    for (const auto& [i, j] : couplings) store(i, j);
  }

  void store(std::size_t i, std::size_t j) {
    const BlockPattern::Place place = pattern.place(i, j);
    if (place.transposed) std::swap(i, j);
    for (std::size_t a = 0; a < sizes[i]; ++a)
      for (std::size_t b = 0; b < sizes[j]; ++b)
        values[place.offset + a * sizes[j] + b] =
            A(static_cast<Eigen::Index>(first[i] + a), static_cast<Eigen::Index>(first[j] + b));
  }

  /// Relative error of a solve with a random solution.
  double error() {
    Eigen::VectorXd x(static_cast<Eigen::Index>(rows));
    for (double& entry : x) entry = random_number(rng);
    Eigen::VectorXd b = A * x;
    const std::vector<double> tau(rows, 1e-13);
    pattern.factorise(values, {.tau = tau});
    pattern.solve(values, {b.data(), rows});
    return (b - x).cwiseAbs().maxCoeff();
  }

  Rng rng{11};
  std::vector<std::size_t> sizes, first;
  std::size_t rows = 0;
  BlockPattern pattern;
  std::vector<double> values;
  Eigen::MatrixXd A;
};

TEST(BlockCholesky, SolvesAnyPattern) {
  Rng rng(4);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t n = 1 + rng() % 12;
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < n; ++i) sizes.push_back(1 + rng() % largest_block);
    Couplings couplings;
    for (std::size_t k = 0; n > 1 && k < 2 * n; ++k) {
      const std::size_t i = rng() % n, j = rng() % n;
      if (i != j) couplings.emplace_back(i, j);
    }
    Problem problem(sizes, couplings);
    problem.A.diagonal().array() += 30.0;
    problem.store(couplings);
    EXPECT_LT(problem.error(), 1e-13);
  }
}

/// Shuffled numbers change nothing: the order is found from the graph.
TEST(BlockCholesky, TreesHaveNoFill) {
  constexpr std::size_t n = 200;
  Rng rng(9);
  std::vector<std::size_t> label(n);
  for (std::size_t i = 0; i < n; ++i) label[i] = i;
  for (std::size_t i = n - 1; i > 0; --i) std::swap(label[i], label[rng() % (i + 1)]);
  Couplings chain, tree;
  for (std::size_t i = 1; i < n; ++i) {
    chain.emplace_back(label[i - 1], label[i]);
    tree.emplace_back(label[rng() % i], label[i]);
  }
  for (const Couplings& couplings : {chain, tree}) {
    Problem problem(std::vector<std::size_t>(n, 3), couplings);
    EXPECT_EQ(problem.pattern.storage(), 9 * (2 * n - 1));
    problem.A.diagonal().array() += 30.0;
    problem.store(couplings);
    EXPECT_LT(problem.error(), 1e-13);
  }
}

/// The same row twice: solvable right-hand sides are solved, the second row carries nothing.
TEST(BlockCholesky, DependentRowsGetNoMultiplier) {
  const Couplings couplings{{0, 1}};
  Problem problem({2, 2}, couplings);
  Eigen::MatrixXd J(4, 3);
  J << 1, 2, 0.5, -0.3, 1, 1, 0.2, 0.1, 1, 1, 2, 0.5;
  problem.A = J * J.transpose();
  problem.store(couplings);
  Eigen::VectorXd b = J * Eigen::Vector3d(1, -2, 3);
  const Eigen::VectorXd rhs = b;
  const std::vector<double> tau(4, 1e-10);
  std::vector<double> found(4);
  problem.pattern.factorise(problem.values, {.tau = tau, .found = found});
  problem.pattern.solve(problem.values, {b.data(), 4});
  EXPECT_LT((problem.A * b - rhs).norm(), 1e-12);
  EXPECT_LT(b.norm(), 1e3);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_GT(found[row], 1) << row;
  EXPECT_LT(found[3], 1);
}

/// What a matrix tells of its rows serves a factor of itself as well as its own thresholds.
TEST(BlockCholesky, KnownDependenceIsThatOfTheThresholds) {
  const Couplings couplings{{0, 1}};
  std::vector<double> solutions[2], found(4);
  for (const bool known : {false, true}) {
    Problem problem({2, 2}, couplings);
    Eigen::MatrixXd J(4, 3);
    J << 1, 2, 0.5, -0.3, 1, 1, 0.2, 0.1, 1, 1, 2, 0.5001;
    problem.A = J * J.transpose();
    problem.A(3, 3) += 4e-4;  // a pivot of half of tau
    problem.store(couplings);
    const std::vector<double> tau(4, 1e-3), noise(4, 1e-13);
    if (known)
      problem.pattern.factorise(problem.values, {.tau = noise, .known = found});
    else
      problem.pattern.factorise(problem.values, {.tau = tau, .found = found});
    solutions[known] = {1, -2, 3, 0.5};
    problem.pattern.solve(problem.values, solutions[known]);
  }
  EXPECT_LT(found[3], 1);
  EXPECT_GT(found[3], 0.1);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(solutions[1][i], solutions[0][i], 1e-9 * std::abs(solutions[0][i])) << i;
}

}  // namespace
}  // namespace cosimo
