// What every integrator promises, whatever its method.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "core/check.hpp"
#include "core/random.hpp"
#include "integrator/integrator.hpp"
#include "integrator/method_testing.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Chain;
using cosimo::testing::distance;
using cosimo::testing::MethodTest;
using cosimo::testing::state;
using cosimo::testing::TimeForce;

struct Start {
  std::vector<double> q, v;
};

Start random_start(std::size_t n, double q, double v) {
  const RandomStream x(7, 1), w(7, 2);
  Start start;
  for (std::size_t i = 0; i < n; ++i) {
    start.q.push_back(x.uniform(i, -q, q));
    start.v.push_back(w.uniform(i, -v, v));
  }
  return start;
}

TimeForce sine(double amplitude, double omega) {
  return {[=](double t) { return amplitude * std::sin(omega * t); },
          [=](double t) { return amplitude * omega * std::cos(omega * t); }};
}

std::vector<double> copy(std::span<const double> x) {
  return {x.begin(), x.end()};
}

class Conformance : public MethodTest {};

/// Two wall springs: omega^2 = 2 c / m, delta = 2 d / m.
TEST_P(Conformance, LinearOscillatorFollowsTolerance) {
  const Chain chain(1, {1, 0.5, 0.05});
  const double delta = 0.05, omega = std::sqrt(1 - delta * delta), end = 10;
  const double decay = std::exp(-delta * end);
  const double x = decay * (std::cos(omega * end) + delta / omega * std::sin(omega * end));
  const double v = -decay / omega * std::sin(omega * end);
  double last = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    auto integrator = make(chain, tolerance);
    integrator->start(0, std::vector{1.0}, std::vector{0.0});
    const AdvanceResult result = integrator->advance(end, {});
    ASSERT_TRUE(result.ok) << result.reason;
    EXPECT_EQ(result.reached, end);
    const double error = std::hypot(integrator->position()[0] - x, integrator->velocity()[0] - v);
    EXPECT_LT(error, 100 * tolerance);
    EXPECT_LT(error, 0.5 * last);
    last = error;
  }
}

TEST_P(Conformance, ReachesEndExactlyInManyPieces) {
  Chain chain(20, {1, 1, 0.01, 1});
  const Start start = random_start(20, 0.5, 0.5);
  auto whole = make(chain, 1e-7), pieces = make(chain, 1e-7);
  whole->start(0, start.q, start.v);
  pieces->start(0, start.q, start.v);
  ASSERT_TRUE(whole->advance(3, {}).ok);
  for (int i = 1; i <= 30; ++i) {
    const AdvanceResult result = pieces->advance(0.1 * i, {});
    ASSERT_TRUE(result.ok) << result.reason;
    EXPECT_EQ(result.reached, 0.1 * i);
  }
  ASSERT_TRUE(pieces->advance(3, {}).ok);
  EXPECT_LT(distance(state(*whole), state(*pieces)), 1e-4);
  EXPECT_GT(pieces->status().counters.steps, 0);
}

TEST_P(Conformance, RestoreThenRepeatGivesTheSameBits) {
  Chain chain(50, {1, 1, 0.05, 2});
  chain.input = sine(1, 2);
  const Start start = random_start(50, 0.5, 0.5);
  auto integrator = make(chain, 1e-6);
  auto snapshot = integrator->make_snapshot();
  integrator->start(0, start.q, start.v);
  ASSERT_TRUE(integrator->advance(1.3, {}).ok);
  integrator->save(*snapshot);
  auto run_on = [&](Integrator& it) {
    EXPECT_TRUE(it.advance(1.7, {}).ok);
    EXPECT_TRUE(it.advance(2.9, {}).ok);
    return state(it);
  };
  const auto first = run_on(*integrator);
  const auto steps = integrator->status().counters.steps;

  // An excursion with other inputs that goes far away leaves no trace.
  integrator->restore(*snapshot);
  chain.input = {[](double) { return 1e3; }, [](double) { return 0.0; }};
  EXPECT_TRUE(integrator->advance(4, {}).ok);
  EXPECT_GT(distance(state(*integrator), first), 1);
  chain.input = sine(1, 2);
  integrator->restore(*snapshot);
  EXPECT_EQ(run_on(*integrator), first);
  EXPECT_EQ(integrator->status().counters.steps, steps);

  // Neither does it matter which lane goes on, or what that one did before.
  auto lane = make(chain, 1e-6);
  lane->start(0, start.v, start.q);
  ASSERT_TRUE(lane->advance(0.7, {}).ok);
  lane->restore(*snapshot);
  EXPECT_EQ(run_on(*lane), first);
}

TEST_P(Conformance, SnapshotOfTheBeginning) {
  Chain chain(10, {1, 1, 0.05, 2});
  const Start start = random_start(10, 0.5, 0.5);
  auto integrator = make(chain, 1e-6);
  auto snapshot = integrator->make_snapshot();
  integrator->start(0, start.q, start.v);
  integrator->save(*snapshot);
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  const auto first = state(*integrator);
  integrator->restore(*snapshot);
  EXPECT_EQ(copy(integrator->position()), start.q);
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  EXPECT_EQ(state(*integrator), first);
}

TEST_P(Conformance, RefusesForeignAndUnsavedSnapshots) {
  const Chain chain(3, {1, 1, 0.05});
  struct Foreign final : Snapshot {
  } foreign;
  auto integrator = make(chain, 1e-6);
  integrator->start(0, std::vector<double>(3), std::vector<double>(3));
  EXPECT_THROW(integrator->save(foreign), Bug);
  EXPECT_THROW(integrator->restore(foreign), Bug);
  EXPECT_THROW(integrator->restore(*integrator->make_snapshot()), Bug);
}

