// The error norm over some of the degrees of freedom.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "integrator/rk.hpp"
#include "integrator/rosenbrock.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Chain;

double number(std::size_t i, double phase) {
  return std::sin(12.9898 * static_cast<double>(i) + phase);
}

/// Bodies without springs between them, numbered from `first`, each on a contact of its own.
Chain lonely_bodies(Range bodies) {
  Chain chain(bodies.size(), {1, 0, 0});
  for (std::size_t i = bodies.first; i < bodies.last; ++i)
    chain.contacts.push_back({i - bodies.first, -0.5 - 0.1 * number(i, 1), 1 + 0.3 * number(i, 2)});
  return chain;
}

StateRef start(StatePool& pool, const System& system, std::size_t first) {
  StateRef ref = pool.spare();
  State& state = ref.edit();
  for (std::size_t i = 0; i < system.size(); ++i) {
    state.q[i] = number(first + i, 3);
    state.v[i] = number(first + i, 4);
  }
  EXPECT_TRUE(system.acceleration(0, state.q.data(), state.v.data(), state.a.data(), {0, system.size()}));
  return ref;
}

double attempt(Stepper& stepper, const State& from, double h, State& to) {
  Counters counters;
  to.t = from.t + h;
  return stepper.attempt({from.t, from.q.data(), from.v.data(), from.a.data()}, h, false, to, counters);
}

double error_of(const Chain& chain, std::size_t first, Range judged, bool implicit) {
  const Tolerances tol{1e-3, 1e-4, 1e-3};
  auto stepper = implicit ? make_rosenbrock_stepper(chain, tol, Linear::automatic, judged)
                          : make_rk_stepper(chain, tol, judged);
  StatePool pool(chain.size());
  const StateRef from = start(pool, chain, first);
  StateRef to = pool.spare();
  return attempt(*stepper, *from, 0.1, to.edit());
}

TEST(Judged, NormIsThatOfASmallerProblem) {
  const Range all{0, 1500};
  const Chain large = lonely_bodies(all);
  for (const bool implicit : {false, true})
    for (const Range judged :
         {Range{0, 1500}, Range{0, 700}, Range{13, 31}, Range{251, 1499}, Range{900, 901}}) {
      const Chain small = lonely_bodies(judged);
      const double expected = error_of(small, judged.first, {}, implicit);
      EXPECT_GT(expected, 0);
      EXPECT_EQ(error_of(large, 0, judged, implicit), expected) << judged.first << ' ' << implicit;
    }
}

/// Any claimed reach gives the same bits, also where the judged range lies across the windows.
TEST(Judged, BlocksDoNotChangeTheSum) {
  Chain chain(1003, {1, 1, 0.2, 3, 0.1});
  for (const Range judged : {Range{1, 1003}, Range{5, 300}, Range{250, 262}, Range{700, 1001}})
    for (const bool implicit : {false, true}) {
      chain.claimed_reach = chain.size();
      const double whole = error_of(chain, 0, judged, implicit);
      for (const std::size_t reach : {1u, 3u, 9u}) {
        chain.claimed_reach = reach;
        EXPECT_EQ(error_of(chain, 0, judged, implicit), whole) << judged.first << ' ' << reach;
      }
    }
}

/// Other degrees of freedom may have any error, but no infinite state.
TEST(Judged, InfiniteStatesAreNeverAccepted) {
  const Chain chain(1000, {1, 1, 0.2, 3, 0.1});
  const Range judged{400, 600};
  auto rk = make_rk_stepper(chain, {}, judged);
  for (const std::size_t bad : {0u, 17u, 390u, 700u, 999u}) {
    StatePool pool(1000);
    StateRef from = start(pool, chain, 0), to = pool.spare();
    EXPECT_TRUE(std::isfinite(attempt(*rk, *from, 1e-3, to.edit())));
    from.edit().q[bad] = 1e150;
    ASSERT_TRUE(chain.acceleration(0, from->q.data(), from->v.data(), from.edit().a.data(), {0, 1000}));
    EXPECT_EQ(attempt(*rk, *from, 1e-3, to.edit()), std::numeric_limits<double>::infinity()) << bad;
  }
}

/// What happens far away from the judged bodies costs no steps.
TEST(Judged, StepsFollowTheJudgedBodies) {
  constexpr std::size_t n = 200;
  Chain chain(n, {1, 1, 0.02, 0});
  std::vector<double> q(n), v(n);
  for (std::size_t i = 0; i < n; ++i) q[i] = i < 100 ? 1e-3 * number(i, 0) : number(i, 0);
  for (const Method method : {Method::rk, Method::rosenbrock, Method::automatic}) {
    IntegratorOptions options;
    options.method = method;
    options.tolerances = {0, 1e-7, 1e-7};
    auto all = make_integrator(chain, options);
    options.judged = {0, 80};
    auto some = make_integrator(chain, options);
    for (Integrator* it : {all.get(), some.get()}) {
      it->start(0, q, v);
      ASSERT_TRUE(it->advance(5, {}).ok);
    }
    EXPECT_LT(2 * some->status().counters.steps, all->status().counters.steps);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(some->position()[i], all->position()[i], 1e-5);
  }
}

TEST(Judged, RangesOutsideTheSystemAreRefused) {
  const Chain chain(10, {1, 1, 0});
  for (const Method method : {Method::rk, Method::rosenbrock, Method::automatic}) {
    IntegratorOptions options;
    options.method = method;
    options.judged = {5, 11};
    EXPECT_THROW(make_integrator(chain, options), Bug);
  }
}

}  // namespace
}  // namespace cosimo
