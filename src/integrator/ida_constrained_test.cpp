// IDA with constraints, beyond what every method promises (integrator/constrained_test.cpp).
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "integrator/constrained_testing.hpp"
#include "integrator/integrator.hpp"
#include "integrator/top_testing.hpp"

namespace cosimo {
namespace {

using namespace cosimo::testing;

IntegratorOptions ida_options(double tolerance) {
  IntegratorOptions options;
  options.method = Method::ida;
  options.tolerances = {tolerance, tolerance, tolerance};
  return options;
}

/// Wherever a macro step ends, however it is met.
TEST(IdaConstrained, BothLevelsHoldAtEveryMacroPoint) {
  const Particles system = driven_pendulum(0.3, 4);
  const Begin begin = driven_pendulum_at(0.3, 4);
  for (const Stop stop : {Stop::adjusted, Stop::exact, Stop::limit}) {
    IntegratorOptions options = ida_options(1e-6);
    options.stop = stop;
    auto integrator = make_integrator(system, options);
    integrator->start(0, begin.q, begin.v);
    for (int k = 1; k <= 100; ++k) {
      const double t = 0.05 * k;
      ASSERT_TRUE(integrator->advance(t, {}).ok);
      const auto [position, velocity] = system.residuals(t, integrator->position(), integrator->velocity());
      EXPECT_LT(position, 1e-6) << t;
      EXPECT_LT(velocity, 5e-6) << t;  // velocities are as large as 2
    }
  }
}

TEST(IdaConstrained, StiffSpringCostsFewSteps) {
  const Begin begin = double_pendulum_at(0.8, 0.8);
  std::int64_t steps[2] = {0, 0};
  for (const bool stiff : {false, true}) {
    const Particles system = stiff ? stiff_pendulum(1e6, 1e3) : stiff_pendulum(1e4, 1e2);
    auto integrator = make_integrator(system, ida_options(1e-5));
    integrator->start(0, begin.q, begin.v);
    const AdvanceResult result = integrator->advance(3, {});
    ASSERT_TRUE(result.ok) << result.reason;
    steps[stiff] = integrator->status().counters.steps;
  }
  EXPECT_LT(steps[1], 2 * steps[0]);
}

TEST(IdaConstrained, LengthOfTheQuaternionStays) {
  const Top system;
  const Begin begin = top_at(0.6, 20, 1);
  auto integrator = make_integrator(system, ida_options(1e-7));
  integrator->start(0, begin.q, begin.v);
  for (int k = 1; k <= 20; ++k) {
    ASSERT_TRUE(integrator->advance(0.5 * k, {}).ok);
    const auto q = integrator->position();
    EXPECT_NEAR(std::hypot(std::hypot(q[3], q[4]), std::hypot(q[5], q[6])), 1, 1e-6);
  }
}

TEST(IdaConstrained, TakesNoOtherStates) {
  const Particles system = pendulum();
  const Begin begin = pendulum_at(1);
  auto integrator = make_integrator(system, ida_options(1e-6));
  integrator->start(0, begin.q, begin.v);
  EXPECT_THROW(integrator->overwrite({0, 1}, begin.q, begin.v), Bug);
  EXPECT_EQ(integrator->status().method, "ida");
}

}  // namespace
}  // namespace cosimo
