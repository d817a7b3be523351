// Friction that sticks, of mechanisms of one or two bodies, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/archive_testing.hpp"
#include "subsystem/alone_testing.hpp"

namespace cosimo {
namespace {

using testing::add_point;
using testing::add_spring_to_origin;
using testing::Alone;
using testing::along_x;

class FrictionRuns : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, FrictionRuns,
                         ::testing::Values(Method::rk, Method::automatic, Method::radau, Method::ida));

/// A mass on a spring to the origin, rubbing on the ground.
PlacedMechanism rubbing_mass(double c, double x, const FrictionSpec& friction) {
  MechanismBuilder builder;
  const BodyId mass = add_point(builder, "mass", 1, x, 0);
  add_spring_to_origin(builder, mass, c);
  builder.add(make_friction("rubbing", along_x(builder, ground), along_x(builder, mass), friction));
  return builder.finish();
}

TEST_P(FrictionRuns, AmplitudesFallByTwoLimitsPerStiffnessEachHalfCycle) {
  const double c = 100, limit = 1, stiffness = 1e6, damping = 1e3, x0 = 0.105;
  Alone alone(rubbing_mass(c, x0, {Along::displacement, stiffness, damping, limit, limit, 0}), GetParam());
  for (int n = 1; n <= 5; ++n) {
    ASSERT_TRUE(alone.advance(n * std::numbers::pi / 10));
    const double amplitude = x0 - n * 2 * limit / c;
    EXPECT_NEAR(alone.x(), n % 2 == 0 ? amplitude : -amplitude, 1e-5) << n;
    // What the slider has taken is the limit times the way.
    const double way = n * (2 * x0 - (n - 1) * 2 * limit / c) - n * 2 * limit / c;
    EXPECT_NEAR(alone.energy(0), 0.5 * c * x0 * x0 - limit * way, 2e-5) << n;
  }
  // Now the spring is weaker than the limit: it stays where it is.
  ASSERT_TRUE(alone.advance(4));
  EXPECT_NEAR(alone.x(), -0.005, 1e-5);
  EXPECT_LT(std::fabs(alone.v()), 1e-7);
}

/// Without damping the spring holds just the limit where the mass turns back.
TEST_P(FrictionRuns, TurnsBackWithLittleOrNoDamping) {
  const double c = 4, limit = 0.5, x0 = 1.05, half = std::numbers::pi / 2;
  for (const double stiffness : {1e4, 1e6, 1e8}) {
    for (const double damping : {0.0, 1e-3, 1.0}) {
      SCOPED_TRACE(::testing::Message() << "stiffness " << stiffness << ", damping " << damping);
      Alone alone(rubbing_mass(c, x0, {Along::displacement, stiffness, damping, limit, limit, 0}), GetParam(),
                  1e-6, 1e-9);
      const double close = 1e-4 + 3 * limit / stiffness;
      for (int n = 1; n <= 4; ++n) {
        ASSERT_TRUE(alone.advance(n * half));
        const double amplitude = x0 - n * 2 * limit / c;
        EXPECT_NEAR(alone.x(), n % 2 == 0 ? amplitude : -amplitude, close) << n;
      }
      ASSERT_TRUE(alone.advance(5 * half));
      EXPECT_NEAR(alone.x(), 0.05, close) << "held";
    }
  }
}

/// A mass on a belt, held by a spring: sticks until the spring pulls with `limit`, slides back, sticks again.
struct Belt {
  double c = 100, limit = 2, sliding = 1, speed = 0.1, stiffness = 1e7, damping = 3e3;

