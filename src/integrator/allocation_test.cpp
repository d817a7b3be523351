// A steady run allocates nothing: steps, samples, snapshots, lanes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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
                         ::testing::Values(Method::rk, Method::rosenbrock, Method::automatic, Method::ida));

INSTANTIATE_TEST_SUITE_P(OneStepMethods, Allocation,
                         ::testing::Values(Method::rk, Method::rosenbrock, Method::automatic));

}  // namespace
}  // namespace cosimo
