// The linear systems of implicit methods on mechanisms, factorised block by block (numerics/block_lu.hpp),
// against dense factors.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include <Eigen/Dense>

#include "mechanics/random_mechanism_testing.hpp"
#include "numerics/kkt_solver.hpp"
#include "numerics/pack_choice.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Assembly;
using cosimo::testing::chains;
using cosimo::testing::random_number;
using cosimo::testing::random_vector;
using cosimo::testing::RandomMechanism;
using cosimo::testing::Rng;
using cosimo::testing::star;
using Complex = std::complex<double>;

/// Bushings between some of the bodies, with stiffness and damping.
void add_bushings(Assembly& assembly, std::size_t count, Rng& rng) {
  const std::size_t bodies = assembly.mechanism.bodies.size();
  for (std::size_t k = 0; k < count; ++k) {
    Marker from, to;
    const std::size_t a = rng() % bodies, b = rng() % bodies;
    from.body = BodyId(a);
    if (b != a) to.body = BodyId(b);
    from.point = random_vector(rng);
    BushingSpec spec;
    for (std::size_t i = 0; i < 6; ++i) {
      spec.law[i].c = std::pow(10.0, 3 * random_number(rng));
      spec.law[i].d = 1;
    }
    assembly.mechanism.elements.push_back(make_bushing("bushing" + std::to_string(k), from, to, spec));
  }
}

/// As systems give them to methods: the rows that others imply are zero.
ConstrainedTangent tangent_of(const Assembly& assembly, const Dynamics& dynamics, Rng& rng) {
  const auto work = dynamics.make_workspace();
  std::vector<double> alpha(dynamics.freedoms()), lambda(dynamics.constraints());
  for (double& x : alpha) x = random_number(rng);
  for (double& x : lambda) x = random_number(rng);
  ConstrainedTangent out;
  dynamics.linearise(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(), out);
  out.dependent.resize(dynamics.constraints());
  dynamics.dependent_rows(0, assembly.q.data(), *work, out.dependent);
  for (auto* block : {&out.J, &out.rate})
    for (SparseEntry& e : *block)
      if (out.is_dependent(static_cast<std::size_t>(e.row))) e.value = 0;
  return out;
}

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// The matrix of numerics/kkt_solver.hpp, eps included.
template <class Scalar>
Matrix<Scalar> dense(std::size_t f, std::size_t m, const ConstrainedTangent& tangent, Scalar g) {
  const auto n = static_cast<Eigen::Index>(f), size = static_cast<Eigen::Index>(f + m);
  Matrix<Scalar> A = Matrix<Scalar>::Zero(size, size);
  for (const SparseEntry& e : tangent.M) A(e.row, e.column) += e.value;
  for (const SparseEntry& e : tangent.C) A(e.row, e.column) += g * e.value;
  for (const SparseEntry& e : tangent.K) A(e.row, e.column) += g * g * e.value;
  std::vector<double> eps(m, 0.0);
  for (const SparseEntry& e : tangent.J) {
    A(e.column, n + e.row) += e.value;
    A(n + e.row, e.column) += e.value;
    eps[static_cast<std::size_t>(e.row)] += 1e-10 * e.value * e.value / std::abs(A(e.column, e.column));
  }
  for (const SparseEntry& e : tangent.rate) A(n + e.row, e.column) += g * e.value;
  for (std::size_t k = 0; k < m; ++k) {
    const auto row = n + static_cast<Eigen::Index>(k);
    A(row, row) = eps[k] > 0 ? -eps[k] : -1.0;
  }
  return A;
}

struct Comparison {
  bool in_blocks = false;
  double error = 0;
  int refinements = 0;
};

/// Unknowns in units in which a body's own inertia and a row's own resistance are one.
template <class Scalar>
Comparison compare(const Assembly& assembly, Scalar g, std::uint64_t seed) {
  Rng rng(seed);
  const Dynamics dynamics = assembly.dynamics();
  const std::size_t f = dynamics.freedoms(), m = dynamics.constraints();
  const ConstrainedTangent tangent = tangent_of(assembly, dynamics, rng);
  const Matrix<Scalar> A = dense<Scalar>(f, m, tangent, g);
  const auto n = static_cast<Eigen::Index>(f);
  Eigen::VectorXd scale(A.rows());
  for (Eigen::Index i = 0; i < n; ++i) scale[i] = 1 / std::sqrt(std::abs(A(i, i)));
  for (Eigen::Index i = n; i < A.rows(); ++i) {
    const double size = (A.block(i, 0, 1, n) * scale.head(n).asDiagonal()).norm();
    scale[i] = size > 0 ? 1 / size : 1;
  }
  Matrix<Scalar> b(A.rows(), 1);
  for (Eigen::Index i = 0; i < A.rows(); ++i) b(i) = random_number(rng) / scale[i];
  const Matrix<Scalar> scaled = scale.asDiagonal() * A * scale.asDiagonal();
  const Eigen::PartialPivLU<Matrix<Scalar>> factors(scaled);
  const Matrix<Scalar> side = scale.asDiagonal() * b;
  Matrix<Scalar> expected = factors.solve(side);
  for (int k = 0; k < 3; ++k) expected += factors.solve(side - scaled * expected);

  KktSolver<Scalar> solver(f, m, tangent);
  EXPECT_TRUE(solver.factor(tangent, g));
  solver.solve(std::span<Scalar>(b.data(), static_cast<std::size_t>(b.size())));
  const Matrix<Scalar> found = scale.cwiseInverse().asDiagonal() * b;
  return {solver.factors().in_blocks(), (found - expected).norm() / expected.norm(),
          solver.factors().refinements()};
}

