#include "integrator/state_spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "integrator/whole_testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::WholeSystem;

SpectralBound bound_of(const WholeSystem& system) {
  const State state(system.size(), 0, system.extent());
  StateSpectrum spectrum;
  return spectrum.estimate(system, state);
}

WholeSystem linear_states(double a, double b, double c, double d) {
  WholeSystem system(0, {.z = 2});
  system.rates = [=](double, const Whole& y, double*, double* r) {
    r[0] = a * y.z[0] + b * y.z[1];
    r[1] = c * y.z[0] + d * y.z[1];
  };
  return system;
}

/// Whatever the units of current and voltage are: -1/L and 1/C of any size, and the same product.
TEST(StateSpectrum, OscillatingStatesInAnyUnit) {
  for (const double unit : {1.0, 1e-6, 1e6}) {
    const SpectralBound bound = bound_of(linear_states(0, -100 * unit, 100 / unit, 0));
    EXPECT_NEAR(bound.lambda(), 100, 1e-3);
    EXPECT_NEAR(bound.stable_step(), 1.0 / 100, 1e-6);  // the limit on the imaginary axis
  }
}

TEST(StateSpectrum, DecayingStates) {
  const SpectralBound bound = bound_of(linear_states(-500, 1, 0, -3));
  EXPECT_NEAR(bound.lambda(), 500, 1e-2);
  EXPECT_NEAR(bound.stable_step(), 3.3 / 500, 1e-5);  // on the real axis
}

/// z' = k v acts on the mass like a spring.
TEST(StateSpectrum, StatesAndMotionTogether) {
  WholeSystem system(1, {.z = 1});
  system.rates = [](double, const Whole& y, double* a, double* r) {
    a[0] = -y.z[0];
    r[0] = 1e4 * y.v[0];
  };
  const SpectralBound bound = bound_of(system);
  EXPECT_GE(bound.lambda(), 99.9);
  EXPECT_LE(bound.lambda(), 150);
}

TEST(StateSpectrum, NothingHappens) {
  EXPECT_EQ(bound_of(linear_states(0, 0, 0, 0)).lambda(), 0);
}

}  // namespace
}  // namespace cosimo
