// Derivatives carried through the steps: against differences of advance() itself, over the same steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "integrator/directions_testing.hpp"
#include "integrator/ida_testing.hpp"
#include "integrator/integrator.hpp"

namespace cosimo {
namespace {

using testing::Chain;
using testing::ChainParameters;
using testing::Driven;
using testing::end_value_shape;

constexpr double H = 0.7;
constexpr double start_time = 0.3;

Polynomial input(double constant, double slope) {
  return {2, start_time, H, {constant, slope, 0.1}};
}

/// Two forces and one motion, at the two ends and in the middle.
void add_inputs(Driven& system, const ChainParameters& law) {
  const std::size_t n = system.size();
  system.forces = {{0, input(0.3, 0.4)}, {n - 1, input(-0.5, 0.2)}};
  system.motions = {{n / 2, law, input(0.2, 0.3), input(0.1, -0.4)}};
  system.finish();
}

std::vector<double> wave(std::size_t n, double size, double phase) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = size * std::sin(1.3 * static_cast<double>(i) + phase);
  return x;
}

std::vector<std::int32_t> all(std::size_t n) {
  std::vector<std::int32_t> dofs(n);
  std::iota(dofs.begin(), dofs.end(), 0);
  return dofs;
}

/// An integrator at the beginning of a macro step.
struct MacroStep {
  MacroStep(Driven& driven, const IntegratorOptions& options, double first_step = 0)
      : system(driven), integrator(make_integrator(driven, options)), snapshot(integrator->make_snapshot()) {
    const std::size_t n = system.size();
    integrator->start(start_time - first_step, wave(n, 0.3, 0), wave(n, 0.4, 1));
    if (first_step > 0) {
      EXPECT_TRUE(integrator->advance(start_time, {}).ok);
    }
    integrator->save(*snapshot);
  }

  Directions directions(const Polynomial& shape) {
    Directions out;
    out.shape = shape;
    out.dofs = all(system.size());
    Sampling samples;
    samples.directions = &out;
    if (traced) samples.trace = &trace;
    integrator->restore(*snapshot);
    EXPECT_TRUE(integrator->advance(start_time + H, samples).ok);
    return out;
  }

  /// [q | v] at the end when input i is changed by delta.
  std::vector<double> end(std::size_t i, double delta, const Polynomial& shape) {
    const Polynomial kept = system.input(i);
    system.input(i) = cosimo::testing::varied(kept, delta, shape);
    Trace other;
    Sampling samples;
    if (traced) samples.trace = &other;
    integrator->restore(*snapshot);
    EXPECT_TRUE(integrator->advance(start_time + H, samples).ok);
    if (traced) {
      EXPECT_EQ(other.t, trace.t) << "other steps than without a change";
    }
    system.input(i) = kept;
    std::vector<double> y(integrator->position().begin(), integrator->position().end());
    y.insert(y.end(), integrator->velocity().begin(), integrator->velocity().end());
    return y;
  }

  /// The largest difference between directions and differences, relative to the largest of each.
  double error(const Directions& d, double delta) {
    const std::size_t n = system.size();
    double worst = 0;
    for (std::size_t i = 0; i < system.inputs(); ++i) {
      const auto plus = end(i, delta, d.shape), minus = end(i, -delta, d.shape);
      double q = 0, v = 0, q_error = 0, v_error = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double dq = (plus[k] - minus[k]) / (2 * delta), dv = (plus[n + k] - minus[n + k]) / (2 * delta);
        q = std::max(q, std::abs(dq));
        v = std::max(v, std::abs(dv));
        q_error = std::max(q_error, std::abs(d.q[i * n + k] - dq));
        v_error = std::max(v_error, std::abs(d.v[i * n + k] - dv));
      }
      EXPECT_GT(q, 0);
      EXPECT_GT(v, 0);
      worst = std::max({worst, q_error / q, v_error / v});
    }
    return worst;
  }

  Driven& system;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Snapshot> snapshot;
  bool traced = false;
  Trace trace;
};

IntegratorOptions options_of(Method method, double rtol) {
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {rtol, 1e-3 * rtol, rtol};
  return options;
}

/// Spring 1, mass 1: damping ratio z of a single oscillator.
ChainParameters damped(double z, double cubic = 0) {
  return {1, 1, 2 * z, cubic, cubic * z};
}

constexpr double ratios[] = {0.01, 0.1, 1, 10, 100};

class OneStepDirections : public ::testing::TestWithParam<Method> {};

