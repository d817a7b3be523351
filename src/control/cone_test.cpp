#include "control/cone.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cosimo {
namespace {

/// Left side of the wave law: ln of the decay over w layers.
double wave_exponent(double w, double tau) {
  return 2 * w * (std::acosh(w / tau) - std::sqrt(1 - tau * tau / (w * w)));
}

TEST(Cone, AUniformChainFollowsTheWaveLaw) {
  for (const double tau : {0.3, 2.0, 10.0, 60.0})
    for (const double level : {4.0, 14.0, 25.0}) {
      const Medium chain{.omega2 = 4.0, .mu = 0};  // omega = 2: H = tau
      const double w = cone_layers(chain, tau, level);
      if (w == 1) continue;
      EXPECT_NEAR(wave_exponent(w, tau), level, 0.02 * level) << "tau " << tau;
    }
}

TEST(Cone, TheBesselFunctionStaysBelowTheBound) {
  for (const double tau : {1.0, 5.0, 20.0}) {
    const double w = std::ceil(cone_layers({.omega2 = 4.0, .mu = 0}, tau, std::log(1e8)));
    EXPECT_LE(std::fabs(std::cyl_bessel_j(2 * w, 2 * tau)), 1e-8);
    EXPECT_GE(std::fabs(std::cyl_bessel_j(2 * (w - 3), 2 * tau)), 1e-9) << "not wasteful either";
  }
}

TEST(Cone, DampingAddsLayersLikeTheSquareRootOfTime) {
  const double level = 16;
  for (const double z : {10.0, 100.0, 1000.0}) {
    const double w = cone_layers({.omega2 = 0, .mu = 2 * z}, 1.0, level);
    // The kernel of diffusion on a chain, e^-z I_w(z), is about exp(-w^2 / (2 z)).
    EXPECT_NEAR(w, std::sqrt(2 * z * level), 0.12 * w) << "z " << z;
  }
  // Both together.
  const double wave = cone_layers({.omega2 = 400, .mu = 0}, 1.0, level);
  const double both = cone_layers({.omega2 = 400, .mu = 80}, 1.0, level);
  EXPECT_NEAR(both, std::sqrt(wave * wave + 80 * level), 0.1 * both);
}

TEST(Cone, TheBestRateIsBest) {
  for (const Medium medium : {Medium{4, 0}, Medium{1e6, 10}, Medium{3, 500}, Medium{0, 2}})
    for (const double H : {1e-3, 1.0, 50.0}) {
      const double s = best_rate(medium, H, 12.0);
      auto layers = [&](double rate) { return (rate * H + 12.0) / decay(medium, rate); };
      for (const double factor : {0.01, 0.5, 0.9, 1.1, 2.0, 100.0})
        EXPECT_LE(layers(s), layers(s * factor) * (1 + 1e-3)) << "H " << H << " factor " << factor;
    }
}

TEST(Cone, ASpringThatPushesApartCarriesNoWaves) {
  EXPECT_EQ(cone_layers({.omega2 = -3, .mu = 2}, 5, 12.0), cone_layers({.omega2 = 0, .mu = 2}, 5, 12.0));
  EXPECT_EQ(cone_layers({.omega2 = 3, .mu = -2}, 5, 12.0), cone_layers({.omega2 = 3, .mu = 0}, 5, 12.0));
}

TEST(Cone, NothingTravelsWithoutASpring) {
  EXPECT_TRUE(std::isinf(decay({}, 1.0)));
  EXPECT_EQ(cone_layers({}, 1.0, 20.0), 1);
}

}  // namespace
}  // namespace cosimo