  PlacedMechanism make() const {
    MechanismBuilder builder;
    const BodyId mass = add_point(builder, "mass", 1, 0, speed);
    const BodyId belt = add_point(builder, "belt", 1e12, 0, speed);
    add_spring_to_origin(builder, mass, c);
    builder.add(make_friction("rubbing", along_x(builder, belt), along_x(builder, mass),
                              {Along::displacement, stiffness, damping, limit, sliding, 0}));
    return builder.finish();
  }
  double omega() const { return std::sqrt(c); }
  double first_slip() const { return limit / (c * speed); }
  double slips() const {
    return 2 / omega() * (std::numbers::pi - std::atan((limit - sliding) * omega() / (c * speed)));
  }
  double sticks() const { return 2 * (limit - sliding) / (c * speed); }
  /// Place of the mass, from the first slip on.
  double x(double t) const {
    double since = std::fmod(t - first_slip(), slips() + sticks());
    if (since > slips()) return (2 * sliding - limit) / c + speed * (since - slips());
    return sliding / c + (limit - sliding) / c * std::cos(omega() * since) +
           speed / omega() * std::sin(omega() * since);
  }
};

TEST_P(FrictionRuns, AMassOnABeltSticksAndSlipsWithTheClosedFormsPeriod) {
  const Belt belt;
  Alone alone(belt.make(), GetParam());
  const double period = belt.slips() + belt.sticks();
  for (int k = 1; k <= 24; ++k) {
    const double t = belt.first_slip() + k * period / 8;
    ASSERT_TRUE(alone.advance(t));
    EXPECT_NEAR(alone.x(), belt.x(t), 2e-5) << k;
  }
}

/// Without a drop of the force it follows the belt until the spring is as strong, and then swings about that
/// place with the amplitude that the belt's speed gives it.
TEST_P(FrictionRuns, CoulombsOscillatorOnABeltSwingsHarmonically) {
  Belt belt;
  belt.limit = belt.sliding;
  Alone alone(belt.make(), GetParam());
  for (int k = 1; k <= 7; ++k) {
    const double since = 0.125 * k * 2 * std::numbers::pi / belt.omega(), t = belt.first_slip() + since;
    ASSERT_TRUE(alone.advance(t));
    EXPECT_NEAR(alone.x(), belt.sliding / belt.c + belt.speed / belt.omega() * std::sin(belt.omega() * since),
                2e-5);
  }
}

TEST_P(FrictionRuns, HoldsForEverBelowTheLimitAndGivesWayAbove) {
  for (const double share : {0.95, 1.05}) {
    MechanismBuilder builder;
    builder.gravity({9.81, 0, 0});
    const BodyId mass = add_point(builder, "mass", 1, 0, 0);
    const double limit = 9.81 / share, stiffness = 1e5;
    builder.add(make_friction("hold", along_x(builder, ground), along_x(builder, mass),
                              {Along::displacement, stiffness, 300, limit, limit, 50}));
    Alone alone(builder.finish(), GetParam(), 1e-6, 1e-9);
    ASSERT_TRUE(alone.advance(5));
    if (share < 1) {
      // The start is a jerk of twice the weight: it slips a little before it holds.
      EXPECT_LT(alone.x(), 3 * 9.81 / stiffness);
      EXPECT_LT(std::fabs(alone.v()), 1e-7);
    } else {
      EXPECT_NEAR(alone.v(), (9.81 - limit) / 50, 1e-5) << "creeps against the damper";
    }
  }
}

/// Before it slides the mass moves less than the tolerances can tell, and an explicit step is not stable.
TEST_P(FrictionRuns, GivesWayWithADamperFarTooStrong) {
  for (const double damping : {1e8, 1e9, 1e10, 1e12}) {
    MechanismBuilder builder;
    builder.gravity({9.81, 0, 0});
    const BodyId mass = add_point(builder, "mass", 1, 1, 0);
    builder.add(make_friction("rubbing", along_x(builder, ground), along_x(builder, mass),
                              {Along::displacement, 1e6, damping, 1, 1, 0}));
    Alone alone(builder.finish(), GetParam(), 1e-6, 1e-9);
    ASSERT_TRUE(alone.advance(0.3)) << damping;
    EXPECT_NEAR(alone.v(), 0.3 * 8.81, 1e-5) << damping;
    EXPECT_LT(alone.integrator->status().counters.steps, 1000) << damping;
  }
}

/// A torque about an axis over many turns, of a body of the plane and of one in space.
TEST_P(FrictionRuns, BrakesAWheelOverManyTurns) {
  for (const BodyKind kind : {BodyKind::planar, BodyKind::rigid}) {
    MechanismBuilder builder;
    Frame frame;
    frame.w.z() = 20;
    const BodyId wheel =
        builder.add({.name = "wheel", .kind = kind, .mass = 1, .inertia = Mat3::Identity()}, frame);
    builder.joint("axle", JointKind::revolute, ground, wheel, Vec3::Zero(), Vec3::UnitZ());
    builder.add(make_friction("brake", builder.marker(ground, Vec3::Zero()),
                              builder.marker(wheel, Vec3::Zero()), {Along::angle, 1e4, 100, 5, 5, 0}));
    Alone alone(builder.finish(), GetParam());
    ASSERT_TRUE(alone.advance(2));
    EXPECT_NEAR(alone.energy(0), 0.5 * 10 * 10, 1e-2) << "slows down by 5 per second";
    ASSERT_TRUE(alone.advance(5));
    EXPECT_LT(alone.energy(0), 1e-9) << "at rest";
  }
}

TEST_P(FrictionRuns, TakenBackAndRepeatedGivesTheSameBits) {
  const Belt belt;
  Alone alone(belt.make(), GetParam());
  const auto seen = [&] {
    std::vector<double> all(alone.integrator->position().begin(), alone.integrator->position().end());
    all.insert(all.end(), alone.integrator->velocity().begin(), alone.integrator->velocity().end());
    all.insert(all.end(), alone.integrator->memory().begin(), alone.integrator->memory().end());
    return all;
  };
  ASSERT_TRUE(alone.advance(belt.first_slip() + 0.3 * belt.slips()));
  EXPECT_NE(alone.integrator->memory()[1], 0) << "it slides";
  const auto snapshot = alone.integrator->make_snapshot();
  alone.integrator->save(*snapshot);
  const testing::Bytes bytes = testing::archived(*alone.integrator);
  const double end = belt.first_slip() + 1.2 * (belt.slips() + belt.sticks());
  ASSERT_TRUE(alone.advance(end));
  const std::vector<double> first = seen();
  alone.integrator->restore(*snapshot);
  ASSERT_TRUE(alone.advance(end));
  EXPECT_EQ(seen(), first);
  Alone other(belt.make(), GetParam());
  testing::load(bytes, *other.integrator);
  alone.integrator = std::move(other.integrator);
  ASSERT_TRUE(alone.advance(end));
  EXPECT_EQ(seen(), first) << "from a checkpoint";
}

TEST(Friction, MethodsAgree) {
  const Belt belt;
  std::vector<double> end;
  for (const Method method : {Method::rk, Method::automatic, Method::radau, Method::ida}) {
    Alone alone(belt.make(), method);
    ASSERT_TRUE(alone.advance(1.3));
    end.push_back(alone.x());
  }
  for (const double x : end) EXPECT_NEAR(x, end[0], 2e-6);
}

}  // namespace
}  // namespace cosimo
