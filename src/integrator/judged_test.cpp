// The error norm in which some of the degrees of freedom count in full and the others little.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "integrator/rk.hpp"
#include "integrator/rosenbrock.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Chain;
using cosimo::testing::Contact;

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

/// Bodies outside `moving` rest at zero.
StateRef start(StatePool& pool, const System& system, std::size_t first, Range moving) {
  StateRef ref = pool.spare();
  State& state = ref.edit();
  for (std::size_t i = 0; i < system.size(); ++i) {
    const bool moves = moving.first <= i && i < moving.last;
    state.q[i] = moves ? number(first + i, 3) : 0;
    state.v[i] = moves ? number(first + i, 4) : 0;
  }
  EXPECT_TRUE(system.acceleration(0, state.q.data(), state.v.data(), state.a.data(), {0, system.size()}));
  return ref;
}

double attempt(Stepper& stepper, const State& from, double h, State& to) {
  Counters counters;
  to.t = from.t + h;
  return stepper.attempt({from.t, from.q.data(), from.v.data(), from.a.data()}, h, false, to, counters);
}

double error_of(const Chain& chain, std::size_t first, Range judged, bool implicit,
                std::optional<Range> moving = {}) {
  const Tolerances tol{1e-3, 1e-4, 1e-3};
  auto stepper = implicit ? make_rosenbrock_stepper(chain, tol, Linear::automatic, judged)
                          : make_rk_stepper(chain, tol, judged);
  StatePool pool(chain.size());
  const StateRef from = start(pool, chain, first, moving.value_or(Range{0, chain.size()}));
  StateRef to = pool.spare();
  return attempt(*stepper, *from, 0.1, to.edit());
}

const Range judged_ranges[] = {{0, 1500}, {0, 700}, {13, 31}, {251, 1499}, {900, 901}};

/// The mean squares of three independent problems, those outside divided by 100^2.
TEST(Judged, OutsideErrorsCountAHundredth) {
  const Range all{0, 1500};
  const Chain large = lonely_bodies(all);
  for (const bool implicit : {false, true})
    for (const Range judged : judged_ranges) {
      auto sum_of = [&](Range bodies) {
        if (bodies.size() == 0) return 0.0;
        const double error = error_of(lonely_bodies(bodies), bodies.first, {}, implicit);
        EXPECT_GT(error, 0);
        return error * error * static_cast<double>(bodies.size());
      };
      const double outside = sum_of({0, judged.first}) + sum_of({judged.last, all.last});
      const double sum = sum_of(judged) + outside / 1e4;
      const double expected = std::sqrt(sum / static_cast<double>(judged.size()));
      EXPECT_NEAR(error_of(large, 0, judged, implicit), expected, 1e-13 * expected)
          << judged.first << ' ' << implicit;
    }
}

