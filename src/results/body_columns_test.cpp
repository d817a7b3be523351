#include "results/body_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cosimo {
namespace {

TEST(BodyColumns, FindsPlaceAndOrientationByName) {
  Results results;
  results.bodies = {4, 4, 4, 7, 7, 7, 7, 7, 7, 7, 9};
  results.columns = {"rod.x",  "rod.y",  "rod.phi", "a.b.x",  "a.b.y", "a.b.z",
                     "a.b.qw", "a.b.qx", "a.b.qy",  "a.b.qz", "bead.x"};
  results.body_names = {"rod", "a.b", "bead"};
  const auto bodies = body_columns(results);
  ASSERT_EQ(bodies.size(), 3u);
  EXPECT_EQ(bodies[0].name, "rod");
  EXPECT_EQ(bodies[0].angle, 2u);
  EXPECT_FALSE(bodies[0].has_quaternion());
  EXPECT_EQ(bodies[1].label, 7);
  EXPECT_EQ(bodies[1].place, (std::array<std::size_t, 3>{3, 4, 5}));
  EXPECT_EQ(bodies[1].quaternion, (std::array<std::size_t, 4>{6, 7, 8, 9}));
  EXPECT_EQ(bodies[2].columns, (std::vector<std::size_t>{10}));
  EXPECT_EQ(bodies[2].place[1], no_column);
}

TEST(BodyColumns, WithoutNamesASingleColumnIsX) {
  Results results;
  results.bodies = {3, 5, 5};
  const auto bodies = body_columns(results);
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_EQ(bodies[0].name, "3");
  EXPECT_EQ(bodies[0].place[0], 0u);
  EXPECT_EQ(bodies[1].place[0], no_column);
}

TEST(BodyColumns, HalfAQuaternionIsNone) {
  Results results;
  results.bodies = {1, 1};
  results.columns = {"a.qw", "a.qz"};
  EXPECT_FALSE(body_columns(results)[0].has_quaternion());
}

TEST(BodyPose, AngularVelocityOfATurningQuaternion) {
  // A turn by angle t rate about the unit axis n, at t = 0.8: p = (cos, n sin)(rate t / 2), w = rate n.
  const double rate = 3, half = rate * 0.8 / 2, length = 1.7;  // the length means nothing
  const std::array<double, 3> n{2.0 / 3, -1.0 / 3, 2.0 / 3};
  std::array<double, 7> q{1, 2, 3, length * std::cos(half)},
      v{-1, -2, -3, -length * rate / 2 * std::sin(half)};
  for (std::size_t k = 0; k < 3; ++k) {
    q[4 + k] = length * n[k] * std::sin(half);
    v[4 + k] = length * n[k] * rate / 2 * std::cos(half);
  }
  const BodyColumns body{.place = {0, 1, 2}, .quaternion = {3, 4, 5, 6}};
  const BodyPose pose = pose_of(body, q.data(), v.data());
  EXPECT_EQ(pose.place, (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(pose.velocity, (std::array<double, 3>{-1, -2, -3}));
  EXPECT_NEAR(pose.quaternion[0], std::cos(half), 1e-15);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(pose.angular_velocity[k], rate * n[k], 1e-14);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(rotated(pose.quaternion, n)[k], n[k], 1e-15);
}

TEST(BodyPose, PlanarAngleTurnsAboutZ) {
  const std::array<double, 3> q{1, 2, std::acos(0.0)}, v{0, 0, 5};
  const BodyPose pose = pose_of({.place = {0, 1, no_column}, .angle = 2}, q.data(), v.data());
  const auto x_axis = rotated(pose.quaternion, {1, 0, 0});
  EXPECT_NEAR(x_axis[0], 0, 1e-15);
  EXPECT_NEAR(x_axis[1], 1, 1e-15);
  EXPECT_EQ(pose.angular_velocity[2], 5);
}

}  // namespace
}  // namespace cosimo
