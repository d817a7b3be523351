#include "integrator/rosenbrock.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "integrator/integrator.hpp"
#include "integrator/rodas.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Chain;

Point point(const State& state) {
  return {state.t, state.q.data(), state.v.data(), state.a.data()};
}

StateRef start(StatePool& pool, const System& system) {
  StateRef ref = pool.spare();
  State& state = ref.edit();
  state.t = 0.3;
  for (std::size_t i = 0; i < system.size(); ++i) {
    state.q[i] = std::sin(1.0 + static_cast<double>(i));
    state.v[i] = std::cos(2.0 * static_cast<double>(i));
  }
  EXPECT_TRUE(
      system.acceleration(state.t, state.q.data(), state.v.data(), state.a.data(), {0, system.size()}));
  return ref;
}

/// The method as written for y' = f(t, y), on one mass with J = [[0, 1], [-k, -c]].
Motion plain_step(const System& system, const State& from, double h, double k, double c, double a_t) {
  const double w = 1 / (h * rodas::gamma);
  std::array<Motion, rodas::stages> U;
  Motion Y;
  for (std::size_t s = 0; s < rodas::stages; ++s) {
    Y = {from.q[0], from.v[0]};
    Motion sum;
    for (std::size_t j = 0; j < s; ++j) {
      Y.q += rodas::A[s][j] * U[j].q;
      Y.v += rodas::A[s][j] * U[j].v;
      sum.q += rodas::C[s][j] / h * U[j].q;
      sum.v += rodas::C[s][j] / h * U[j].v;
    }
    double a = 0;
    EXPECT_TRUE(system.acceleration(from.t + rodas::c[s] * h, &Y.q, &Y.v, &a, {0, 1}));
    const double rq = Y.v + sum.q, rv = a + sum.v + rodas::d[s] * h * a_t;
    // [w, -1; k, w + c] U = r
    const double det = w * (w + c) + k;
    U[s] = {((w + c) * rq + rv) / det, (w * rv - k * rq) / det};
  }
  return {Y.q + U.back().q, Y.v + U.back().v};
}

TEST(Rosenbrock, FoldedMethodEqualsThePlainOne) {
  Chain chain(1, {1, 1, 0.3, 0.8, 0.2});
  chain.load = {[](double t) { return std::sin(3 * t); }, [](double t) { return 3 * std::cos(3 * t); }};
  StatePool pool(1);
  const StateRef from = start(pool, chain);
  Tangent tangent(chain.pattern());
  chain.tangent(from->t, from->q.data(), from->v.data(), tangent);
  auto stepper = make_rosenbrock_stepper(chain, {1, 1, 1}, Linear::automatic);
  StateRef to = pool.spare();
  Counters counters;
  to.edit().t = from->t + 0.2;
  EXPECT_LT(stepper->attempt(point(*from), 0.2, false, to.edit(), counters), 1);
  const Motion plain =
      plain_step(chain, *from, 0.2, tangent.k_diag[0], tangent.c_diag[0], 3 * std::cos(3 * from->t));
  EXPECT_NEAR(to->q[0], plain.q, 1e-14);
  EXPECT_NEAR(to->v[0], plain.v, 1e-14);
  EXPECT_EQ(counters.evaluations, 6);
  EXPECT_EQ(counters.solves, 6);
  EXPECT_EQ(counters.factorizations, 1);
}

TEST(Rosenbrock, LastAccelerationsAreThoseOfTheNewState) {
  Chain chain(7, {1, 1, 0.3, 0.8, 0.2});
  // feels the last bits of the time
  chain.load = {[](double t) { return std::sin(1e6 * t); }, [](double) { return 0.0; }};
  auto stepper = make_rosenbrock_stepper(chain, {1, 1, 1}, Linear::automatic);
  StatePool pool(7);
  const StateRef from = start(pool, chain);
  StateRef to = pool.spare();
  Counters counters;
  to.edit().t = (from->t + 0.2) * (1 + 1e-14);
  EXPECT_LT(stepper->attempt(point(*from), 0.2, false, to.edit(), counters), 1);
  std::vector<double> a(7);
  ASSERT_TRUE(chain.acceleration(to->t, to->q.data(), to->v.data(), a.data(), {0, 7}));
  EXPECT_EQ(std::vector<double>(to->a.begin(), to->a.end()), a);
}

/// Blocks, the linear solver, and a repeated attempt do not change what is computed.
TEST(Rosenbrock, EveryWayGivesTheSameStep) {
  constexpr std::size_t n = 1100;
  Chain chain(n, {1, 1, 0.3, 0.8, 0.2});
  StatePool pool(n);
  const StateRef from = start(pool, chain);
  auto step = [&](Linear linear, bool twice) {
    auto stepper = make_rosenbrock_stepper(chain, {1, 1, 1}, linear);
    StateRef to = pool.spare();
    Counters counters;
    if (twice) (void)stepper->attempt(point(*from), 0.4, false, to.edit(), counters);
    EXPECT_LT(stepper->attempt(point(*from), 0.2, twice, to.edit(), counters), 1);
    return to;
  };
  const StateRef reference = step(Linear::structured, false);
  const StateRef again = step(Linear::structured, true), sparse = step(Linear::klu, false);
  chain.claimed_reach = n;
  const StateRef whole = step(Linear::structured, false);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(again->q[i], reference->q[i]);
    EXPECT_EQ(again->v[i], reference->v[i]);
    EXPECT_EQ(whole->q[i], reference->q[i]);
    EXPECT_EQ(whole->v[i], reference->v[i]);
    EXPECT_NEAR(sparse->v[i], reference->v[i], 1e-12);
  }
}

/// Steps far longer than the fastest motion: samples follow the slow one, free of noise.
TEST(Rosenbrock, SamplesOfAStiffMotionAreSmooth) {
  Chain chain(3, {1, 1, 1e6});
  chain.load = {[](double t) { return std::sin(t); }, [](double t) { return std::cos(t); }};
  IntegratorOptions options;
  options.method = Method::rosenbrock;
  options.tolerances = {1e-6, 1e-9, 1e-9};
  auto coarse = make_integrator(chain, options);
  options.tolerances = {1e-9, 1e-13, 1e-13};
  auto fine = make_integrator(chain, options);
  std::vector<double> times, q(100), v(100), q_fine(100), v_fine(100), zero(3);
  for (int i = 1; i <= 100; ++i) times.push_back(0.0621 * i);
  const std::vector<std::int32_t> dofs{0};
  coarse->start(0, zero, zero);
  fine->start(0, zero, zero);
  ASSERT_TRUE(coarse->advance(6.21, {times, dofs, q, v}).ok);
  ASSERT_TRUE(fine->advance(6.21, {times, dofs, q_fine, v_fine}).ok);
  EXPECT_LT(coarse->status().counters.steps, 400);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(q[i], q_fine[i], 2e-8);
    EXPECT_NEAR(v[i], v_fine[i], 2e-8);
  }
}

}  // namespace
}  // namespace cosimo
