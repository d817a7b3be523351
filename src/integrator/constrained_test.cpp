// What every integrator promises for systems with constraints.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "core/check.hpp"
#include "core/error.hpp"
#include "integrator/constrained_testing.hpp"
#include "integrator/integrator.hpp"
#include "integrator/method_testing.hpp"
#include "integrator/top_testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using namespace cosimo::testing;

class Constrained : public MethodTest {
 protected:
  std::vector<double> run(const System& system, const Begin& begin, double end, double tolerance) const {
    auto integrator = make(system, tolerance);
    integrator->start(0, begin.q, begin.v);
    const AdvanceResult result = integrator->advance(end, {});
    EXPECT_TRUE(result.ok) << result.reason << " at " << result.reached;
    return state(*integrator);
  }
};

std::vector<double> reference(const System& system, const Begin& begin, double end) {
  IntegratorOptions options;
  options.method = Method::rk;
  options.tolerances = {1e-13, 1e-13, 1e-13};
  auto integrator = make_integrator(system, options);
  integrator->start(0, begin.q, begin.v);
  EXPECT_TRUE(integrator->advance(end, {}).ok);
  return state(*integrator);
}

void expect_follows(double error, double tolerance, double& last) {
  EXPECT_LT(error, 300 * tolerance);
  EXPECT_LT(error, 0.5 * last);
  last = error;
}

/// The period of a pendulum: 4 K(sin(angle / 2)) sqrt(l / g), by the arithmetic-geometric mean.
double pendulum_period(double angle) {
  double a = 1, b = std::cos(angle / 2);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * std::numbers::pi / a / std::sqrt(9.81);
}

TEST_P(Constrained, PendulumReturnsAfterItsPeriod) {
  const Particles system = pendulum();
  const Begin begin = pendulum_at(1.2);
  double last = 1;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    const auto end = run(system, begin, pendulum_period(1.2), tolerance);
    expect_follows(distance(end, {begin.q[0], begin.q[1], 0, 0}), tolerance, last);
  }
}

TEST_P(Constrained, DoublePendulumFollowsTolerance) {
  const Particles system = double_pendulum();
  const Begin begin = double_pendulum_at(0.5, 0.5);
  const auto exact = reference(system, begin, 2);
  double last = 1;
  for (const double tolerance : {1e-5, 1e-7, 1e-9})
    expect_follows(distance(run(system, begin, 2, tolerance), exact), tolerance, last);
}

TEST_P(Constrained, PrescribedMotionFollowsTolerance) {
  const Particles system = driven_pendulum(0.3, 4);
  const Begin begin = driven_pendulum_at(0.3, 4);
  const auto exact = reference(system, begin, 2);
  double last = 1;
  for (const double tolerance : {1e-5, 1e-7, 1e-9})
    expect_follows(distance(run(system, begin, 2, tolerance), exact), tolerance, last);
}

/// A thousand periods: neither level drifts away.
TEST_P(Constrained, ResidualsStayBelowToleranceForLong) {
  const Particles system = pendulum();
  const Begin begin = pendulum_at(1.0);
  const double tolerance = 1e-5, period = pendulum_period(1.0);
  auto integrator = make(system, tolerance);
  integrator->start(0, begin.q, begin.v);
  double position = 0, velocity = 0;
  for (int k = 1; k <= 1000; ++k) {
    const AdvanceResult result = integrator->advance(k * period, {});
    ASSERT_TRUE(result.ok) << result.reason << " at " << result.reached;
    const auto [p, v] = system.residuals(k * period, integrator->position(), integrator->velocity());
    position = std::max(position, p);
    velocity = std::max(velocity, v);
  }
  EXPECT_LT(position, tolerance);
  EXPECT_LT(velocity, tolerance);
  // What the methods themselves lose or gain is another matter: 0.1, 0.006 and -0.01 of 4.5 here.
  EXPECT_NEAR(system.energy(integrator->position(), integrator->velocity()), system.energy(begin.q, begin.v),
              0.2);
}

