#include "integrator/radau.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "integrator/constrained_testing.hpp"
#include "integrator/integrator.hpp"
#include "integrator/radau_tableau.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

namespace rd = radau;
using namespace cosimo::testing;

TEST(RadauTableau, CollocationAndEmbeddedFormula) {
  for (std::size_t i = 0; i < rd::stages; ++i) {
    const rd::Row weights = rd::weights(rd::c[i]);
    for (std::size_t j = 0; j < rd::stages; ++j) EXPECT_NEAR(weights[j], rd::A[i][j], 1e-15);
    for (int power = 0; power < 3; ++power) {
      double sum = 0;
      for (std::size_t j = 0; j < rd::stages; ++j) sum += rd::A[i][j] * std::pow(rd::c[j], power);
      EXPECT_NEAR(sum, std::pow(rd::c[i], power + 1) / (power + 1), 1e-15);
    }
  }
  // Superconvergence at the end, order 3 of the formula within.
  for (int power = 0; power < 5; ++power) {
    double end = 0, error = power == 0 ? rd::mu : 0;
    for (std::size_t j = 0; j < rd::stages; ++j) {
      end += rd::A[2][j] * std::pow(rd::c[j], power);
      error += rd::e_slope[j] * std::pow(rd::c[j], power);
    }
    EXPECT_NEAR(end, 1.0 / (power + 1), 1e-15);
    if (power < 3) {
      EXPECT_NEAR(error, 0, 1e-14);
    } else {
      EXPECT_GT(std::fabs(error), 1e-3);
    }
  }
}

TEST(RadauTableau, EigenvectorsDecouple) {
  const rd::Complex kappa{rd::kappa_real, rd::kappa_imag};
  for (const rd::Complex x : {rd::Complex{rd::mu}, kappa}) {
    const rd::Eigenvectors e = rd::eigenvectors(x);
    for (std::size_t i = 0; i < rd::stages; ++i) {
      rd::Complex right{}, left{};
      for (std::size_t j = 0; j < rd::stages; ++j) {
        right += rd::A[i][j] * e.right[j];
        left += e.left[j] * rd::A[j][i];
      }
      EXPECT_LT(std::abs(right - x * e.right[i]), 1e-16);
      EXPECT_LT(std::abs(left - x * e.left[i]), 1e-14);
    }
  }
  const rd::Eigenvectors a = rd::eigenvectors(rd::mu), b = rd::eigenvectors(kappa);
  const rd::Row x = {0.3, -1.1, 0.7};
  rd::Complex one{}, two{};
  for (std::size_t j = 0; j < rd::stages; ++j) {
    one += a.left[j] * x[j];
    two += b.left[j] * x[j];
  }
  for (std::size_t j = 0; j < rd::stages; ++j)
    EXPECT_NEAR((a.right[j] * one).real() + 2 * (b.right[j] * two).real(), x[j], 1e-14);
}

IntegratorOptions radau_options(double tolerance) {
  IntegratorOptions options;
  options.method = Method::radau;
  options.tolerances = {tolerance, tolerance, tolerance};
  return options;
}

