#include "mechanics/start_shifts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/builder.hpp"

namespace cosimo {
namespace {

/// Two rods in space, 1 m apart, each with its reference point at one end.
PlacedMechanism two_rods() {
  MechanismBuilder builder;
  const Body rod{.name = "first",
                 .kind = BodyKind::rigid,
                 .mass = 3,
                 .inertia = Mat3::Identity(),
                 .reference = {-0.5, 0, 0}};
  builder.add(rod, {.r = {0.5, 0, 0}});
  Body second = rod;
  second.name = "second";
  builder.add(second, {.r = {0.5, 1, 0}, .v = {0, 0, 2}, .w = {0, 3, 0}});
  return builder.finish();
}

TEST(StartShifts, AreThoseOfReferencePoints) {
  const PlacedMechanism given = two_rods();
  PlacedMechanism moved = given;
  // A quarter turn of the second about z through its centre: the reference point moves by half a diagonal.
  moved.q[7 + 3] = std::sqrt(0.5);
  moved.q[7 + 6] = std::sqrt(0.5);
  const StartShifts shifts = largest_shifts(given, moved);
  EXPECT_EQ(shifts.position.body, BodyId(1));
  EXPECT_NEAR(shifts.position.amount, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(shifts.orientation.body, BodyId(1));
  EXPECT_NEAR(shifts.orientation.amount, std::acos(0.0), 1e-12);
}

TEST(StartShifts, CountVelocitiesThatAreGiven) {
  const PlacedMechanism given = two_rods();
  PlacedMechanism moved = given;
  moved.v[0] = 0.25;
  moved.v[7] = 4;
  const StartShifts all = largest_shifts(given, moved);
  EXPECT_EQ(all.velocity.body, BodyId(1));
  EXPECT_NEAR(all.velocity.amount, 4, 1e-12);
  const StartShifts first = largest_shifts(given, moved, {{true, false}, {false, false}});
  EXPECT_EQ(first.velocity.body, BodyId(0));
  EXPECT_NEAR(first.velocity.amount, 0.25, 1e-12);
}

TEST(StartShifts, SizesAreThoseOfTheModelAndItsMotion) {
  const PlacedMechanism given = two_rods();
  const StartSizes sizes = sizes_of(given, given);
  EXPECT_NEAR(sizes.length, 1, 1e-12);
  EXPECT_NEAR(sizes.speed, 3.5, 1e-12);    // of the reference point, which turns with the body
  EXPECT_NEAR(sizes.turning, 3.5, 1e-12);  // that speed over the length
  const StartShifts shifts{{BodyId(0), 0.01}, {BodyId(0), 0.01}, {BodyId(0), 1e-6}, {BodyId(0), 1e-6}};
  const StartShifts beyond_bound = beyond(shifts, sizes, bearable_shift);
  EXPECT_EQ(beyond_bound.position.amount, 0.01);
  EXPECT_EQ(beyond_bound.orientation.amount, 0.01);
  EXPECT_EQ(beyond_bound.velocity.amount, 0);
  EXPECT_EQ(beyond_bound.angular_velocity.amount, 0);
}

/// A single body is as large as its joint is far away.
TEST(StartShifts, LeverArmsOfJointsCount) {
  MechanismBuilder builder;
  const BodyId body = builder.add(
      {.name = "body", .kind = BodyKind::rigid, .mass = 1, .inertia = 1e-4 * Mat3::Identity()}, {});
  builder.joint("pin", JointKind::revolute, ground, body, {0, 7, 0}, Vec3::UnitX());
  const PlacedMechanism placed = builder.finish();
  EXPECT_NEAR(sizes_of(placed, placed).length, 7, 1e-9);
}

}  // namespace
}  // namespace cosimo
