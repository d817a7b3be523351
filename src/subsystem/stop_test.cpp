// Stops of mechanisms of one or two bodies, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "subsystem/alone_testing.hpp"

namespace cosimo {
namespace {

using testing::add_point;
using testing::Alone;
using testing::along_x;

class StopRuns : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, StopRuns,
                         ::testing::Values(Method::rk, Method::automatic, Method::radau, Method::ida));

/// Between stops at 0 and 1, which it meets with the speed v.
PlacedMechanism between_stops(double stiffness, double damping, double exponent, double v, double x = 0.5,
                              double gravity = 0) {
  MechanismBuilder builder;
  builder.gravity({gravity, 0, 0});
  const BodyId mass = add_point(builder, "mass", 1, x, v);
  StopSpec spec;
  spec.along = Along::displacement;
  spec.stiffness = stiffness;
  spec.damping = damping;
  spec.exponent = exponent;
  spec.lower = 0;
  spec.upper = 1;
  builder.add(make_stop("stops", along_x(builder, ground), along_x(builder, mass), spec));
  return builder.finish();
}

TEST_P(StopRuns, ABouncingBodyKeepsItsEnergyAndStaysHalfAPeriod) {
  const double k = 1e4, v = 2, contact = std::numbers::pi / std::sqrt(k);
  Alone alone(between_stops(k, 0, 1, v), GetParam(), 1e-9, 1e-11);
  const double period = 2 * (1 / v + contact);
  const double close = GetParam() == Method::ida ? 1e-6 : 1e-7;  // of a multistep method that begins anew
  for (int n = 1; n <= 5; ++n) {
    // In the middle of the contact above, in the middle below, and back.
    ASSERT_TRUE(alone.advance((n - 1) * period + 0.5 / v + 0.5 * contact));
    EXPECT_NEAR(alone.x(), 1 + v / std::sqrt(k), close) << n;
    EXPECT_NEAR(alone.v(), 0, 100 * close) << n;
    ASSERT_TRUE(alone.advance((n - 0.5) * period + 0.5 / v + 0.5 * contact));
    EXPECT_NEAR(alone.x(), -v / std::sqrt(k), close) << n;
    EXPECT_NEAR(alone.energy(0), 0.5 * v * v, close) << n;
    ASSERT_TRUE(alone.advance(n * period));
    EXPECT_NEAR(alone.x(), 0.5, 10 * close) << n;
    EXPECT_NEAR(alone.v(), v, close) << n;
  }
}

TEST_P(StopRuns, ABodyThatStartsOnTheBoundMeetsItWhereItMoves) {
  const double k = 1e4, v = 2, contact = std::numbers::pi / std::sqrt(k);
  for (const double x : {0.0, 1.0}) {
    const double out = x == 0 ? -1 : 1;
    Alone inwards(between_stops(k, 0, 1, out * v, x), GetParam());
    ASSERT_TRUE(inwards.advance(0.5 * contact));
    EXPECT_NEAR(inwards.x(), x + out * v / std::sqrt(k), 1e-5);
    ASSERT_TRUE(inwards.advance(contact + 0.25));
    EXPECT_NEAR(inwards.x(), 0.5, 1e-5) << "thrown back";
    Alone away(between_stops(k, 0, 1, -out * v, x), GetParam());
    ASSERT_TRUE(away.advance(0.25));
    EXPECT_NEAR(away.x(), 0.5, 1e-5);
    // Too slow to be seen to move by the rounding of its place, or at rest.
    for (const double slow : {1e-12, 0.0}) {
      Alone pulled_off(between_stops(k, 0, 1, out * slow, x, -out * 9.81), GetParam());
      ASSERT_TRUE(pulled_off.advance(0.1));
      EXPECT_NEAR(pulled_off.x(), x - out * 0.5 * 9.81 * 0.01, 1e-5);
      Alone pressed(between_stops(k, 0, 1, out * slow, x, out * 9.81), GetParam());
      ASSERT_TRUE(pressed.advance(contact));
      EXPECT_NEAR(pressed.x(), x + out * 2 * 9.81 / k, 1e-5);
    }
  }
}

TEST_P(StopRuns, DampingTakesEnergyAndNeverPulls) {
  // Rebound far above 1/damping: for a while the buffer follows too slowly to push.
  Alone alone(between_stops(1e4, 3, 1.5, 2), GetParam());
  double before = alone.energy(0), fastest = 0;
  for (int n = 1; n <= 400; ++n) {
    ASSERT_TRUE(alone.advance(0.005 * n));
    const double now = alone.energy(0);
    EXPECT_LE(now, before + 1e-7) << n;
    before = now;
    if (alone.x() > 1 || alone.x() < 0) {
      const double speed_back = alone.x() > 1 ? -alone.v() : alone.v();
      fastest = std::max(fastest, speed_back);
    }
  }
  EXPECT_LT(fastest, 1.0 / 3 + 1e-6) << "pushed no further than to where the damper would pull";
  EXPECT_LT(before, 0.1);
}

TEST_P(StopRuns, AWheelTurnsFromStopToStop) {
  for (const BodyKind kind : {BodyKind::planar, BodyKind::rigid}) {
    MechanismBuilder builder;
    Frame frame;
    frame.w.z() = 3;
    const BodyId wheel =
        builder.add({.name = "wheel", .kind = kind, .mass = 1, .inertia = Mat3::Identity()}, frame);
    builder.joint("axle", JointKind::revolute, ground, wheel, Vec3::Zero(), Vec3::UnitZ());
    StopSpec spec;
    spec.along = Along::angle;
    spec.stiffness = 1e4;
    spec.upper = 10;  // more than a turn
    spec.turns = kind == BodyKind::rigid;
    builder.add(
        make_stop("end", builder.marker(ground, Vec3::Zero()), builder.marker(wheel, Vec3::Zero()), spec));
    Alone alone(builder.finish(), GetParam());
    ASSERT_TRUE(alone.advance(10.0 / 3 + 0.5 * std::numbers::pi / 100));
    EXPECT_NEAR(alone.energy(0), 4.5, 1e-5);
    EXPECT_NEAR(alone.dynamics.kinetic_energy(alone.integrator->position().data(),
                                              alone.integrator->velocity().data()),
                0, 1e-5)
        << "turning back";
  }
}

}  // namespace
}  // namespace cosimo
