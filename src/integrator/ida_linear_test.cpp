#include "integrator/ida_linear.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "integrator/ida_testing.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t n, double size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  Numbers out(n);
  for (double& x : out) x = uniform(engine);
  return out;
}

struct Solution {
  Numbers dq, dv;
};

Solution solve(NewtonMatrix& matrix, double scale, const Numbers& rq, const Numbers& rv) {
  Solution x{Numbers(rq.size()), Numbers(rq.size())};
  matrix.solve(scale, {rq.data(), rv.data()}, x.dq.data(), x.dv.data());
  return x;
}

// Largest relative defect of  cj dq - dv = rq,  K dq + (cj M + C) dv = M rv, row by row.
double defect(const System& system, const Numbers& q, const Numbers& v, double cj, const Solution& x,
              const Numbers& rq, const Numbers& rv) {
  const std::size_t n = system.size();
  Tangent t(system.pattern());
  system.tangent(0, q.data(), v.data(), t);
  Numbers k(n), c(n);
  multiply(system.pattern(), t.k_diag, t.k_edge, x.dq, k);
  multiply(system.pattern(), t.c_diag, t.c_edge, x.dv, c);
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double top = cj * x.dq[i] - x.dv[i] - rq[i];
    worst = std::max(worst, std::abs(top) / (std::abs(cj * x.dq[i]) + std::abs(x.dv[i]) + std::abs(rq[i])));
    const double bottom = k[i] + cj * t.mass[i] * x.dv[i] + c[i] - t.mass[i] * rv[i];
    worst = std::max(
        worst, std::abs(bottom) / (std::abs(t.k_diag[i] * x.dq[i]) + cj * t.mass[i] * std::abs(x.dv[i]) +
                                   t.mass[i] * std::abs(rv[i])));
  }
  return worst;
}

class NewtonMatrices : public ::testing::TestWithParam<Linear> {};
INSTANTIATE_TEST_SUITE_P(Solvers, NewtonMatrices,
                         ::testing::Values(Linear::structured, Linear::klu, Linear::dense));

void check_solutions(const System& system, Linear linear, double length, double speed, double cj0) {
  const std::size_t n = system.size();
  const Numbers q = random_numbers(n, length, 1), v = random_numbers(n, speed, 2);
  auto matrix = make_newton_matrix(system, linear);
  for (double cj : {cj0, 10 * cj0, 1e4 * cj0}) {
    ASSERT_TRUE(matrix->setup(0, {q.data(), v.data()}, cj));
    for (double scale : {1.0, -1.0, 0.8}) {
      Numbers rq = random_numbers(n, speed, 3), rv = random_numbers(n, speed * cj, 4);
      const Solution x = solve(*matrix, scale, rq, rv);
      for (double& r : rq) r *= scale;
      for (double& r : rv) r *= scale;
      EXPECT_LT(defect(system, q, v, cj, x, rq, rv), 1e-11) << "cj " << cj;
    }
  }
}

TEST_P(NewtonMatrices, SolveTheFullSystem) {
  for (std::size_t n : {1U, 2U, 3U, 10U, 31U, 150U})
    check_solutions(testing::Chain(n, testing::table_5_9), GetParam(), 1e-2, 1e2, 1e7);
  std::vector<Edge> ring = testing::branched_tree();
  check_solutions(testing::Network(9, ring), GetParam(), 1, 1, 3);
  ring.push_back({0, 4});
  check_solutions(testing::Network(9, ring), GetParam(), 1, 1, 3);
}

TEST_P(NewtonMatrices, FactorsOutliveTheirMatrixAndLaterSetups) {
  const testing::Chain chain(20, testing::table_5_9);
  const Numbers q = random_numbers(20, 1e-2, 1), v = random_numbers(20, 1e2, 2), r = random_numbers(20, 1, 3);
  auto first = make_newton_matrix(chain, GetParam());
  ASSERT_TRUE(first->setup(0, {q.data(), v.data()}, 1e7));
  const Ref<const Counted> kept = first->factors();
  const Solution want = solve(*first, 1, r, r);
  for (double cj : {2e7, 3e7, 4e7}) ASSERT_TRUE(first->setup(0, {q.data(), v.data()}, cj));
  EXPECT_NE(solve(*first, 1, r, r).dv, want.dv);
  auto second = make_newton_matrix(chain, GetParam());
  second->adopt(kept);
  first->adopt(kept);
  EXPECT_EQ(solve(*first, 1, r, r).dv, want.dv);
  first.reset();
  EXPECT_EQ(solve(*second, 1, r, r).dv, want.dv);
  EXPECT_EQ(solve(*second, 1, r, r).dq, want.dq);
}

TEST_P(NewtonMatrices, AMatrixThatIsNotFiniteKeepsTheOldFactors) {
  const testing::Chain chain(5, testing::table_5_9);
  Numbers q = random_numbers(5, 1e-2, 1);
  const Numbers v = random_numbers(5, 1e2, 2), r = random_numbers(5, 1, 3);
  auto matrix = make_newton_matrix(chain, GetParam());
  ASSERT_TRUE(matrix->setup(0, {q.data(), v.data()}, 1e7));
  const Solution want = solve(*matrix, 1, r, r);
  q[2] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(matrix->setup(0, {q.data(), v.data()}, 2e7));
  EXPECT_EQ(solve(*matrix, 1, r, r).dv, want.dv);
}

}  // namespace
}  // namespace cosimo
