#include "integrator/rk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "integrator/dormand_prince.hpp"
#include "integrator/tableau.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using dp = DormandPrince;
using cosimo::testing::Chain;

StateRef start(StatePool& pool, const System& system, double q, double v) {
  StateRef ref = pool.spare();
  State& state = ref.edit();
  state.t = 0;
  const RandomStream x(3, 1), w(3, 2);
  for (std::size_t i = 0; i < system.size(); ++i) {
    state.q[i] = x.uniform(i, -q, q);
    state.v[i] = w.uniform(i, -v, v);
  }
  EXPECT_TRUE(system.acceleration(0, state.q.data(), state.v.data(), state.a.data(), {0, system.size()}));
  return ref;
}

Point point(const State& state) {
  return {state.t, state.q.data(), state.v.data(), state.a.data()};
}

struct Plain {
  std::vector<double> q, v;
  double error = 0;
};

/// The same method on the first-order form, as it stands in the books.
Plain plain_step(const System& system, const State& from, double h, const Tolerances& tol) {
  const std::size_t n = system.size();
  std::vector<std::vector<double>> kq, kv;
  Plain y;
  for (std::size_t s = 0; s < dp::stages; ++s) {
    y.q.assign(from.q.begin(), from.q.end());
    y.v.assign(from.v.begin(), from.v.end());
    for (std::size_t j = 0; j < s; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        y.q[i] += h * dp::A[s][j] * kq[j][i];
        y.v[i] += h * dp::A[s][j] * kv[j][i];
      }
    std::vector<double> a(n);
    EXPECT_TRUE(system.acceleration(from.t + dp::c[s] * h, y.q.data(), y.v.data(), a.data(), {0, n}));
    kq.push_back(y.v);
    kv.push_back(a);
  }
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double eq = 0, ev = 0;
    for (std::size_t j = 0; j < dp::stages; ++j) {
      eq += h * dp::e[j] * kq[j][i];
      ev += h * dp::e[j] * kv[j][i];
    }
    eq /= tol.atol_pos + tol.rtol * std::max(std::fabs(from.q[i]), std::fabs(y.q[i]));
    ev /= tol.atol_vel + tol.rtol * std::max(std::fabs(from.v[i]), std::fabs(y.v[i]));
    sum += eq * eq + ev * ev;
  }
  y.error = std::sqrt(sum / (2.0 * static_cast<double>(n)));
  return y;
}

TEST(RungeKutta, TableauIsConsistent) {
  for (std::size_t s = 0; s < dp::stages; ++s) {
    const dp::Row bar = times_a<dp>(dp::A[s]);
    double sum = 0, sum_bar = 0;
    for (std::size_t j = 0; j < dp::stages; ++j) {
      sum += dp::A[s][j];
      sum_bar += bar[j];
    }
    EXPECT_NEAR(sum, dp::c[s], 1e-14);
    if (s > 1) {
      EXPECT_NEAR(sum_bar, 0.5 * dp::c[s] * dp::c[s], 1e-14) << s;
    }
  }
}

TEST(RungeKutta, FoldedMethodEqualsThePlainOne) {
  for (const std::size_t n : {1u, 2u, 7u, 100u, 1003u}) {
    Chain chain(n, {1, 1, 0.2, 3, 0.1});
    chain.input = {[](double t) { return std::sin(3 * t); }, {}};
    const Tolerances tol{1e-4, 1e-5, 1e-4};
    auto rk = make_rk_stepper(chain, tol);
    StatePool pool(n);
    const StateRef from = start(pool, chain, 0.7, 0.9);
    StateRef to = pool.spare();
    Counters counters;
    to.edit().t = 0.15;
    const double error = rk->attempt(point(*from), 0.15, false, to.edit(), counters);
    const Plain plain = plain_step(chain, *from, 0.15, tol);
    EXPECT_NEAR(error, plain.error, 1e-9 * plain.error);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(to->q[i], plain.q[i], 2e-15);
      EXPECT_NEAR(to->v[i], plain.v[i], 5e-15);
    }
  }
}

/// Any claimed reach gives the same bits: the wave is only an order of evaluation.
TEST(RungeKutta, WaveAndStageByStageGiveTheSameBits) {
  for (const std::size_t n : {5u, 255u, 256u, 257u, 300u, 513u, 2000u}) {
    Chain chain(n, {1, 1, 0.2, 3, 0.1});
    chain.contacts = {{n / 2, -0.1, 1.0}};
    std::vector<std::vector<double>> results;
    std::vector<double> errors;
    for (const std::size_t reach : {std::size_t{1}, std::size_t{3}, std::size_t{9}, std::size_t{40}, n}) {
      chain.claimed_reach = reach;
      auto rk = make_rk_stepper(chain, {1e-6, 1e-6, 1e-6});
      StatePool pool(n);
      const StateRef from = start(pool, chain, 0.7, 0.9);
      StateRef to = pool.spare();
      Counters counters;
      errors.push_back(rk->attempt(point(*from), 0.1, false, to.edit(), counters));
      results.emplace_back(to->q.begin(), to->q.end());
      results.back().insert(results.back().end(), to->a.begin(), to->a.end());
      EXPECT_EQ(errors.back(), errors.front());
      EXPECT_EQ(results.back(), results.front());
    }
  }
}

TEST(RungeKutta, LastAccelerationsAreThoseOfTheNewState) {
  Chain chain(600, {1, 1, 0.2, 3, 0.1});
  chain.load = {[](double t) { return std::sin(1e6 * t); }, {}};  // feels the last bits of the time
  auto rk = make_rk_stepper(chain, {});
  StatePool pool(600);
  const StateRef from = start(pool, chain, 0.7, 0.9);
  StateRef to = pool.spare();
  Counters counters;
  to.edit().t = 0.1 + 1e-15;
  EXPECT_TRUE(std::isfinite(rk->attempt(point(*from), 0.1, false, to.edit(), counters)));
  std::vector<double> a(600);
  ASSERT_TRUE(chain.acceleration(to->t, to->q.data(), to->v.data(), a.data(), {0, 600}));
  EXPECT_EQ(std::vector<double>(to->a.begin(), to->a.end()), a);
}

TEST(RungeKutta, OverflowIsAnInfiniteError) {
  Chain chain(3, {1, 1, 0});
  chain.contacts = {{1, 1.0, 100.0}};
  auto rk = make_rk_stepper(chain, {});
  StatePool pool(3);
  StateRef from = start(pool, chain, 0.0, 0.0);
  from.edit().v[1] = 100;
  StateRef to = pool.spare();
  Counters counters;
  EXPECT_EQ(rk->attempt(point(*from), 1, false, to.edit(), counters),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace cosimo
