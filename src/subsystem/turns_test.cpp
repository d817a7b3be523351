// Torsion over many turns, and friction that holds: mechanisms of one body against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "integrator/switch_watch.hpp"
#include "subsystem/alone_testing.hpp"

namespace cosimo {
namespace {

using testing::Alone;

PlacedMechanism torsion_pendulum(BodyKind kind, double stiffness, double rate, bool remembers = false) {
  MechanismBuilder builder;
  Body body{.name = "wheel", .kind = kind, .mass = 1, .inertia = Mat3::Identity()};
  Frame frame;
  // Placed where its angle is near a half turn already.
  frame.R << std::cos(3), -std::sin(3), 0, std::sin(3), std::cos(3), 0, 0, 0, 1;
  frame.w = {0, 0, rate};
  const BodyId wheel = builder.add(body, frame);
  builder.joint("axle", JointKind::revolute, ground, wheel, Vec3::Zero(), Vec3::UnitZ());
  TorsionSpec spec;
  spec.law.c = stiffness;
  spec.turns = remembers;
  builder.add(make_torsion("spring", builder.marker(ground, Vec3::Zero()),
                           builder.marker(wheel, Vec3::Zero()), spec));
  return builder.finish();
}

class Turns : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Turns, ::testing::Values(Method::rk, Method::radau, Method::ida));

TEST_P(Turns, TorsionSwingsThroughManyTurns) {
  // phi = 20 sin(t): three turns to either side.
  Alone alone(torsion_pendulum(BodyKind::planar, 1, 20), GetParam());
  for (const double t : {1.0, 2.5, 5.0, 11.0}) {
    ASSERT_TRUE(alone.integrator->advance(t, {}).ok);
    EXPECT_NEAR(alone.integrator->position()[2] - 3, 20 * std::sin(t), 1e-4) << t;
    EXPECT_NEAR(alone.integrator->velocity()[2], 20 * std::cos(t), 1e-4) << t;
  }
}

TEST_P(Turns, ARigidBodyRemembersItsTurns) {
  Alone alone(torsion_pendulum(BodyKind::rigid, 1, 20, true), GetParam());
  for (const double t : {1.0, 2.5, 5.0, 11.0}) {
    ASSERT_TRUE(alone.advance(t));
    EXPECT_NEAR(alone.integrator->memory()[0], 20 * std::sin(t), 1e-4) << t;
    EXPECT_NEAR(alone.energy(t), 200, 2e-3) << t;
  }
}

/// Taken back in the third turn: the memory goes back with the state.
TEST_P(Turns, AreTakenBackWithTheStep) {
  Alone alone(torsion_pendulum(BodyKind::rigid, 1, 20, true), GetParam());
  ASSERT_TRUE(alone.advance(0.8));
  EXPECT_GT(alone.integrator->memory()[0], 4 * std::numbers::pi);
  const auto snapshot = alone.integrator->make_snapshot();
  alone.integrator->save(*snapshot);
  ASSERT_TRUE(alone.advance(4));
  const std::vector<double> q(alone.integrator->position().begin(), alone.integrator->position().end());
  const double angle = alone.integrator->memory()[0];
  EXPECT_LT(angle, -4 * std::numbers::pi);
  alone.integrator->restore(*snapshot);
  ASSERT_TRUE(alone.advance(4));
  EXPECT_EQ(alone.integrator->memory()[0], angle);
  EXPECT_TRUE(std::equal(q.begin(), q.end(), alone.integrator->position().begin()));
}

/// The x axis of `to` swings through the axis of a torsion spring that no joint keeps: there it has no angle.
TEST_P(Turns, AnAngleWithoutAnAxisEndsTheRunByName) {
  MechanismBuilder builder;
  Frame frame;
  frame.w = {0, -3, 0};
  const BodyId body =
      builder.add({.name = "ball", .kind = BodyKind::rigid, .mass = 1, .inertia = Mat3::Identity()}, frame);
  builder.joint("ball joint", JointKind::spherical, ground, body, Vec3::Zero(), Vec3::UnitZ());
  TorsionSpec spec;
  spec.law.c = 1e-6;
  spec.turns = true;
  builder.add(
      make_torsion("spring", builder.marker(ground, Vec3::Zero()), builder.marker(body, Vec3::Zero()), spec));
  Alone alone(builder.finish(), GetParam());
  const AdvanceResult result = alone.integrator->advance(2, {});
  ASSERT_FALSE(result.ok);
  EXPECT_THAT(std::string(alone.model.mechanism->complaint(result.reached)),
              ::testing::StartsWith("element 'spring': its angle turned by more than half a turn"));
}

/// Where nobody keeps the memory, as in copies of bodies.
TEST_P(Turns, ARigidBodyThatWouldLoseATurnEndsTheRun) {
  Alone within(torsion_pendulum(BodyKind::rigid, 1, 3), GetParam());
  EXPECT_TRUE(within.integrator->advance(5, {}).ok) << "below half a turn";
  Alone beyond(torsion_pendulum(BodyKind::rigid, 1, 20), GetParam());
  const AdvanceResult result = beyond.integrator->advance(5, {});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.reason, turn_lost_reason);
  EXPECT_EQ(reason_of(result, beyond.part),
            "element 'spring' between ground and wheel: " + std::string(turn_lost_reason));
  EXPECT_NEAR(result.reached, std::asin(std::numbers::pi / 20), 0.1);
}

/// On a slope of tan(alpha) the friction that holds is the share tan(alpha)/mu of the whole.
TEST(Friction, HoldsBelowTheAngleOfFrictionWithLessThanSlip) {
  const double mu = 0.5, slip = 1e-3, g = 9.81;
  for (const double share : {0.3, 0.59, 0.9, 0.99}) {
    const double alpha = std::atan(share * mu);
    MechanismBuilder builder;
    builder.gravity(g * Vec3(std::sin(alpha), 0, -std::cos(alpha)));
    Frame frame;
    frame.r = {0, 0, -g * std::cos(alpha) / 1e5};
    const BodyId block = builder.add({.name = "block", .kind = BodyKind::point3, .mass = 1}, frame);
    GroundContactSpec spec;
    spec.stiffness = 1e5;
    spec.damping = 1;
    spec.friction = mu;
    spec.slip = slip;
    builder.add(make_contact("ground", builder.marker(block, frame.r), spec));
    Alone alone(builder.finish(), Method::automatic);
    ASSERT_TRUE(alone.integrator->advance(1, {}).ok);
    const double x = alone.integrator->velocity()[0] / slip;
    EXPECT_LT(x, 1) << share;
    EXPECT_NEAR(0.5 * x * (3 - x * x), share, 1e-4);
  }
}

}  // namespace
}  // namespace cosimo
