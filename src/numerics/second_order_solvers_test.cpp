// A conformance suite: what every solver promises, on every graph it accepts.
#include "numerics/second_order_solvers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using Make = std::unique_ptr<SecondOrderSolver> (*)(const TangentPattern&);

struct Case {
  std::string name;
  Make make;
  TangentPattern pattern;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

TangentPattern path(std::size_t n) {
  return {n, {}};
}

/// The same graph with its nodes renamed at random.
TangentPattern shuffled(std::size_t n, std::vector<Edge> edges, std::uint64_t seed) {
  std::vector<std::int32_t> name(n);
  std::iota(name.begin(), name.end(), 0);
  const RandomStream random(seed, 0);
  for (std::size_t i = n; i-- > 1;)
    std::swap(name[i], name[static_cast<std::size_t>(random.uniform(i, 0, double(i + 1)))]);
  for (Edge& edge : edges) {
    const auto [a, b] =
        std::minmax(name[static_cast<std::size_t>(edge.a)], name[static_cast<std::size_t>(edge.b)]);
    edge = {a, b};
  }
  return {n, edges};
}

/// Every node hangs on a random earlier one: hubs, long and short branches.
TangentPattern branched_tree(std::size_t n) {
  std::vector<Edge> edges;
  for (std::size_t i = 1; i < n; ++i) {
    const double far = static_cast<double>(std::min<std::size_t>(i, 1 + i % 7));
    const auto back = static_cast<std::int32_t>(RandomStream(11, 0).uniform(i, 0, far));
    const auto node = static_cast<std::int32_t>(i);
    edges.push_back({node - 1 - back, node});
  }
  return shuffled(n, edges, 1);
}

/// A star, a path, a pair and isolated nodes.
TangentPattern forest() {
  return shuffled(20, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 10}, {12, 13}}, 2);
}

/// A lattice: cycles everywhere.
TangentPattern lattice(std::int32_t side) {
  std::vector<Edge> edges;
  for (std::int32_t i = 0; i < side * side; ++i) {
    if (i % side + 1 < side) edges.push_back({i, i + 1});
    if (i + side < side * side) edges.push_back({i, i + side});
  }
  return shuffled(static_cast<std::size_t>(side * side), edges, 3);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&all](std::string graph, const TangentPattern& pattern) {
    if (pattern.is_path()) all.push_back({"path_" + graph, make_path_solver, pattern});
    if (pattern.is_forest()) all.push_back({"tree_" + graph, make_tree_solver, pattern});
    all.push_back({"klu_" + graph, make_klu_solver, pattern});
    all.push_back({"dense_" + graph, make_dense_solver, pattern});
  };
  for (const std::size_t n : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 100u, 101u})
    add("path" + std::to_string(n), path(n));
  add("tree", branched_tree(150));
  add("forest", forest());
  add("ring", shuffled(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}}, 4));
  add("lattice", lattice(9));
  return all;
}

/// Masses, dampers and springs along the edges, some of them pushing (negative stiffness).
Tangent sample_tangent(const TangentPattern& pattern, std::uint64_t seed) {
  Tangent t(pattern);
  const RandomStream mass(seed, 1), damping(seed, 2), stiffness(seed, 3);
  for (std::size_t i = 0; i < pattern.size(); ++i) t.mass[i] = mass.uniform(i, 0.5, 2);
  for (std::size_t e = 0; e < pattern.edges().size(); ++e) {
    const double c = damping.uniform(e, 0, 3), k = stiffness.uniform(e, -1, 9);
    t.c_edge[e] = -c;
    t.k_edge[e] = -k;
    for (const std::int32_t node : {pattern.edges()[e].a, pattern.edges()[e].b}) {
      t.c_diag[static_cast<std::size_t>(node)] += c;
      t.k_diag[static_cast<std::size_t>(node)] += k;
    }
  }
  return t;
}

AlignedVector sample_vector(std::size_t n) {
  AlignedVector x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = RandomStream(9, 9).uniform(i, -1, 1);
  return x;
}