/// Coordinates that are no freedoms: the axis of a top precesses about the vertical at a constant angle if
///   turn^2 cos(angle) (I_across - I_along) - turn I_along spin + weight = 0,   I about the tip.
TEST_P(Constrained, TopPrecessesSteadily) {
  const Top system;
  const double angle = 0.6, spin = 60, along = Top::along, across = Top::across + 0.25;
  const double a = (across - along) * std::cos(angle), b = along * spin, c = Top::gravity * Top::reach_of_tip;
  const double turn = (b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
  const Begin begin = top_at(angle, spin, turn);
  const double end = 0.5 * 2 * std::numbers::pi / turn;
  double last = 1;
  for (const double tolerance : {1e-5, 1e-7}) {
    const auto state = run(system, begin, end, tolerance);
    const std::vector<double> centre{state[0], state[1], state[2]};
    const double error = distance(centre, {-begin.q[0], -begin.q[1], begin.q[2]});
    EXPECT_LT(error, 2000 * tolerance) << tolerance;
    EXPECT_LT(error, 0.5 * last);
    last = error;
    const double energy = system.energy(begin.q, begin.v);
    EXPECT_NEAR(system.energy({state.data(), 7}, {state.data() + 7, 7}), energy, 500 * tolerance * energy);
    const auto [p, v] = system.residuals(end, {state.data(), 7}, {state.data() + 7, 7});
    EXPECT_LT(p, tolerance);
    EXPECT_LT(v, 10 * tolerance);  // the centre moves with 1 m/s, the quaternion with 30 / s
  }
}

TEST_P(Constrained, SameConstraintTwiceChangesNothing) {
  Particles twice = double_pendulum();
  twice.rods.push_back(twice.rods[0]);
  const Begin begin = double_pendulum_at(0.5, 0.7);
  const auto exact = reference(double_pendulum(), begin, 2);
  EXPECT_LT(distance(run(twice, begin, 2, 1e-7), exact), 3e-5);
}

TEST_P(Constrained, RestoreThenRepeatGivesTheSameBits) {
  const Particles system = double_pendulum();
  const Begin begin = double_pendulum_at(0.5, 0.9);
  auto integrator = make(system, 1e-6);
  auto snapshot = integrator->make_snapshot();
  integrator->start(0, begin.q, begin.v);
  ASSERT_TRUE(integrator->advance(0.83, {}).ok);
  integrator->save(*snapshot);
  auto run_on = [](Integrator& it) {
    EXPECT_TRUE(it.advance(1.2, {}).ok);
    EXPECT_TRUE(it.advance(2.9, {}).ok);
    return state(it);
  };
  const auto first = run_on(*integrator);
  const auto counters = integrator->status().counters;
  integrator->restore(*snapshot);
  EXPECT_EQ(run_on(*integrator), first);
  EXPECT_EQ(integrator->status().counters.evaluations, counters.evaluations);

  // Neither does it matter which lane goes on, or what that one did before.
  auto lane = make(system, 1e-6), fresh = make(system, 1e-6);
  const Begin other = double_pendulum_at(-1, 2);
  lane->start(0, other.q, other.v);
  ASSERT_TRUE(lane->advance(1.7, {}).ok);
  lane->restore(*snapshot);
  EXPECT_EQ(run_on(*lane), first);
  fresh->restore(*snapshot);
  EXPECT_EQ(run_on(*fresh), first);
}

TEST_P(Constrained, SamplesMatchTheMotion) {
  const Particles system = double_pendulum();
  const Begin begin = double_pendulum_at(0.5, 0.5);
  std::vector<double> times;
  for (int i = 1; i <= 100; ++i) times.push_back(0.02 * i);
  const std::vector<std::int32_t> dofs{0, 3};
  std::vector<double> q(200), v(200), exact_q(200), exact_v(200);
  IntegratorOptions tight;
  tight.method = Method::rk;
  tight.tolerances = {1e-12, 1e-12, 1e-12};
  auto exact = make_integrator(system, tight);
  exact->start(0, begin.q, begin.v);
  ASSERT_TRUE(exact->advance(2, {times, dofs, exact_q, exact_v}).ok);
  auto with = make(system, 1e-6), without = make(system, 1e-6);
  with->start(0, begin.q, begin.v);
  without->start(0, begin.q, begin.v);
  ASSERT_TRUE(with->advance(2, {times, dofs, q, v}).ok);
  ASSERT_TRUE(without->advance(2, {}).ok);
  EXPECT_LT(distance(q, exact_q), 1e-4);
  EXPECT_LT(distance(v, exact_v), 3e-4);
  EXPECT_EQ(state(*with), state(*without));
}

TEST_P(Constrained, RefusesDirections) {
  const Particles system = pendulum();
  const Begin begin = pendulum_at(1);
  auto integrator = make(system, 1e-6);
  integrator->start(0, begin.q, begin.v);
  Directions directions;
  Sampling samples;
  samples.directions = &directions;
  EXPECT_THROW((void)integrator->advance(1, samples), Bug);
}

class ConstrainedOneStep : public Constrained {};

TEST_P(ConstrainedOneStep, SteadyRunAllocatesNothing) {
  const Particles system = stiff_pendulum(1e6, 1e3);
  const Begin begin = double_pendulum_at(0.5, 0.6);
  auto run = make(system, 1e-5);
  auto snapshot = run->make_snapshot();
  run->start(0, begin.q, begin.v);
  const std::vector<std::int32_t> dofs{0, 3};
  std::vector<double> q(4), v(4);
  auto macro_step = [&](double t) {
    const double times[2] = {t + 0.03, t + 0.1};
    run->save(*snapshot);
    const bool ok = run->advance(t + 0.2, {}).ok;
    run->restore(*snapshot);
    return run->advance(t + 0.1, {times, dofs, q, v}).ok && ok;
  };
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(macro_step(0.1 * i));
  const long before = allocation_count();
  bool ok = true;
  for (int i = 20; i < 40; ++i) ok = macro_step(0.1 * i) && ok;
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_TRUE(ok);
}

/// Other states for one of two pendulums that do not know of each other.
TEST_P(ConstrainedOneStep, OverwrittenStateGoesOn) {
  Particles system;
  system.mass = {1, 1};
  system.rods = {{0, -1, 1}, {1, -1, 1}};
  const Begin a = pendulum_at(0.4), b = pendulum_at(1.1);
  auto integrator = make(system, 1e-7);
  integrator->start(0, std::vector{a.q[0], a.q[1], a.q[0], a.q[1]}, std::vector<double>(4));
  ASSERT_TRUE(integrator->advance(pendulum_period(0.4), {}).ok);
  integrator->overwrite({0, 2}, std::vector{0.0, 0.0, b.q[0], b.q[1]}, std::vector<double>(4));
  ASSERT_TRUE(integrator->advance(pendulum_period(0.4) + pendulum_period(1.1), {}).ok);
  EXPECT_NEAR(integrator->position()[2], b.q[0], 1e-5);
  EXPECT_NEAR(integrator->position()[3], b.q[1], 1e-5);
}

TEST(ConstrainedAuto, TurnsToRadauWhereItIsStiffAndStaysWithRkWhereNot) {
  IntegratorOptions options;
  options.tolerances = {1e-5, 1e-5, 1e-5};
  const Begin begin = double_pendulum_at(0.5, 0.5);
  for (const bool stiff : {false, true}) {
    const Particles system = stiff ? stiff_pendulum(1e8, 1e4) : double_pendulum();
    auto integrator = make_integrator(system, options);
    integrator->start(0, begin.q, begin.v);
    ASSERT_TRUE(integrator->advance(5, {}).ok);
    const Integrator::Status status = integrator->status();
    EXPECT_EQ(status.method, stiff ? "radau" : "rk");
    EXPECT_EQ(status.switches, stiff ? 1 : 0);
    EXPECT_LT(status.counters.steps, 2000);
  }
}

/// The point on the spring swings up and down, hardly visible: only stability limits the step.
Particles trembling_pendulum() {
  return stiff_pendulum(1e5, 0);
}
std::unique_ptr<Integrator> begun(const System& system, Method method, double tolerance) {
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {tolerance, tolerance, tolerance};
  auto integrator = make_integrator(system, options);
  const Begin begin = double_pendulum_at(0.5, 0.5);
  integrator->start(0, begin.q, begin.v);
  return integrator;
}

TEST(ConstrainedAuto, TurnsToMersonWhereItSwings) {
  const Particles system = trembling_pendulum();
  const auto choice = begun(system, Method::automatic, 1e-3), rk = begun(system, Method::rk, 1e-3),
             exact = begun(system, Method::rk, 1e-9);
  for (Integrator* it : {choice.get(), rk.get(), exact.get()}) ASSERT_TRUE(it->advance(3, {}).ok);
  EXPECT_EQ(choice->status().method, "merson");
  EXPECT_GT(2 * choice->status().merson_steps, choice->status().counters.steps);
  EXPECT_LT(2 * choice->status().counters.evaluations, rk->status().counters.evaluations);
  EXPECT_LT(distance(state(*choice), state(*exact)), distance(state(*rk), state(*exact)));
}

TEST(ConstrainedAuto, RestoreThenRepeatAroundTheChangeToMersonGivesTheSameBits) {
  const Particles system = trembling_pendulum();
  const auto one = begun(system, Method::automatic, 1e-3), other = begun(system, Method::automatic, 1e-3);
  const auto snapshot = one->make_snapshot();
  for (int k = 0; k < 60; ++k) {
    one->save(*snapshot);
    ASSERT_TRUE(one->advance(0.01 * (k + 3), {}).ok);
    one->restore(*snapshot);
    ASSERT_TRUE(one->advance(0.01 * (k + 1), {}).ok && other->advance(0.01 * (k + 1), {}).ok);
    ASSERT_EQ(state(*one), state(*other)) << k;
    ASSERT_EQ(one->status().counters.evaluations, other->status().counters.evaluations) << k;
  }
  EXPECT_EQ(one->status().method, "merson");
}

TEST(ConstrainedAuto, AllocatesNothingWithMerson) {
  const Particles system = trembling_pendulum();
  const auto integrator = begun(system, Method::automatic, 1e-3);
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  ASSERT_EQ(integrator->status().method, "merson");
  const std::int64_t looked = integrator->status().counters.evaluations;
  const long before = allocation_count();
  const bool ok = integrator->advance(3, {}).ok;
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_TRUE(ok);
  EXPECT_GT(integrator->status().counters.evaluations, looked + 500);
}

/// Equal steps on a pendulum: half of them, a sixteenth of the error.
TEST(ConstrainedMerson, OrderIsFour) {
  const Particles system = pendulum();
  const Begin begin = pendulum_at(1.2);
  const auto exact = reference(system, begin, 1);
  const auto error = [&](int steps) {
    IntegratorOptions options;
    options.method = Method::merson;
    options.tolerances = {1, 1, 1};
    options.max_step = 1.0 / steps;
    auto integrator = make_integrator(system, options);
    integrator->start(0, begin.q, begin.v);
    for (int i = 1; i <= steps; ++i) EXPECT_TRUE(integrator->advance(1.0 * i / steps, {}).ok);
    EXPECT_EQ(integrator->status().counters.steps, steps);
    return distance(state(*integrator), exact);
  };
  EXPECT_GT(error(80), 1e-11);
  EXPECT_NEAR(std::log2(error(40) / error(80)), 4, 0.3);
}

TEST(ConstrainedSystems, RefuseRosenbrock) {
  IntegratorOptions options;
  options.method = Method::rosenbrock;
  const Particles system = pendulum();
  EXPECT_THROW(make_integrator(system, options), Error);
}

std::string name(const ::testing::TestParamInfo<Method>& info) {
  return info.param == Method::rk       ? "rk"
         : info.param == Method::merson ? "merson"
         : info.param == Method::radau  ? "radau"
         : info.param == Method::ida    ? "ida"
                                        : "automatic";
}

INSTANTIATE_TEST_SUITE_P(Methods, Constrained,
                         ::testing::Values(Method::rk, Method::merson, Method::radau, Method::automatic,
                                           Method::ida),
                         name);
INSTANTIATE_TEST_SUITE_P(Methods, ConstrainedOneStep,
                         ::testing::Values(Method::rk, Method::merson, Method::radau, Method::automatic),
                         name);

}  // namespace
}  // namespace cosimo