Assembly random_assembly(std::uint64_t seed) {
  RandomMechanism mechanism(seed);
  Rng rng(seed + 1000);
  const std::size_t bodies = seed % 50 == 0 ? 90 : 1 + rng() % 24;
  mechanism.grow(bodies, rng() % 3 == 0 ? 1 + rng() % 3 : 0);
  if (rng() % 2 == 0) add_bushings(mechanism.assembly, 1 + rng() % bodies, rng);
  return std::move(mechanism.assembly);
}

TEST(KktBlocks, RandomMechanismsAreSolvedAsByADenseFactor) {
  int by_klu = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Assembly assembly = random_assembly(seed);
    const double h = std::pow(10.0, -4 + static_cast<double>(seed % 5));
    for (const Comparison& result : {compare<double>(assembly, 0.27 * h, seed),
                                     compare<Complex>(assembly, {0.16 * h, 0.18 * h}, seed)}) {
      EXPECT_LT(result.error, 1e-10) << seed;
      by_klu += result.in_blocks ? 0 : 1;
    }
  }
  EXPECT_LT(by_klu, 10);
}

TEST(KktBlocks, StarsRingsAndLooseChainsAreSolvedAsByADenseFactor) {
  for (const Assembly& assembly : {star(70), chains(80, 1, true), chains(70, 2), chains(100, 1)}) {
    const Comparison real = compare<double>(assembly, 1e-3, 1);
    const Comparison complex = compare<Complex>(assembly, {1e-3, 1.2e-3}, 1);
    EXPECT_LT(real.error, 1e-10);
    EXPECT_LT(complex.error, 1e-10);
    EXPECT_TRUE(real.in_blocks && complex.in_blocks);
  }
}

template <class Scalar>
KktSolver<Scalar> solver_of(const Assembly& assembly, ConstrainedTangent& tangent) {
  Rng rng(3);
  const Dynamics dynamics = assembly.dynamics();
  tangent = tangent_of(assembly, dynamics, rng);
  return {dynamics.freedoms(), dynamics.constraints(), tangent};
}

/// The work of a chain or ring grows with its links, all of which run side by side.
TEST(KktBlocks, LinksOfChainsAndRingsRunSideBySide) {
  for (const bool ring : {false, true}) {
    ConstrainedTangent tangent;
    const auto solver = solver_of<double>(chains(600, 1, ring), tangent);
    ASSERT_NE(solver.matrix().blocks(), nullptr);
    const BlockLu::Facts& facts = solver.matrix().blocks()->facts();
    EXPECT_EQ(facts.programs, 1U);
    EXPECT_EQ(facts.in_lanes, facts.leaves);
    EXPECT_GE(facts.leaves, 16U);
    EXPECT_LT(facts.products, 600 * 4000U);
    EXPECT_LT(facts.top_products, facts.products / 8);
  }
}

/// A hub comes after its arms.
TEST(KktBlocks, WorkOfAStarGrowsWithItsArms) {
  ConstrainedTangent tangent;
  const auto solver = solver_of<double>(star(200), tangent);
  ASSERT_NE(solver.matrix().blocks(), nullptr);
  const BlockLu::Facts& facts = solver.matrix().blocks()->facts();
  EXPECT_LT(facts.products, 200 * 4000U);
  EXPECT_EQ(facts.in_lanes, 200U);
}

template <class Scalar>
std::vector<Scalar> solution(const Assembly& assembly, Scalar g) {
  ConstrainedTangent tangent;
  auto solver = solver_of<Scalar>(assembly, tangent);
  EXPECT_TRUE(solver.factor(tangent, g) && solver.factors().in_blocks());
  std::vector<Scalar> x(solver.matrix().size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::cos(static_cast<double>(i));
  solver.solve(x);
  return x;
}

TEST(KktBlocks, SameBitsInAnyPack) {
  const Assembly assembly = chains(150, 1);
  const std::vector<double> real = solution<double>(assembly, 1e-3);
  const std::vector<Complex> complex = solution<Complex>(assembly, {1e-3, 1e-3});
  for (const std::string& processor : pack_choices()) {
    choose_packs(processor);
    EXPECT_EQ(solution<double>(assembly, 1e-3), real) << processor;
    EXPECT_EQ(solution<Complex>(assembly, {1e-3, 1e-3}), complex) << processor;
  }
  choose_packs();
}

TEST(KktBlocks, FactorisingAndSolvingDoNotAllocate) {
  ConstrainedTangent tangent;
  auto solver = solver_of<Complex>(chains(100, 1), tangent);
  std::vector<Complex> b(solver.matrix().size(), 1);
  std::size_t before = 0;
  for (int k = 0; k < 3; ++k) {
    if (k == 1) before = allocation_count();
    ASSERT_TRUE(solver.factor(tangent, {1e-3, 1e-3 + 1e-4 * k}) && solver.factors().in_blocks());
    solver.solve(b);
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