TEST_P(OneStepDirections, AreExactForLinearSystems) {
  for (const double z : ratios) {
    for (int kappa = 0; kappa <= 3; ++kappa) {
      for (const std::size_t n : {1, 2, 7}) {
        Chain chain(n, damped(z));
        Driven system(chain);
        add_inputs(system, damped(z));
        // Tolerances that a small change cannot touch: the steps are equal ones.
        IntegratorOptions options = options_of(GetParam(), 100);
        options.tolerances.atol_pos = options.tolerances.atol_vel = 100;
        options.max_step = std::min(H / 5, 0.2 / z);
        MacroStep run(system, options, H);
        run.traced = true;
        const Directions d = run.directions(end_value_shape(kappa, start_time, H));
        EXPECT_LT(run.error(d, 1), 1e-9) << "damping ratio " << z << ", kappa " << kappa << ", " << n;
      }
    }
  }
}

TEST_P(OneStepDirections, ConvergeForNonlinearSystems) {
  for (const double z : ratios) {
    for (int kappa = 0; kappa <= 3; ++kappa) {
      Chain chain(5, damped(z, 2));
      Driven system(chain);
      add_inputs(system, damped(z, 1));
      MacroStep exact(system, options_of(GetParam() == Method::rk ? Method::rk : Method::rosenbrock, 1e-11));
      const Polynomial shape = end_value_shape(kappa, start_time, H);
      double errors[2];
      for (int fine : {0, 1}) {
        IntegratorOptions options = options_of(GetParam(), 1e-4);
        options.max_step = H / (fine ? 20 : 5);
        MacroStep run(system, options);
        errors[fine] = exact.error(run.directions(shape), 1e-3);
      }
      EXPECT_LT(errors[0], 3e-2) << "damping ratio " << z << ", kappa " << kappa;
      EXPECT_LT(errors[1], 3e-3) << "damping ratio " << z << ", kappa " << kappa;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, OneStepDirections,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock,
                                           Method::automatic));

class AnyDirections : public ::testing::TestWithParam<Method> {};

TEST_P(AnyDirections, DoNotChangeTheSolution) {
  Chain chain(40, damped(0.2, 1));
  chain.breakpoints = {start_time + 0.25 * H};
  Driven system(chain);
  add_inputs(system, damped(0.2, 1));
  MacroStep run(system, options_of(GetParam(), 1e-6), 1.5 * H);
  auto plain = make_integrator(system, options_of(GetParam(), 1e-6));
  plain->restore(*run.snapshot);
  const Polynomial shape = end_value_shape(2, start_time, H);
  const Directions first = run.directions(shape);
  const Directions second = run.directions(shape);
  EXPECT_EQ(first.q, second.q);
  EXPECT_EQ(first.v, second.v);
  for (int k = 1; k <= 3; ++k) {
    Directions d = first;
    Sampling samples;
    samples.directions = k == 1 ? nullptr : &d;
    if (k > 1) {
      ASSERT_TRUE(run.integrator->advance(start_time + k * H, samples).ok);
    }
    ASSERT_TRUE(plain->advance(start_time + k * H, {}).ok);
    EXPECT_TRUE(std::ranges::equal(plain->position(), run.integrator->position())) << k;
    EXPECT_TRUE(std::ranges::equal(plain->velocity(), run.integrator->velocity())) << k;
  }
}

TEST_P(AnyDirections, WorkOnAnyGraph) {
  for (const bool ring : {false, true}) {
    std::vector<Edge> edges = cosimo::testing::branched_tree();
    if (ring) edges = {{0, 3}, {1, 3}, {1, 4}, {2, 4}, {0, 2}, {5, 8}, {6, 8}, {6, 7}, {5, 7}, {4, 8}};
    cosimo::testing::Network network(9, edges);
    Driven system(network);
    add_inputs(system, damped(0.1, 1));
    MacroStep run(system, options_of(GetParam(), 1e-8), H);
    const Directions d = run.directions(end_value_shape(1, start_time, H));
    EXPECT_LT(run.error(d, 1e-3), 1e-3) << ring;
  }
}

TEST_P(AnyDirections, StartFromZeroInEveryAdvance) {
  Chain chain(6, damped(0.1, 1));
  Driven system(chain);
  add_inputs(system, damped(0.1, 1));
  MacroStep run(system, options_of(GetParam(), 1e-7));
  const Directions first = run.directions(end_value_shape(1, start_time, H));
  Directions none = first;
  Sampling samples;
  samples.directions = &none;
  ASSERT_TRUE(run.integrator->advance(start_time + H, samples).ok);  // no way to go
  EXPECT_EQ(none.q, std::vector<double>(first.q.size()));
  EXPECT_EQ(none.v, std::vector<double>(first.v.size()));
}

TEST_P(AnyDirections, AreLocalOnLongPaths) {
  constexpr std::size_t n = 1000;
  for (const double z : {0.001, 0.3, 30.0}) {
    Directions found[2];
    std::vector<double> state[2];
    for (int whole : {0, 1}) {
      Chain chain(n, {1e-2, 1, 0.2 * z, 0.1, 0.1 * z});
      if (whole) chain.claimed_reach = n;
      Driven system(chain);
      system.forces = {
          {0, input(0.3, 0.4)}, {n / 3, input(1, 0)}, {n / 2, input(1, 0)}, {n - 1, input(1, 0)}};
      system.finish();
      MacroStep run(system, options_of(GetParam(), 1e-4));
      found[whole] = run.directions(end_value_shape(1, start_time, H));
      state[whole].assign(run.integrator->position().begin(), run.integrator->position().end());
    }
    EXPECT_EQ(state[0], state[1]);
    for (std::size_t i = 0; i < 4; ++i) {
      double q = 0, v = 0, q_error = 0, v_error = 0;
      for (std::size_t k = i * n; k < (i + 1) * n; ++k) {
        q = std::max(q, std::abs(found[1].q[k]));
        v = std::max(v, std::abs(found[1].v[k]));
        q_error = std::max(q_error, std::abs(found[0].q[k] - found[1].q[k]));
        v_error = std::max(v_error, std::abs(found[0].v[k] - found[1].v[k]));
      }
      EXPECT_GT(q, 0);
      EXPECT_LE(q_error, 1e-8 * q) << "damping " << z << ", input " << i;
      EXPECT_LE(v_error, 1e-8 * v) << "damping " << z << ", input " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, AnyDirections,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic,
                                           Method::ida));

TEST(IdaDirections, MatchDifferences) {
  for (const double z : ratios) {
    for (int kappa = 0; kappa <= 3; ++kappa) {
      for (const double cubic : {0.0, 1.0}) {
        Chain chain(5, damped(z, cubic));
        Driven system(chain);
        add_inputs(system, damped(z, cubic));
        MacroStep run(system, options_of(Method::ida, 1e-9));
        const Directions d = run.directions(end_value_shape(kappa, start_time, H));
        EXPECT_LT(run.error(d, 1e-2), 1e-4)
            << "damping ratio " << z << ", kappa " << kappa << ", cubic " << cubic;
      }
    }
  }
}

/// Differences over a history would compare other steps and orders. But a linear system that has been at rest
/// is its own direction: its inputs are the shape, its history is zero, and the steps, with all rejections
/// and changes of the order after the jump, are the same.
void expect_own_direction(IntegratorOptions options, double z, int kappa, double breakpoint,
                          double tolerance) {
  constexpr std::size_t n = 6;
  Chain chain(n, damped(z));
  chain.breakpoints = {breakpoint};
  Driven system(chain);
  system.forces = {{1, {}}};
  system.motions = {{n - 1, damped(z), {}, {}}};
  system.finish();
  const Polynomial shape = end_value_shape(kappa, start_time, H);
  const std::vector<double> rest(n);
  for (std::size_t i = 0; i < system.inputs(); ++i) {
    auto integrator = make_integrator(system, options);
    integrator->start(start_time - 5 * H, rest, rest);
    for (int k = -4; k <= 0; ++k) ASSERT_TRUE(integrator->advance(start_time + k * H, {}).ok);
    system.input(i) = shape;
    Directions d;
    d.shape = shape;
    d.dofs = all(n);
    Sampling samples;
    samples.directions = &d;
    ASSERT_TRUE(integrator->advance(start_time + H, samples).ok);
    system.input(i) = {};
    const auto q = integrator->position(), v = integrator->velocity();
    double largest_q = 0, largest_v = 0;
    for (std::size_t k = 0; k < n; ++k) {
      largest_q = std::max(largest_q, std::abs(q[k]));
      largest_v = std::max(largest_v, std::abs(v[k]));
    }
    ASSERT_GT(largest_q, 0);
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_NEAR(d.q[i * n + k], q[k], tolerance * largest_q) << z << ' ' << kappa << ' ' << i << ' ' << k;
      EXPECT_NEAR(d.v[i * n + k], v[k], tolerance * largest_v) << z << ' ' << kappa << ' ' << i << ' ' << k;
    }
  }
}

TEST(IdaDirections, FollowTheStepsFromAHistory) {
  for (const double z : ratios)
    for (int kappa = 0; kappa <= 3; ++kappa)
      expect_own_direction(options_of(Method::ida, 1e-8), z, kappa, 1e9, 1e-4);
}

TEST(IdaDirections, FollowEveryStopAndMatrix) {
  for (const Stop stop : {Stop::adjusted, Stop::exact, Stop::limit}) {
    for (const Linear linear : {Linear::structured, Linear::klu, Linear::dense}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(stop) << static_cast<int>(linear));
      IntegratorOptions options = options_of(Method::ida, 1e-8);
      options.stop = stop;
      options.linear = linear;
      options.limit = 3;
      expect_own_direction(options, 0.1, 1, start_time + 0.4 * H, 1e-4);
    }
  }
}

}  // namespace
}  // namespace cosimo
