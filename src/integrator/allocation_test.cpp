// A steady run allocates nothing: steps, samples, snapshots, lanes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "integrator/directions_testing.hpp"
#include "integrator/integrator.hpp"
#include "integrator/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

class Allocation : public ::testing::TestWithParam<Method> {};

TEST_P(Allocation, SteadyRunHasNone) {
  constexpr std::size_t n = 300;
  cosimo::testing::Chain chain(n, {1, 1, 0.1, 1});
  chain.input = {[](double t) { return std::sin(t); }, [](double t) { return std::cos(t); }};
  IntegratorOptions options;
  options.method = GetParam();
  auto run = make_integrator(chain, options), comparison = make_integrator(chain, options);
  auto snapshot = run->make_snapshot();
  std::vector<double> start(n, 0.1);
  run->start(0, start, start);
  const std::vector<std::int32_t> dofs{0, 150, 299};
  std::vector<double> q(6), v(6);
  auto macro_step = [&](double t) {
    const double times[2] = {t + 0.03, t + 0.1};
    const Sampling samples{times, dofs, q, v};
    run->save(*snapshot);
    bool ok = run->advance(t + 0.2, {}).ok;
    run->restore(*snapshot);
    comparison->restore(*snapshot);
    ok = ok && comparison->advance(t + 0.1, {}).ok;
    return run->advance(t + 0.1, samples).ok && ok;
  };
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(macro_step(0.1 * i));
  const long before = allocation_count();
  bool ok = true;
  for (int i = 20; i < 60; ++i) ok = macro_step(0.1 * i) && ok;
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_TRUE(ok);
}

/// Overlapping subsystems: copies overwritten at every macro point, common steps, traces, repetitions.
TEST_P(Allocation, OverwritingHasNone) {
  constexpr std::size_t n = 300;
  cosimo::testing::Chain chain(n, {1, 1, 0.1, 1});
  chain.input = {[](double t) { return std::sin(t); }, [](double t) { return std::cos(t); }};
  IntegratorOptions options;
  options.method = GetParam();
  options.judged = {30, 270};
  auto run = make_integrator(chain, options);
  auto snapshot = run->make_snapshot();
  std::vector<double> q(n, 0.1), v(n, 0.1);
  run->start(0, q, v);
  Trace trace;
  trace.dofs = {50, 250};
  Sampling samples;
  samples.trace = &trace;
  auto macro_step = [&](double t) {
    std::copy(run->position().begin(), run->position().end(), q.begin());
    std::copy(run->velocity().begin(), run->velocity().end(), v.begin());
    for (std::size_t i = 0; i < 50; ++i) q[i] *= 1 + 1e-6;
    run->overwrite({50, 250}, q, v);
    run->save(*snapshot);
    run->use_grid(3);
    const bool ok = run->advance(t + 0.2, samples).ok;
    run->restore(*snapshot);
    run->use_grid(2);
    return run->advance(t + 0.1, samples).ok && ok;
  };
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(macro_step(0.1 * i));
  const long before = allocation_count();
  bool ok = true;
  for (int i = 20; i < 60; ++i) ok = macro_step(0.1 * i) && ok;
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_TRUE(ok);
}

/// A mass between stops that slides with a relaxing force on it: states, memory and events in every macro
/// step.
class Rattling final : public System {
 public:
  std::size_t size() const override { return 1; }
  Extent extent() const override { return {.z = 1, .s = 1, .roots = 2}; }
  bool evaluate(double t, const Whole& y, double* a, double* z_rate) const override {
    a[0] = std::sin(20 * t) - y.q[0] - y.z[0] + 0 * y.s[0];
    z_rate[0] = 5 * y.v[0] - y.z[0];
    return true;
  }
  void state_tangent(double t, const Whole&, StateTangent& out) const override {
    out.M.assign(1, {0, 0, 1});
    out.K.assign(1, {0, 0, 1});
    out.z.f_z.assign(1, {0, 0, -1});
    out.z.z_w.assign(1, {0, 0, 5});
    out.z.z_z.assign(1, {0, 0, -1});
    out.a_t[0] = 20 * std::cos(20 * t);
  }
  void commit(double, const Whole& y, double* s) const override { s[0] = std::max(y.s[0], y.q[0]); }
  void roots(double, const Whole& y, double* g) const override {
    g[0] = 0.01 - y.q[0];
    g[1] = y.q[0] + 0.01;
  }
  Fired fire(double, std::span<const std::int8_t> crossed, Editable& y) const override {
    if (crossed[0] < 0 || crossed[1] < 0) y.v[0] = -0.9 * y.v[0];
    return crossed[0] < 0 ? Fired::outputs : Fired::inside;
  }
  // Nobody asks these.
  bool acceleration(double, const double*, const double*, double*, Range) const override { return false; }
  void tangent(double, const double*, const double*, Tangent&) const override {}
  void time_derivative(double, const double*, const double*, double*) const override {}
  const TangentPattern& pattern() const override { return pattern_; }
  std::size_t reach() const override { return 1; }
  std::span<const std::int32_t> driven() const override { return {}; }
  double next_breakpoint(double) const override { return std::numeric_limits<double>::infinity(); }