/// A pulse a thousand times shorter than the steps before it: momentum must arrive.
TEST_P(Conformance, BreakpointsAreNeverMissed) {
  Chain chain(1, {1, 0.5e-3, 0});
  constexpr double at = 7.3, width = 1e-3, height = 1e3;
  chain.load.value = [](double t) {
    const double s = (t - at) / width;
    return s > 0 && s < 1 ? height * 30 * s * s * (1 - s) * (1 - s) : 0.0;
  };
  chain.load.rate = [](double t) {
    const double s = (t - at) / width;
    return s > 0 && s < 1 ? height / width * 60 * s * (1 - s) * (1 - 2 * s) : 0.0;
  };
  chain.breakpoints = {at, at + 0.5 * width, at + width};
  auto integrator = make(chain, 1e-6);
  integrator->start(0, std::vector{0.0}, std::vector{1e-3});
  ASSERT_TRUE(integrator->advance(10, {}).ok);
  EXPECT_LT(integrator->status().counters.steps, 2000);
  const double omega = std::sqrt(1e-3), since = 10 - at - 0.5 * width;
  EXPECT_NEAR(integrator->velocity()[0], std::cos(omega * since), 2e-3);
}

TEST_P(Conformance, SamplesMatchTheMotion) {
  const Chain chain(1, {1, 0.5, 0});
  std::vector<double> times;
  for (int i = 1; i <= 200; ++i) times.push_back(0.05 * i);
  std::vector<double> q(200), v(200);
  const std::vector<std::int32_t> dofs{0};
  auto integrator = make(chain, 1e-7);
  integrator->start(0, std::vector{1.0}, std::vector{0.0});
  ASSERT_TRUE(integrator->advance(times.back(), {times, dofs, q, v}).ok);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(q[i], std::cos(times[i]), 1e-5) << times[i];
    EXPECT_NEAR(v[i], -std::sin(times[i]), 1e-5) << times[i];
  }
  EXPECT_EQ(q.back(), integrator->position()[0]);
  EXPECT_EQ(v.back(), integrator->velocity()[0]);
  EXPECT_LT(integrator->status().counters.steps, 2000);
}

TEST_P(Conformance, SamplingChangesNothing) {
  Chain chain(30, {1, 1, 0.05, 2});
  const Start start = random_start(30, 0.5, 0.5);
  const std::vector<std::int32_t> dofs{29, 3};
  const std::vector<double> times{0.1, 0.11, 0.5, 1.99, 2};
  std::vector<double> q(10), v(10);
  auto with = make(chain, 1e-6), without = make(chain, 1e-6);
  with->start(0, start.q, start.v);
  without->start(0, start.q, start.v);
  ASSERT_TRUE(with->advance(2, {times, dofs, q, v}).ok);
  ASSERT_TRUE(without->advance(2, {}).ok);
  EXPECT_EQ(state(*with), state(*without));
  EXPECT_EQ(q[8], with->position()[29]);
  EXPECT_EQ(v[9], with->velocity()[3]);
}

/// A mass thrown against an exponential wall: trial states deep inside it overflow.
TEST_P(Conformance, OverflowIsRecovered) {
  Chain chain(1, {1, 1e-6, 0});
  chain.contacts = {{0, -1e-3, 2e3}};
  auto integrator = make(chain, 1e-6);
  integrator->start(0, std::vector{-2.0}, std::vector{1.0});
  const AdvanceResult result = integrator->advance(4, {});
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_NEAR(integrator->velocity()[0], -1, 1e-3);
}

TEST_P(Conformance, TooManyStepsIsAResult) {
  const Chain chain(3, {1, 100, 0});
  IntegratorOptions o = options(1e-8);
  o.max_steps = 5;
  auto integrator = make_integrator(chain, o);
  integrator->start(0, std::vector{1.0, 0.0, 0.0}, std::vector{0.0, 0.0, 0.0});
  const AdvanceResult result = integrator->advance(100, {});
  EXPECT_FALSE(result.ok);
  EXPECT_LT(result.reached, 100);
  EXPECT_FALSE(result.reason.empty());
}

/// Pushed over an edge that no step size helps against.
TEST_P(Conformance, EndlessOverflowIsAResult) {
  Chain chain(1, {1, 1, 0});
  chain.contacts = {{0, 1.0, 10.0}};  // pulls outward ever more: infinite in finite time
  auto integrator = make(chain, 1e-6);
  integrator->start(0, std::vector{0.5}, std::vector{1.0});
  const AdvanceResult result = integrator->advance(100, {});
  EXPECT_FALSE(result.ok);
  EXPECT_LT(result.reached, 1);
}

TEST_P(Conformance, MaxStepIsKept) {
  const Chain chain(1, {1, 0.5e-6, 0});
  IntegratorOptions o = options(1e-3);
  o.max_step = 0.01;
  auto integrator = make_integrator(chain, o);
  integrator->start(0, std::vector{1.0}, std::vector{0.0});
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  EXPECT_GE(integrator->status().counters.steps, 90);
}

std::string name(const ::testing::TestParamInfo<Method>& info) {
  switch (info.param) {
    case Method::automatic:
      return "automatic";
    case Method::ida:
      return "ida";
    case Method::rk:
      return "rk";
    case Method::merson:
      return "merson";
    case Method::rosenbrock:
      return "rosenbrock";
    case Method::radau:
      break;
  }
  return "radau";
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Conformance,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic,
                                           Method::ida),
                         name);

}  // namespace
}  // namespace cosimo
