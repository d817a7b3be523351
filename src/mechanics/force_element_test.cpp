#include "mechanics/force_element.hpp"

#include <gtest/gtest.h>

#include "mechanics/testing.hpp"

namespace cosimo {
namespace {

using testing::random_frame;
using testing::random_marker;
using testing::random_vector;
using testing::Rng;

TEST(ForceElement, WrenchesAreForcesAtTheMarkers) {
  Rng rng(3);
  const Frame body = random_frame(rng);
  const Marker marker = random_marker(rng, BodyId(0));
  const Effort effort{random_vector(rng), random_vector(rng), random_vector(rng)};
  const Vec3 arm = marker_frame(body, marker).r - body.r;
  const Wrench from = wrench_on_from(effort, body, marker), to = wrench_on_to(effort, body, marker);
  EXPECT_EQ(from.force, effort.force);
  EXPECT_EQ(to.force, -effort.force);
  EXPECT_LT((from.torque - (effort.torque_from + arm.cross(effort.force))).norm(), 1e-15);
  EXPECT_LT((to.torque - (effort.torque_to - arm.cross(effort.force))).norm(), 1e-15);
}

TEST(ForceElement, MarkerJacobianEqualsDifferences) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng(seed);
    const Frame body = random_frame(rng);
    const Marker marker = random_marker(rng, BodyId(0));
    const Frame here = marker_frame(body, marker);
    const auto change = [&](const Frame& moved) {
      const Frame there = marker_frame(moved, marker);
      const Mat3 turn = there.R * here.R.transpose();  // 1 + skew(dtheta)
      Eigen::VectorXd out(12);
      out << there.r, 0.5 * Vec3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1)),
          there.v, there.w;
      return out;
    };
    const Eigen::MatrixXd differences = testing::frame_derivative(body, 12, 12, change);
    EXPECT_LT(testing::relative_difference(marker_jacobian(body, marker), differences), 1e-9);
  }
}

TEST(ForceElement, BodiesFeelWhatTheyAreFreeToFollow) {
  const auto mask = [](const char* bits) { return EffortMask(std::string(bits)); };  // highest first
  EXPECT_EQ(felt_by(BodyKind::point1, BodyKind::point1), mask("000000001"));
  EXPECT_EQ(felt_by(BodyKind::point2, BodyKind::point2), mask("000000011"));
  EXPECT_EQ(felt_by(BodyKind::point3, BodyKind::point1), mask("000000111"));
  EXPECT_EQ(felt_by(BodyKind::planar, BodyKind::planar), mask("100100011"));
  EXPECT_EQ(felt_by(BodyKind::planar, BodyKind::point2), mask("000100011"));
  EXPECT_EQ(felt_by(BodyKind::rigid, BodyKind::point3), mask("000111111"));
  EXPECT_EQ(felt_by(BodyKind::rigid, BodyKind::rigid), EffortMask().set());
  // A pure torque is told as torque_from alone, also to a body that hangs on one that cannot turn.
  EXPECT_EQ(felt_by(BodyKind::point3, BodyKind::rigid), EffortMask().set());
}

}  // namespace
}  // namespace cosimo
