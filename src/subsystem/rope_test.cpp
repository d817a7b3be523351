// Ropes over pulleys in motion, against closed forms.
#include "mechanics/rope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/archive_testing.hpp"
#include "subsystem/alone_testing.hpp"

namespace cosimo {
namespace {

using testing::Alone;

constexpr double g = 9.81, radius = 0.2;

BodyId add_mass(MechanismBuilder& builder, const char* name, double mass, double x, double y) {
  Frame frame;
  frame.r = Vec3(x, y, 0);
  return builder.add({.name = name, .kind = BodyKind::point2, .mass = mass}, frame);
}
RopeStation on(const MechanismBuilder& builder, BodyId body, const Vec3& point) {
  RopeStation out;
  out.at = builder.marker(body, point);
  out.placed = marker_frame(builder.frame(body), out.at);
  return out;
}

/// Two masses hang left and right of a drum that turns, or does not (inertia 0).
struct Drum {
  double left = 1, right = 2, inertia = 0, stiffness = 1e6, damping = 2e3, tension = 9.81;
  std::optional<double> friction{};

  PlacedMechanism make() const {
    MechanismBuilder builder;
    builder.gravity({0, -g, 0});
    const BodyId one = add_mass(builder, "left", left, -radius, -3),
                 two = add_mass(builder, "right", right, radius, -3);
    BodyId body = ground;
    if (inertia > 0) {
      Mat3 tensor = Mat3::Zero();
      tensor(2, 2) = inertia;
      body = builder.add({.name = "drum", .kind = BodyKind::planar, .mass = 5, .inertia = tensor}, {});
      builder.joint("axle", JointKind::revolute, ground, body, Vec3::Zero(), Vec3::UnitZ());
    }
    RopeSpec spec;
    spec.stations = {on(builder, one, {-radius, -3, 0}), on(builder, body, Vec3::Zero()),
                     on(builder, two, {radius, -3, 0})};
    spec.stations[1].radius = radius;
    spec.stations[1].sense = -1;
    spec.stations[1].friction = friction;
    spec.stiffness = stiffness;
    spec.damping = damping;
    spec.tension = tension;
    builder.add(make_rope("rope", spec));
    return builder.finish();
  }
};
constexpr std::size_t left_y = 1, right_y = 3;

class RopeRuns : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, RopeRuns,
                         ::testing::Values(Method::rk, Method::automatic, Method::radau, Method::ida));

TEST_P(RopeRuns, AtwoodsMachineFallsWithTheInertiaOfItsPulley) {
  Drum drum;
  drum.inertia = 0.08;
  Alone alone(drum.make(), GetParam(), 1e-7, 1e-9);
  const double a = (drum.right - drum.left) * g / (drum.left + drum.right + drum.inertia / (radius * radius));
  ASSERT_TRUE(alone.advance(1));
  // The rope stretches by some 1e-5 of its length.
  EXPECT_NEAR(alone.x(right_y), -3 - 0.5 * a, 2e-4);
  EXPECT_NEAR(alone.x(left_y), -3 + 0.5 * a, 2e-4);
  EXPECT_NEAR(alone.v(right_y), -a, 5e-4);
  EXPECT_NEAR(alone.x(6), -0.5 * a / radius, 2e-3) << "it does not slip";
}

TEST_P(RopeRuns, ABollardHoldsBelowEulersLimitForEver) {
  Drum drum;
  drum.friction = 0.25;
  drum.right = 0.95 * drum.left * std::exp(0.25 * std::numbers::pi);
  drum.stiffness = 1e5;
  drum.damping = 1e3;
  Alone alone(drum.make(), GetParam(), 1e-6, 1e-9);
  ASSERT_TRUE(alone.advance(3));
  const double held = alone.x(right_y);
  EXPECT_NEAR(held, -3, 2e-2);
  ASSERT_TRUE(alone.advance(60));
  EXPECT_NEAR(alone.x(right_y), held, 1e-7);
  EXPECT_LT(std::fabs(alone.v(right_y)), 1e-7);
}

TEST_P(RopeRuns, AboveTheLimitItSlidesAsEulerSays) {
  for (const double mu : {0.0, 0.15}) {
    Drum drum;
    drum.friction = mu;
    Alone alone(drum.make(), GetParam(), 1e-7, 1e-9);
    const double e = std::exp(mu * std::numbers::pi),
                 a = g * (drum.right - e * drum.left) / (drum.right + e * drum.left);
    ASSERT_TRUE(alone.advance(0.2));
    const double v = alone.v(right_y);
    ASSERT_TRUE(alone.advance(0.7));
    EXPECT_NEAR(alone.v(right_y) - v, -0.5 * a, 2e-4 * a) << mu;
    EXPECT_NEAR(alone.v(left_y), -alone.v(right_y), 2e-4 * a) << mu;
  }
}

TEST_P(RopeRuns, KeepsItsEnergyOverAnEyelet) {
  Drum drum;
  drum.friction = 0;
  drum.damping = 0;
  drum.stiffness = 1e3;
  Alone alone(drum.make(), GetParam(), 1e-9, 1e-10);
  const double before = alone.energy(0);
  ASSERT_TRUE(alone.advance(0.7));
  EXPECT_NEAR(alone.energy(0.7), before, 1e-4);
}

TEST_P(RopeRuns, TakenBackAndRepeatedGivesTheSameBits) {
  Drum drum;
  drum.friction = 0.15;
  const auto seen = [](const Alone& alone) {
    std::vector<double> all(alone.integrator->position().begin(), alone.integrator->position().end());
    all.insert(all.end(), alone.integrator->velocity().begin(), alone.integrator->velocity().end());
    all.insert(all.end(), alone.integrator->memory().begin(), alone.integrator->memory().end());
    return all;
  };
  Alone alone(drum.make(), GetParam(), 1e-6, 1e-8);
  ASSERT_TRUE(alone.advance(0.3));
  const auto snapshot = alone.integrator->make_snapshot();
  alone.integrator->save(*snapshot);
  const testing::Bytes bytes = testing::archived(*alone.integrator);
  ASSERT_TRUE(alone.advance(0.6));
  const std::vector<double> first = seen(alone);
  alone.integrator->restore(*snapshot);
  ASSERT_TRUE(alone.advance(0.6));
  EXPECT_EQ(seen(alone), first);
  Alone other(drum.make(), GetParam(), 1e-6, 1e-8);
  testing::load(bytes, *other.integrator);
  ASSERT_TRUE(other.advance(0.6));
  EXPECT_EQ(seen(other), first) << "from a checkpoint";
}

}  // namespace
}  // namespace cosimo