 private:
  TangentPattern pattern_{1, {}};
};

class WholeAllocation : public ::testing::TestWithParam<Method> {};

TEST_P(WholeAllocation, StatesMemoryAndEventsHaveNone) {
  const Rattling system;
  IntegratorOptions options;
  options.method = GetParam();
  auto run = make_integrator(system, options);
  auto snapshot = run->make_snapshot();
  run->start(0, std::vector{0.0}, std::vector{0.1}, std::vector{0.1}, std::vector{0.0});
  const std::vector<std::int32_t> one{0};
  std::vector<double> q(2), v(2), z(2);
  int events = 0;
  const auto go = [&](double from, double to) {
    const double times[2] = {from + 0.03, to};
    const Sampling samples{{times, one, q, v, one, z}};
    for (;;) {
      const AdvanceResult result = run->advance(to, samples);
      if (!result.early) return result.ok;
      run->fire(result.crossed);
      ++events;
    }
  };
  auto macro_step = [&](double t) {
    run->save(*snapshot);
    const bool ok = go(t, t + 0.2);
    run->restore(*snapshot);
    return go(t, t + 0.1) && ok;
  };
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(macro_step(0.1 * i));
  const long before = static_cast<long>(allocation_count());
  events = 0;
  bool ok = true;
  for (int i = 40; i < 100; ++i) ok = macro_step(0.1 * i) && ok;
  EXPECT_EQ(static_cast<long>(allocation_count()) - before, 0);
  EXPECT_TRUE(ok);
  EXPECT_GT(events, 10);
}

INSTANTIATE_TEST_SUITE_P(Methods, WholeAllocation,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic,
                                           Method::ida));

class DirectionsAllocation : public ::testing::TestWithParam<Method> {};

TEST_P(DirectionsAllocation, CarryingThemHasNone) {
  constexpr std::size_t n = 100;
  const cosimo::testing::Chain chain(n, {1, 1, 0.1, 1});
  cosimo::testing::Driven system(chain);
  system.forces = {{0, {1, 0, 1, {0.1, 0.2}}}, {n - 1, {1, 0, 1, {0.2, -0.1}}}};
  system.finish();
  IntegratorOptions options;
  options.method = GetParam();
  auto run = make_integrator(system, options);
  auto snapshot = run->make_snapshot();
  const std::vector<double> start(n, 0.1);
  run->start(0, start, start);
  Directions directions;
  directions.dofs = {0, static_cast<std::int32_t>(n) - 1};
  Sampling samples;
  samples.directions = &directions;
  auto macro_step = [&](double t) {
    directions.shape = cosimo::testing::end_value_shape(1, t, 0.1);
    run->save(*snapshot);
    const bool ok = run->advance(t + 0.2, samples).ok;
    run->restore(*snapshot);
    return run->advance(t + 0.1, samples).ok && ok;
  };
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(macro_step(0.1 * i));
  const long before = allocation_count();
  bool ok = true;
  for (int i = 20; i < 60; ++i) ok = macro_step(0.1 * i) && ok;
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_TRUE(ok);
}

INSTANTIATE_TEST_SUITE_P(Methods, DirectionsAllocation,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic,
                                           Method::ida));

INSTANTIATE_TEST_SUITE_P(OneStepMethods, Allocation,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock,
                                           Method::automatic));

}  // namespace
}  // namespace cosimo
