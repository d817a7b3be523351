// Stops that throw back with a given share of the speed, and friction that falls with the speed (Stribeck).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/archive_testing.hpp"
#include "subsystem/alone_testing.hpp"

namespace cosimo {
namespace {

using testing::add_point;
using testing::Alone;
using testing::along_x;

class Restitution : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Restitution,
                         ::testing::Values(Method::rk, Method::automatic, Method::radau, Method::ida));

PlacedMechanism thrown(double mass, double speed, const StopSpec& spec, double gravity = 0, double x = 0.9) {
  MechanismBuilder builder;
  builder.gravity({gravity, 0, 0});
  const BodyId body = add_point(builder, "ball", mass, x, speed);
  builder.add(make_stop("wall", along_x(builder, ground), along_x(builder, body), spec));
  return builder.finish();
}

StopSpec wall(double e, double stiffness, double exponent) {
  StopSpec spec;
  spec.along = Along::displacement;
  spec.stiffness = stiffness;
  spec.exponent = exponent;
  spec.restitution = e;
  spec.upper = 1;
  return spec;
}

TEST(RestitutionDamping, SolvesItsEquation) {
  for (const double e : {0.05, 0.3, 0.5, 0.8, 0.95, 0.999}) {
    const double d = restitution_damping(e);
    EXPECT_NEAR(d * (1 + e), std::log((1 + d) / (1 - e * d)), 1e-7) << e;
    EXPECT_GT(d, 0);
    EXPECT_LT(e * d, 1);
  }
  EXPECT_NEAR(restitution_damping(1), 0, 1e-12);
  EXPECT_NEAR(restitution_damping(1 - 1e-6), 1.5e-6, 1e-9) << "the series near 1";
}

TEST_P(Restitution, HoldsAtAnySpeedExponentAndMass) {
  for (const double e : {0.2, 0.5, 0.9})
    for (const double speed : {1e-3, 0.1, 5.0})
      for (const double exponent : {1.0, 1.5, 3.0}) {
        const double mass = speed > 1 ? 4 : 0.5;
        // The wall gives way by about 1e-3 of what the body goes through in a second.
        const double depth = 1e-3 * speed, stiffness = mass * speed * speed / std::pow(depth, exponent + 1);
        Alone alone(thrown(mass, speed, wall(e, stiffness, exponent), 0, 1 - 0.1 * speed), GetParam(), 1e-7,
                    1e-9 * speed);
        ASSERT_TRUE(alone.advance(0.3));
        EXPECT_NEAR(-alone.v() / speed, e, 1e-4) << speed << ' ' << exponent;
      }
}

/// From one wall to the other and back: the speed of each impact is its own.
TEST_P(Restitution, OfEveryImpactInARow) {
  const double e = 0.7;
  StopSpec spec = wall(e, 1e5, 1.5);
  spec.lower = 0.5;
  Alone alone(thrown(1, 2, spec), GetParam());
  double speed = 2, t = 0.1 / speed;
  for (int n = 0; n < 6; ++n) {
    speed *= e;
    ASSERT_TRUE(alone.advance(t + 0.25 / speed));
    EXPECT_NEAR(std::fabs(alone.v()), speed, 1e-4 * speed) << n;
    t += 0.5 / speed + 0.01;
  }
}

/// Pressed on the wall, at first without any speed: it comes to rest there.
TEST_P(Restitution, ABodyThatIsPressedComesToRest) {
  Alone alone(thrown(2, 0, wall(0.5, 1e4, 1), 10, 1), GetParam(), 1e-6, 1e-9);
  ASSERT_TRUE(alone.advance(3));
  EXPECT_NEAR(alone.x() - 1, 2 * 10 / 1e4, 1e-6);
  EXPECT_LT(std::fabs(alone.v()), 1e-5);
}

TEST_P(Restitution, TakesEnergyAndIsTakenBack) {
  Alone alone(thrown(1, 2, wall(0.6, 1e4, 1.5)), GetParam());
  ASSERT_TRUE(alone.advance(0.06));
  const auto snapshot = alone.integrator->make_snapshot();
  alone.integrator->save(*snapshot);
  const testing::Bytes bytes = testing::archived(*alone.integrator);
  double before = alone.energy(0);
  for (int n = 1; n <= 120; ++n) {
    ASSERT_TRUE(alone.advance(0.06 + 1e-3 * n));
    EXPECT_LE(alone.energy(0), before + 1e-7);
    before = alone.energy(0);
  }
  EXPECT_NEAR(before, 0.5 * 1.2 * 1.2, 1e-4);
  ASSERT_TRUE(alone.advance(0.2));
  const double x = alone.x(), v = alone.v();
  alone.integrator->restore(*snapshot);
  ASSERT_TRUE(alone.advance(0.2));
  const double again = alone.x();
  EXPECT_NEAR(again, x, 1e-7) << "with other stops on the way";
  EXPECT_NEAR(alone.v(), v, 1e-6);
  Alone other(thrown(1, 2, wall(0.6, 1e4, 1.5)), GetParam());
  testing::load(bytes, *other.integrator);
  alone.integrator = std::move(other.integrator);
  ASSERT_TRUE(alone.advance(0.2));
  EXPECT_EQ(alone.x(), again) << "from a checkpoint";
}

/// A mass slides until it stops: v' = -S(v)/m, whose time is an integral of one number.
TEST_P(Restitution, FrictionFallsWithTheSpeed) {
  const double limit = 3, sliding = 1, speed = 0.2, v0 = 1;
  for (const double exponent : {1.0, 2.0}) {
    MechanismBuilder builder;
    const BodyId mass = add_point(builder, "mass", 1, 0, v0);
    builder.add(make_friction("rubbing", along_x(builder, ground), along_x(builder, mass),
                              {Along::displacement, 1e6, 1e3, limit, sliding, 0, speed, exponent}));
    Alone alone(builder.finish(), GetParam());
    const auto force = [&](double v) {
      return sliding + (limit - sliding) * std::exp(-std::pow(v / speed, exponent));
    };
    // Time and way from v0 to v by Simpson's rule.
    const auto between = [&](double v, auto weight) {
      constexpr int n = 2000;
      const double h = (v0 - v) / n;
      double sum = 0;
      for (int k = 0; k <= n; ++k) {
        const double u = v + k * h;
        sum += (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2) * weight(u) / force(u);
      }
      return sum * h / 3;
    };
    for (const double v : {0.6, 0.25, 0.05}) {
      ASSERT_TRUE(alone.advance(between(v, [](double) { return 1.0; })));
      EXPECT_NEAR(alone.v(), v, 1e-5) << exponent;
      EXPECT_NEAR(alone.x(), between(v, [](double u) { return u; }), 1e-5);
    }
    ASSERT_TRUE(alone.advance(3));
    EXPECT_LT(std::fabs(alone.v()), 1e-6) << "at rest";
    EXPECT_NEAR(alone.x(), between(0, [](double u) { return u; }), 2e-5);
    EXPECT_LT(alone.energy(0), 1e-4);
  }
}

/// What rubs loses: the energy of a mass on a spring never grows, and in the end the friction holds it.
TEST_P(Restitution, StribeckTakesEnergy) {
  MechanismBuilder builder;
  const BodyId mass = add_point(builder, "mass", 1, 0.2, 0);
  testing::add_spring_to_origin(builder, mass, 100);
  builder.add(make_friction("rubbing", along_x(builder, ground), along_x(builder, mass),
                            {Along::displacement, 1e5, 300, 2, 1, 0, 0.1, 2}));
  Alone alone(builder.finish(), GetParam());
  double before = alone.energy(0);
  for (int n = 1; n <= 200; ++n) {
    ASSERT_TRUE(alone.advance(0.02 * n));
    const double now = alone.energy(0);
    EXPECT_LE(now, before + 1e-6) << n;
    before = now;
  }
  EXPECT_LE(std::fabs(alone.x()), 0.02 + 1e-4);
  EXPECT_LT(std::fabs(alone.v()), 1e-6);
}

}  // namespace
}  // namespace cosimo
