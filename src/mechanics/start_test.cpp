#include "mechanics/start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "core/error.hpp"
#include "mechanics/dynamics.hpp"

namespace cosimo {
namespace {

constexpr double g = 9.81;

BodyId add_rod(MechanismBuilder& builder, const std::string& name, const Vec3& begin, const Vec3& end) {
  Frame frame;
  frame.r = 0.5 * (begin + end);
  frame.R.col(0) = (end - begin).normalized();
  frame.R.col(1) = Vec3::UnitZ().cross(Vec3(frame.R.col(0)));
  return builder.add(
      {.name = name, .kind = BodyKind::planar, .mass = 2, .inertia = rod_inertia(2, (end - begin).norm())},
      frame);
}

/// A vertical stack of two masses on springs.
PlacedMechanism stack() {
  MechanismBuilder builder;
  builder.gravity({0, 0, -g});
  const BodyId lower = builder.add({.name = "lower", .kind = BodyKind::point3, .mass = 3}, {.r = {0, 0, 1}});
  const BodyId upper = builder.add({.name = "upper", .kind = BodyKind::point3, .mass = 2}, {.r = {0, 0, 2}});
  builder.add(make_spring("low", builder.marker(ground, {0, 0, 0}), {.body = lower},
                          {.law = {.c = 1000}, .length = 1}));
  builder.add(make_spring("high", {.body = lower}, {.body = upper}, {.law = {.c = 500}, .length = 1}));
  return builder.finish();
}

TEST(Settle, MassesStandOnTheirSpringsAsTheyShould) {
  PlacedMechanism placed = stack();
  settle(placed);
  EXPECT_NEAR(placed.q[2], 1 - 5 * g / 1000, 1e-9);
  EXPECT_NEAR(placed.q[5], 2 - 5 * g / 1000 - 2 * g / 500, 1e-9);
}

TEST(Settle, KeepsVelocities) {
  PlacedMechanism placed = stack();
  placed.v[0] = placed.v[3] = 7;
  settle(placed);
  EXPECT_DOUBLE_EQ(placed.v[0], 7);
  EXPECT_DOUBLE_EQ(placed.v[3], 7);
}

TEST(Settle, APendulumHangsDownAndItsPinCarriesItsWeight) {
  MechanismBuilder builder;
  builder.gravity({0, -g, 0});
  const BodyId rod = add_rod(builder, "rod", {0, 0, 0}, {std::sin(0.8), -std::cos(0.8), 0});
  builder.joint("pin", JointKind::revolute, ground, rod, {0, 0, 0}, Vec3::UnitZ());
  PlacedMechanism placed = builder.finish();
  settle(placed);
  EXPECT_NEAR(placed.q[0], 0, 1e-8);
  EXPECT_NEAR(placed.q[1], -0.5, 1e-8);
}

TEST(Settle, RefusesAModelThatNothingCarries) {
  MechanismBuilder builder;
  builder.gravity({0, 0, -g});
  builder.add({.name = "stone", .kind = BodyKind::point3, .mass = 1}, {});
  PlacedMechanism placed = builder.finish();
  EXPECT_THROW(settle(placed), Error);
}

TEST(Assemble, MovesBodiesOntoTheirJoints) {
  MechanismBuilder builder;
  const BodyId rod = add_rod(builder, "rod", {0, 0, 0}, {1, 0, 0});
  builder.joint("pin", JointKind::revolute, ground, rod, {0, 0, 0}, Vec3::UnitZ());
  PlacedMechanism placed = builder.finish();
  placed.q[0] += 0.01;
  placed.q[1] -= 0.02;
  placed.v[2] = 3;  // turns, but its centre stands still
  assemble(placed);
  const Vec3 end =
      Vec3(placed.q[0], placed.q[1], 0) - 0.5 * Vec3(std::cos(placed.q[2]), std::sin(placed.q[2]), 0);
  EXPECT_LT(end.norm(), 1e-11);
  EXPECT_NEAR(std::hypot(placed.v[0], placed.v[1]), 0.5 * std::abs(placed.v[2]), 1e-11);
}

TEST(Assemble, MayBeRequiredOfTheModelInstead) {
  MechanismBuilder builder;
  const BodyId rod = add_rod(builder, "rod", {0, 0, 0}, {1, 0, 0});
  builder.joint("pin", JointKind::revolute, ground, rod, {0, 0, 0}, Vec3::UnitZ());
  PlacedMechanism placed = builder.finish();
  EXPECT_NO_THROW(require_assembled(placed));
  const auto message = [&] {
    try {
      require_assembled(placed);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  placed.v[2] = 1;
  EXPECT_THAT(message(), testing::AllOf(testing::HasSubstr("pin"), testing::HasSubstr("velocities")));
  placed.q[0] += 0.01;
  EXPECT_THAT(message(), testing::AllOf(testing::HasSubstr("pin"), testing::HasSubstr("not closed")));
}

TEST(Assemble, NamesTheJointThatCannotBeClosed) {
  MechanismBuilder builder;
  const BodyId rod = add_rod(builder, "rod", {0, 0, 0}, {1, 0, 0});
  builder.joint("left", JointKind::revolute, ground, rod, {0, 0, 0}, Vec3::UnitZ());
  JointSides far = builder.sides(ground, rod, {1, 0, 0}, Vec3::UnitZ());
  far.from.point = {2, 0, 0};  // a rod of length 1 between points 2 apart
  builder.add(make_joint("right", JointKind::revolute, far));
  PlacedMechanism placed = builder.finish();
  try {
    assemble(placed);
    FAIL() << "assembled";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::AnyOf(testing::HasSubstr("left"), testing::HasSubstr("right")));
    EXPECT_THAT(error.what(), testing::HasSubstr("cannot be closed"));
  }
}

}  // namespace
}  // namespace cosimo