/// Where the others rest, or there are none, the norm is that of the judged bodies alone to the bit.
TEST(Judged, NormIsThatOfASmallerProblemWhereTheOthersRest) {
  for (const bool implicit : {false, true})
    for (const Range judged : judged_ranges) {
      Chain large = lonely_bodies({0, 1500});
      std::erase_if(large.contacts, [&](const Contact& contact) {
        return contact.dof < judged.first || contact.dof >= judged.last;
      });
      const double expected = error_of(lonely_bodies(judged), judged.first, {}, implicit);
      EXPECT_EQ(error_of(large, 0, judged, implicit, judged), expected) << judged.first << ' ' << implicit;
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

/// However little the other degrees of freedom count, an infinite state is never a good one.
TEST(Judged, InfiniteStatesAreNeverAccepted) {
  const Chain chain(1000, {1, 1, 0.2, 3, 0.1});
  const Range judged{400, 600};
  auto rk = make_rk_stepper(chain, {}, judged);
  for (const std::size_t bad : {0u, 17u, 390u, 700u, 999u}) {
    StatePool pool(1000);
    StateRef from = start(pool, chain, 0, {0, 1000}), to = pool.spare();
    EXPECT_TRUE(std::isfinite(attempt(*rk, *from, 1e-3, to.edit())));
    from.edit().q[bad] = 1e150;
    ASSERT_TRUE(chain.acceleration(0, from->q.data(), from->v.data(), from.edit().a.data(), {0, 1000}));
    EXPECT_EQ(attempt(*rk, *from, 1e-3, to.edit()), std::numeric_limits<double>::infinity()) << bad;
  }
}

/// Ordinary errors far away from the judged bodies cost no steps.
TEST(Judged, StepsFollowTheJudgedBodies) {
  constexpr std::size_t n = 200;
  Chain chain(n, {1, 1, 0.02, 0});
  std::vector<double> q(n), v(n);
  for (std::size_t i = 0; i < n; ++i) q[i] = i < 100 ? 0.01 * number(i, 0) : number(i, 0);
  for (const Method method : {Method::rk, Method::merson, Method::rosenbrock, Method::automatic}) {
    IntegratorOptions options;
    options.method = method;
    options.tolerances = {0, 1e-9, 1e-9};
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

/// A soft chain, its first mass pushed, with stiff bodies at the far end that rest until the wave is
/// there. The soft half alone would allow steps that are many times too long for them.
class StiffSurroundings : public ::testing::TestWithParam<Method> {
 protected:
  static constexpr std::size_t n = 40, soft = 25;
  static constexpr double stiffness = 1e4, end = 60;

  StiffSurroundings() : chain_(n, {1, 1, 0.1}) {
    for (std::size_t i = soft; i < n; ++i) {  // -stiffness sinh(x): at rest at zero
      chain_.contacts.push_back({i, -stiffness / 2, 1});
      chain_.contacts.push_back({i, stiffness / 2, -1});
    }
    chain_.load = {[](double t) { return std::sin(0.5 * t); },
                   [](double t) { return 0.5 * std::cos(0.5 * t); }};
  }

  std::unique_ptr<Integrator> started(Range judged, double tolerance) const {
    IntegratorOptions options;
    options.method = GetParam();
    options.tolerances = {tolerance, tolerance, tolerance};
    options.judged = judged;
    auto result = make_integrator(chain_, options);
    const std::vector<double> zero(n);
    result->start(0, zero, zero);
    return result;
  }

  Chain chain_;
};

/// Explicit steps grow until the stiff bodies, once in motion, become unstable, and no further. What
/// they do there is neither accurate nor wild, and the judged bodies do not notice.
TEST_P(StiffSurroundings, StepsStayWithinTheirStability) {
  auto some = started({0, soft - 5}, 1e-6), reference = started({}, 1e-8);
  Trace trace;
  Sampling samples;
  samples.trace = &trace;
  const AdvanceResult result = some->advance(end, samples);
  ASSERT_TRUE(result.ok) << result.reached << ' ' << result.reason;
  ASSERT_TRUE(reference->advance(end, {}).ok);
  double moved = 0;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(some->position()[i], reference->position()[i], i < soft ? 1e-5 : 0.1) << i;
    moved = std::max(moved, std::fabs(some->position()[i]));
  }
  EXPECT_GT(moved, 0.1);
  if (GetParam() != Method::rk) return;
  double longest_at_first = 0, longest_in_motion = 0;
  const double omega = std::sqrt(stiffness);
  for (std::size_t k = 1; k < trace.t.size(); ++k) {
    const double h = trace.t[k] - trace.t[k - 1];
    double& longest = trace.t[k] < end / 2 ? longest_at_first : longest_in_motion;
    longest = std::max(longest, h);
  }
  // On the imaginary axis the method is stable up to h omega = 1 and grows by 0.2 % a step at 1.4.
  EXPECT_GT(longest_at_first * omega, 10);
  EXPECT_LT(longest_in_motion * omega, 1.7);
}

std::string name(const ::testing::TestParamInfo<Method>& info) {
  return info.param == Method::rk           ? "rk"
         : info.param == Method::merson     ? "merson"
         : info.param == Method::rosenbrock ? "rosenbrock"
                                            : "automatic";
}

INSTANTIATE_TEST_SUITE_P(OneStepMethods, StiffSurroundings,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic),
                         name);

TEST(Judged, RangesOutsideTheSystemAreRefused) {
  const Chain chain(10, {1, 1, 0});
  for (const Method method : {Method::rk, Method::merson, Method::rosenbrock, Method::automatic}) {
    IntegratorOptions options;
    options.method = method;
    options.judged = {5, 11};
    EXPECT_THROW(make_integrator(chain, options), Bug);
  }
}

}  // namespace
}  // namespace cosimo
