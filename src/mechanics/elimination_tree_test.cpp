#include "mechanics/elimination_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Dense>

#include "mechanics/random_mechanism_testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Assembly;
using cosimo::testing::chains;
using cosimo::testing::random_wrenches;
using cosimo::testing::RandomMechanism;
using cosimo::testing::Rng;
using cosimo::testing::star;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}
struct Comparison {
  std::size_t implied = 0, found = 0;  ///< dependent rows by a dense factor, and by the tree
  double error = 0;                    ///< of the accelerations, in the metric of the masses
};

/// The accelerations at rest: those of free bodies, less their part across the constraints.
Comparison compare(const Assembly& assembly) {
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  const std::size_t f = dynamics.freedoms(), m = dynamics.constraints();
  const std::vector<ExternalWrench> wrenches = random_wrenches(assembly);
  std::vector<double> a(dynamics.size());
  Comparison out;
  std::vector<std::uint8_t> dependent(m);
  dynamics.dependent_rows(0, assembly.q.data(), *work, dependent);
  for (const std::uint8_t row : dependent) out.found += row;
  EXPECT_TRUE(
      dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), wrenches, a.data(), nullptr, *work));

  const std::vector<double> zero(std::max(f, m), 0.0);
  ConstrainedTangent tangent;
  dynamics.linearise(0, assembly.q.data(), assembly.v.data(), zero.data(), zero.data(), tangent);
  MatrixXd M = MatrixXd::Zero(index(f), index(f)), Jt = MatrixXd::Zero(index(f), index(m));
  for (const SparseEntry& e : tangent.M) M(e.row, e.column) += e.value;
  for (const SparseEntry& e : tangent.J) Jt(e.column, e.row) += e.value;
  VectorXd force(index(f)), alpha(index(f));
  EXPECT_TRUE(dynamics.residual(0, assembly.q.data(), assembly.v.data(), zero.data(), zero.data(), wrenches,
                                force.data()));
  for (std::size_t b = 0; b < dynamics.bodies(); ++b) {
    const std::size_t q = dynamics.first_coordinate(b);
    twist_rates_of(dynamics.kind(b), &assembly.q[q], &assembly.v[q], &a[q],
                   &alpha[index(dynamics.first_freedom(b))]);
  }
  const Eigen::LLT<MatrixXd> root(M);
  const VectorXd free = -root.matrixL().solve(force), found = root.matrixU() * alpha;
  VectorXd expected = free;
  if (m > 0) {
    MatrixXd B = root.matrixL().solve(Jt);
    const VectorXd lengths = B.colwise().norm();
    B *= lengths.cwiseInverse().asDiagonal();
    Eigen::ColPivHouseholderQR<MatrixXd> across(B);
    across.setThreshold(1e-10);
    out.implied = m - static_cast<std::size_t>(across.rank());
    const MatrixXd Q = across.householderQ() * MatrixXd::Identity(index(f), across.rank());
    expected -= Q * (Q.transpose() * free);
  }
  out.error = (found - expected).norm() / free.norm();
  return out;
}

TEST(EliminationTree, RandomMechanismsMoveAsByADenseFactor) {
  int unclear = 0, redundant = 0, large = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    RandomMechanism mechanism(seed);
    Rng rng(seed + 1000);
    const std::size_t bodies = seed % 50 == 0 ? 90 : 1 + rng() % 24;
    mechanism.grow(bodies, rng() % 3 == 0 ? 1 + rng() % 3 : 0);
    const Comparison result = compare(mechanism.assembly);
    redundant += result.implied > 0 ? 1 : 0;
    large += bodies > 64 ? 1 : 0;
    if (result.implied != result.found) {  // nearly dependent: a matter of taste
      ++unclear;
      continue;
    }
    EXPECT_LT(result.error, 1e-10) << seed << ", bodies " << bodies << ", implied " << result.implied;
  }
  EXPECT_LT(unclear, 25);
  EXPECT_GT(redundant, 100);
  EXPECT_EQ(large, 10);
}

TEST(EliminationTree, StarsRingsAndLooseChainsMoveAsByADenseFactor) {
  RandomMechanism single(3);
  single.add();
  for (const Assembly& assembly :
       {star(90), chains(110, 1, true), chains(70, 2), chains(100, 1), std::move(single.assembly)}) {
    const Comparison result = compare(assembly);
    EXPECT_EQ(result.found, result.implied);
    EXPECT_LT(result.error, 1e-10) << assembly.mechanism.bodies.size();
  }
}