/// (M + g C + g^2 K) x.
AlignedVector apply(const TangentPattern& pattern, const Tangent& t, double g, const AlignedVector& x) {
  AlignedVector cx(x.size()), kx(x.size()), y(x.size());
  multiply(pattern, t.c_diag, t.c_edge, x, cx);
  multiply(pattern, t.k_diag, t.k_edge, x, kx);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = t.mass[i] * x[i] + g * (cx[i] + g * kx[i]);
  return y;
}

AlignedVector solved(const SecondOrderSolver& solver, AlignedVector b) {
  solver.solve(b);
  return b;
}

bool same_bits(const AlignedVector& x, const AlignedVector& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

class EverySolver : public testing::TestWithParam<Case> {
 protected:
  const TangentPattern& pattern() const { return GetParam().pattern; }
  std::size_t size() const { return pattern().size(); }
  std::unique_ptr<SecondOrderSolver> make() const { return GetParam().make(pattern()); }
};
/// Those that have something to be wrong with.
class EverySizedSolver : public EverySolver {};
/// Those whose memory is all ours.
class EveryElimination : public EverySolver {};

std::vector<Case> cases_with(const std::function<bool(const Case&)>& wanted) {
  std::vector<Case> some;
  for (const Case& c : cases())
    if (wanted(c)) some.push_back(c);
  return some;
}

std::string name_of(const testing::TestParamInfo<Case>& test) {
  return test.param.name;
}

INSTANTIATE_TEST_SUITE_P(Solvers, EverySolver, testing::ValuesIn(cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Solvers, EverySizedSolver,
                         testing::ValuesIn(cases_with([](const Case& c) { return c.pattern.size() > 0; })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Solvers, EveryElimination, testing::ValuesIn(cases_with([](const Case& c) {
                           return c.make == make_path_solver || c.make == make_tree_solver;
                         })),
                         name_of);

TEST_P(EverySolver, Solves) {
  const auto solver = make();
  const Tangent tangent = sample_tangent(pattern(), 1);
  const AlignedVector x = sample_vector(size());
  for (const double g : {0.0, 1e-3, 0.3, 2.0}) {
    ASSERT_TRUE(solver->factor(tangent, g));
    const AlignedVector found = solved(*solver, apply(pattern(), tangent, g, x));
    for (std::size_t i = 0; i < size(); ++i)
      EXPECT_NEAR(found[i], x[i], 1e-12) << "g = " << g << ", i = " << i;
  }
}

TEST_P(EverySolver, GivesBackTheSameSolutionFromAdoptedFactors) {
  const auto solver = make(), other = make();
  const Tangent first = sample_tangent(pattern(), 1);
  const AlignedVector b = sample_vector(size());
  ASSERT_TRUE(solver->factor(first, 0.3));
  const AlignedVector before = solved(*solver, b);
  const auto snapshot = solver->factors();
  for (std::uint64_t round = 2; round < 8; ++round) {  // enough to go round any pool
    ASSERT_TRUE(solver->factor(sample_tangent(pattern(), round), 0.5));
    EXPECT_EQ(same_bits(solved(*solver, b), before), size() == 0);
  }
  solver->adopt(snapshot);
  EXPECT_TRUE(same_bits(solved(*solver, b), before));
  EXPECT_EQ(solver->factors(), snapshot);
  other->adopt(snapshot);  // a lane takes over the factors of another
  EXPECT_TRUE(same_bits(solved(*other, b), before));
  ASSERT_TRUE(solver->factor(sample_tangent(pattern(), 9), 0.5));
  EXPECT_TRUE(same_bits(solved(*other, b), before));
  ASSERT_TRUE(solver->factor(first, 0.3));  // and what came between leaves no trace
  EXPECT_TRUE(same_bits(solved(*solver, b), before));
}

TEST_P(EverySolver, HoldsAnyNumberOfSnapshots) {
  const auto solver = make();
  const AlignedVector b = sample_vector(size());
  std::vector<std::shared_ptr<const void>> snapshots;
  std::vector<AlignedVector> solutions;
  for (std::uint64_t round = 0; round < 8; ++round) {
    ASSERT_TRUE(solver->factor(sample_tangent(pattern(), round), 0.4));
    snapshots.push_back(solver->factors());
    solutions.push_back(solved(*solver, b));
  }
  for (std::size_t round = 0; round < 8; ++round) {
    solver->adopt(snapshots[round]);
    EXPECT_TRUE(same_bits(solved(*solver, b), solutions[round])) << round;
  }
}

TEST_P(EverySizedSolver, KeepsItsFactorsWhenTheMatrixIsNotFinite) {
  const auto solver = make();
  const Tangent good = sample_tangent(pattern(), 1);
  const AlignedVector b = sample_vector(size());
  ASSERT_TRUE(solver->factor(good, 0.3));
  const AlignedVector before = solved(*solver, b);
  const auto kept = solver->factors();
  const auto expect_refused = [&](const Tangent& bad, double g) {
    EXPECT_FALSE(solver->factor(bad, g));
    EXPECT_EQ(solver->factors(), kept);
    EXPECT_TRUE(same_bits(solved(*solver, b), before));
  };
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (std::size_t i = 0; i < size(); ++i) {
      Tangent bad = good;
      bad.k_diag[i] = wrong;
      expect_refused(bad, 0.3);
    }
    for (std::size_t e = 0; e < pattern().edges().size(); ++e) {
      Tangent bad = good;
      bad.c_edge[e] = wrong;
      expect_refused(bad, 0.3);
    }
    expect_refused(good, wrong);
  }
  expect_refused(Tangent(pattern()), 0.3);  // all zero
}

TEST_P(EverySizedSolver, RefusesASingularMatrix) {
  Tangent floating = sample_tangent(pattern(), 1);  // held by nothing and without mass
  for (double& k : floating.k_edge) k = -std::abs(k);
  for (double& k : floating.k_diag) k = 0;
  for (std::size_t e = 0; e < pattern().edges().size(); ++e)
    for (const std::int32_t node : {pattern().edges()[e].a, pattern().edges()[e].b})
      floating.k_diag[static_cast<std::size_t>(node)] -= floating.k_edge[e];
  for (double& m : floating.mass) m = 0;
  EXPECT_FALSE(make()->factor(floating, 0.3));
}

TEST_P(EverySolver, RefusesToSolveWithoutFactors) {
  AlignedVector b(size());
  EXPECT_THROW(make()->solve(b), Bug);
  AlignedVector longer(size() + 1);
  const auto solver = make();
  ASSERT_TRUE(solver->factor(sample_tangent(pattern(), 1), 0.1));
  EXPECT_THROW(solver->solve(longer), Bug);
}

TEST(AllocationCounter, SeesPlainAndAlignedMemory) {
  const std::size_t before = allocation_count();
  const AlignedVector x(100);
  EXPECT_EQ(allocation_count(), before + 1);
  const auto number = std::make_unique<int>(1);
  EXPECT_EQ(allocation_count(), before + 2);
  EXPECT_EQ(x.size(), 100u * static_cast<std::size_t>(*number));
}

TEST_P(EveryElimination, DoesNotAllocateInSteadyUse) {
  const auto solver = make();
  const Tangent tangent = sample_tangent(pattern(), 1);
  AlignedVector b = sample_vector(size());
  std::shared_ptr<const void> snapshot;
  const auto macro_step = [&](double g) {  // save, advance with new matrices, roll back, repeat
    const bool first = solver->factor(tangent, g);
    snapshot = solver->factors();
    const bool second = solver->factor(tangent, 2 * g);
    const bool third = solver->factor(tangent, 3 * g);
    solver->solve(b);
    solver->adopt(snapshot);
    return first && second && third;
  };
  const std::size_t cold = allocation_count();
  ASSERT_TRUE(macro_step(0.1));
  ASSERT_TRUE(macro_step(0.2));
  const std::size_t before = allocation_count();
  EXPECT_GT(before, cold);  // the counter counts: the first steps make the factors
  bool good = true;
  for (int i = 1; i < 50; ++i) good = good && macro_step(0.01 * i);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(good);
}

/// Without mass in its outer row the unpivoted elimination cannot start; the others pivot.
TEST(Breakdown, IsReportedByEliminationAndOvercomeByPivoting) {
  const TangentPattern pattern = path(3);
  Tangent t(pattern);
  for (double& m : t.mass) m = 1;
  for (double& k : t.k_edge) k = -1;
  t.k_diag[0] = -1;  // g = 1: the first pivot is 1 - 1 = 0, the matrix is regular
  for (const Make make : {Make{make_path_solver}, Make{make_tree_solver}})
    EXPECT_FALSE(make(pattern)->factor(t, 1));
  const AlignedVector x = sample_vector(3);
  for (const Make make : {Make{make_klu_solver}, Make{make_dense_solver}}) {
    const auto solver = make(pattern);
    ASSERT_TRUE(solver->factor(t, 1));
    const AlignedVector found = solved(*solver, apply(pattern, t, 1, x));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], x[i], 1e-14);
  }
}