/// Steps of equal size, whatever their error: the tolerances rule the Newton iteration and the projection
/// only.
std::vector<double> equal_steps(const ConstrainedSystem& system, const Begin& begin, double end, int steps) {
  const Tolerances tight{1e-8, 1e-8, 1e-8};
  auto stepper = make_radau_stepper(system, tight);
  const std::size_t n = system.size();
  State from(n, 0), to(n, 0);
  Counters counters;
  std::copy(begin.q.begin(), begin.q.end(), from.q.begin());
  std::copy(begin.v.begin(), begin.v.end(), from.v.begin());
  for (int k = 0; k < steps; ++k) {
    const double h = end / steps;
    from.t = k * h;
    to.t = (k + 1) * h;
    EXPECT_TRUE(system.acceleration(from.t, from.q.data(), from.v.data(), from.a.data(), {0, n}));
    const double error =
        stepper->attempt({from.t, from.q.data(), from.v.data(), from.a.data()}, h, false, to, counters);
    EXPECT_TRUE(std::isfinite(error));
    EXPECT_NE(error, 10) << "the iteration did not converge";
    bool moved = false;
    EXPECT_TRUE(system.project(to.t, to.q.data(), to.v.data(), same_for_both(1e-12, 1e-12), moved));
    std::copy(to.q.begin(), to.q.end(), from.q.begin());
    std::copy(to.v.begin(), to.v.end(), from.v.begin());
  }
  std::vector<double> state(from.q.begin(), from.q.end());
  state.insert(state.end(), from.v.begin(), from.v.end());
  return state;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

void expect_order_five(const ConstrainedSystem& system, const Begin& begin, double end) {
  IntegratorOptions options;
  options.method = Method::rk;
  options.tolerances = {1e-13, 1e-13, 1e-13};
  auto explicit_method = make_integrator(system, options);
  explicit_method->start(0, begin.q, begin.v);
  ASSERT_TRUE(explicit_method->advance(end, {}).ok);
  std::vector<double> reference(explicit_method->position().begin(), explicit_method->position().end());
  reference.insert(reference.end(), explicit_method->velocity().begin(), explicit_method->velocity().end());
  double last = 0;
  for (const int steps : {36, 54, 81}) {
    const double error = distance(equal_steps(system, begin, end, steps), reference);
    if (last > 0) {
      EXPECT_GT(std::log(last / error) / std::log(1.5), 4.5) << steps << " steps, error " << error;
      EXPECT_LT(std::log(last / error) / std::log(1.5), 8) << steps << " steps, error " << error;
    }
    last = error;
  }
}

TEST(Radau, OrderFiveOnThePendulum) {
  expect_order_five(pendulum(), pendulum_at(1.0), 1);
}
TEST(Radau, OrderFiveOnTheDoublePendulum) {
  expect_order_five(double_pendulum(), double_pendulum_at(0.6, 0.9), 0.7);
}
TEST(Radau, OrderFiveWithPrescribedMotion) {
  expect_order_five(driven_pendulum(0.3, 4), driven_pendulum_at(0.3, 4), 0.7);
}

/// The spring's own motion is a thousand times faster than the pendulum's, and damped.
TEST(Radau, StiffSpringCostsFewSteps) {
  const Particles soft = stiff_pendulum(1e4, 1e2), stiff = stiff_pendulum(1e6, 1e3);
  const Begin begin = double_pendulum_at(0.8, 0.8);
  std::int64_t steps[2] = {0, 0};
  for (const Particles* system : {&soft, &stiff}) {
    auto integrator = make_integrator(*system, radau_options(1e-6));
    integrator->start(0, begin.q, begin.v);
    const AdvanceResult result = integrator->advance(5, {});
    ASSERT_TRUE(result.ok) << result.reason << " at " << result.reached;
    steps[system == &stiff] = integrator->status().counters.steps;
  }
  EXPECT_LT(steps[1], 2 * steps[0]);
  EXPECT_LT(steps[1], 500);

  // In the limit the spring is a rod.
  const Particles rods = double_pendulum(), hard = stiff_pendulum(1e9, 1e5);
  auto limit = make_integrator(rods, radau_options(1e-9));
  auto integrator = make_integrator(hard, radau_options(1e-8));
  limit->start(0, begin.q, begin.v);
  integrator->start(0, begin.q, begin.v);
  ASSERT_TRUE(limit->advance(2, {}).ok);
  ASSERT_TRUE(integrator->advance(2, {}).ok);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(integrator->position()[i], limit->position()[i], 1e-5);
}

TEST(Radau, RefusedForOrdinarySystems) {
  const Chain chain(3, {1, 1, 0.1});
  EXPECT_THROW(make_integrator(chain, radau_options(1e-6)), Error);
}

}  // namespace
}  // namespace cosimo