/// Accelerations that satisfy J alpha = 0 and differ from those of free bodies by M^-1 J^T lambda.
TEST(EliminationTree, LargeStarsRingsAndChainsAreSolved) {
  for (const Assembly& assembly : {star(500), chains(1000, 1, true), chains(700, 1)}) {
    const Dynamics dynamics = assembly.dynamics();
    const auto work = dynamics.make_workspace();
    const std::vector<ExternalWrench> wrenches = random_wrenches(assembly);
    std::vector<double> a(dynamics.size()), lambda(dynamics.constraints()), alpha(dynamics.freedoms()),
        left(dynamics.freedoms()), rate(dynamics.constraints(), 0.0);
    ASSERT_TRUE(dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), wrenches, a.data(),
                                      lambda.data(), *work));
    double size = 0;
    for (std::size_t b = 0; b < dynamics.bodies(); ++b) {
      const std::size_t q = dynamics.first_coordinate(b);
      twist_rates_of(dynamics.kind(b), &assembly.q[q], &assembly.v[q], &a[q],
                     &alpha[dynamics.first_freedom(b)]);
    }
    for (const double x : alpha) size = std::max(size, std::abs(x));
    ASSERT_TRUE(dynamics.residual(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(),
                                  wrenches, left.data()));
    ConstrainedTangent tangent;
    dynamics.linearise(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(), tangent);
    for (const SparseEntry& e : tangent.J)
      rate[static_cast<std::size_t>(e.row)] += e.value * alpha[static_cast<std::size_t>(e.column)];
    for (const double x : rate) EXPECT_LT(std::abs(x), 1e-10 * size);
    double force = 0;
    for (const double x : lambda) force = std::max(force, std::abs(x));
    for (const double x : left) EXPECT_LT(std::abs(x), 1e-10 * force);
  }
}

/// A mechanism as the tree sees it.
struct Shape {
  std::vector<TreeBody> bodies;
  std::vector<std::vector<std::uint32_t>> ends;
  std::vector<TreeConstraint> constraints;

  void join(std::vector<std::uint32_t> list) { ends.push_back(std::move(list)); }
  EliminationTree tree() {
    for (const auto& list : ends) constraints.push_back({3, list});
    return {bodies, constraints};
  }
};
Shape shape(std::size_t count) {
  Shape out;
  out.bodies.assign(count, {6, true});
  return out;
}

/// A hub does not couple its arms with each other, and they run side by side.
TEST(EliminationTree, WorkOfAStarGrowsWithItsArms) {
  for (const std::uint32_t arms : {100U, 1000U}) {
    Shape made = shape(arms + 1);
    for (std::uint32_t k = 1; k <= arms; ++k) made.join({0, k});
    const auto facts = made.tree().facts();
    EXPECT_LT(facts.factor_products, 400 * arms);
    EXPECT_LT(facts.top_products, 200U);
    EXPECT_EQ(facts.leaves, arms);
    EXPECT_EQ(facts.programs, 1U);
    EXPECT_EQ(facts.in_lanes, arms);
  }
}

/// Also when the bodies are numbered anyhow.
TEST(EliminationTree, LinksOfChainsAndRingsRunSideBySide) {
  for (const bool ring : {false, true}) {
    for (const bool shuffled : {false, true}) {
      constexpr std::uint32_t n = 1000;
      Rng rng(4);
      std::vector<std::uint32_t> label(n);
      for (std::uint32_t i = 0; i < n; ++i) label[i] = i;
      for (std::uint32_t i = n - 1; shuffled && i > 0; --i) std::swap(label[i], label[rng() % (i + 1)]);
      Shape made = shape(n);
      if (ring)
        made.join({label[n - 1], label[0]});
      else
        made.join({label[0]});
      for (std::uint32_t i = 1; i < n; ++i) made.join({label[i - 1], label[i]});
      const auto facts = made.tree().facts();
      EXPECT_LE(facts.programs, 2U);
      EXPECT_EQ(facts.in_lanes, facts.leaves);
      EXPECT_EQ(facts.leaves, 64U);
      EXPECT_LT(facts.factor_products, 300U * n);
      EXPECT_LT(facts.top_products, facts.factor_products / 30);
    }
  }
}

/// A joint between two hubs, or between a hub and the ground, closes no loop.
TEST(EliminationTree, JointsBetweenHubsWaitForThem) {
  RandomMechanism made(11);
  std::vector<BodyId> hubs;
  for (int k = 0; k < 4; ++k) hubs.push_back(made.add());
  for (const BodyId hub : hubs)
    for (int k = 0; k < 5; ++k) made.join(hub, made.add(), true);
  made.join(ground, hubs[0], true);
  for (std::size_t k = 0; k < 3; ++k) made.join(hubs[k], hubs[k + 1], true);
  const BodyId between = made.add();  // hangs from two of them
  made.join(hubs[0], between, true);
  made.join(between, hubs[3], true);
  const Comparison result = compare(made.assembly);
  EXPECT_EQ(result.found, 0U);
  EXPECT_EQ(result.implied, 0U);
  EXPECT_LT(result.error, 1e-10);
}

TEST(EliminationTree, EvaluationsDoNotAllocate) {
  const Assembly assembly = chains(100, 1);
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size());
  std::size_t before = 0;
  for (int k = 0; k < 3; ++k) {
    if (k == 1) before = allocation_count();
    ASSERT_TRUE(dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), {}, a.data(), nullptr, *work));
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