TEST(Breakdown, IsReportedWhenAPivotIsOnlyRounding) {
  const TangentPattern pattern = path(1);
  Tangent t(pattern);
  t.mass[0] = 0.3;
  t.c_diag[0] = -0.1;
  EXPECT_FALSE(make_path_solver(pattern)->factor(t, 3));  // 0.3 - 3 * 0.1 is not zero in binary
  EXPECT_FALSE(make_tree_solver(pattern)->factor(t, 3));
}

/// A long path of very different masses and stiffnesses against the general sparse solver.
/// Right-hand sides of one entry each, everywhere: solved one by one in full, and together near that entry.
TEST(PathSolver, FindsTheEndsOfAFadingSolution) {
  for (const std::size_t n : {1, 2, 3, 10, 201, 1000}) {
    for (const double g : {1e-3, 0.5, 5.0, 200.0}) {
      const TangentPattern pattern = path(n);
      const auto solver = make_path_solver(pattern);
      Tangent tangent(pattern);
      for (std::size_t i = 0; i < n; ++i) {
        tangent.mass[i] = 1 + 0.5 * std::sin(double(i));
        tangent.k_diag[i] = 2;
        if (i + 1 < n) tangent.k_edge[i] = -1;
      }
      ASSERT_TRUE(solver->factor(tangent, g));
      for (std::size_t i = 0; i < n; i += 1 + n / 40) {
        std::vector<double> near_one(n), far_one(n), near_full(n), far_full(n);
        const std::size_t k = n - 1 - i;
        Range near_range{i, i + 1}, far_range{k, k + 1};
        near_one[i] = near_full[i] = 2;
        far_one[k] = far_full[k] = -3;
        const NearSide sides[] = {{near_one, near_range}, {far_one, far_range}};
        solver->solve_near(sides);
        solver->solve(near_full);
        solver->solve(far_full);
        if (n == 1000 && g < 0.6) {
          EXPECT_LT(near_range.size(), 100);
        }
        const auto expect_same = [&](const std::vector<double>& x, const std::vector<double>& full, Range r) {
          const double largest =
              std::abs(*std::ranges::max_element(full, {}, [](double y) { return std::abs(y); }));
          for (std::size_t j = 0; j < n; ++j) {
            EXPECT_NEAR(x[j], full[j], 1e-11 * largest) << n << ' ' << g << ' ' << i << ' ' << j;
            if (j < r.first || j >= r.last) {
              EXPECT_EQ(x[j], 0);
            }
          }
        };
        expect_same(near_one, near_full, near_range);
        expect_same(far_one, far_full, far_range);
      }
    }
  }
}

TEST(PathSolver, AgreesWithKluOnALongGradedPath) {
  const TangentPattern pattern = path(5000);
  Tangent t = sample_tangent(pattern, 3);
  for (std::size_t i = 0; i < t.mass.size(); ++i) t.mass[i] *= i % 10 == 0 ? 1e-5 : 1.0;
  const auto klu = make_klu_solver(pattern), fast = make_path_solver(pattern);
  for (const double g : {1e-4, 0.1, 0.5}) {
    ASSERT_TRUE(klu->factor(t, g));
    ASSERT_TRUE(fast->factor(t, g));
    const AlignedVector b = sample_vector(5000);
    const AlignedVector x = solved(*klu, b), y = solved(*fast, b);
    double most = 0, difference = 0;
    for (std::size_t i = 0; i < 5000; ++i) {
      most = std::max(most, std::abs(x[i]));
      difference = std::max(difference, std::abs(x[i] - y[i]));
    }
    EXPECT_LT(difference, 1e-10 * most) << "g = " << g;
  }
}

}  // namespace
}  // namespace cosimo
