#include <gtest/gtest.h>

#include "core/error.hpp"
#include "mechanics/joints.hpp"
#include "mechanics/testing.hpp"

namespace cosimo {
namespace {

using testing::Rng;

constexpr BodyId one{0}, two{1};
constexpr Compliance compliance{
    .stiffness = 30, .damping = 2, .rotational_stiffness = 7, .rotational_damping = 0.6};
constexpr std::array all_kinds{JointKind::revolute,  JointKind::prismatic, JointKind::cylindrical,
                               JointKind::universal, JointKind::spherical, JointKind::planar,
                               JointKind::fixed};

Eigen::VectorXd effort_of(const ForceElement& element, const Frame& from, const Frame& to) {
  Effort e;
  EXPECT_TRUE(element.effort(0, from, to, e));
  Eigen::VectorXd out(9);
  out << e.force, e.torque_from, e.torque_to;
  return out;
}

TEST(CompliantJoint, HasExactGradientsAndBalances) {
  Rng rng(51);
  for (const JointKind kind : all_kinds) {
    const auto joint = make_compliant_joint("joint", kind, {one}, {two}, compliance);
    EXPECT_TRUE(joint->components().all());
    for (int n = 0; n < 4; ++n) {
      const Frame from = testing::random_frame(rng), to = testing::random_frame(rng);
      EffortGradient gradient;
      joint->gradient(0, from, to, gradient);
      EXPECT_LT(
          testing::relative_difference(
              gradient.from, testing::frame_derivative(
                                 from, 12, 9, [&](const Frame& f) { return effort_of(*joint, f, to); })),
          1e-8);
      EXPECT_LT(testing::relative_difference(
                    gradient.to, testing::frame_derivative(
                                     to, 12, 9, [&](const Frame& f) { return effort_of(*joint, from, f); })),
                1e-8);
      const Eigen::VectorXd e = effort_of(*joint, from, to);
      const Vec3 force = e.head<3>(), left = e.segment<3>(3) + e.tail<3>() - (to.r - from.r).cross(force);
      EXPECT_LT(left.norm(), 1e-12 * e.norm());
    }
  }
}

TEST(CompliantJoint, StoresTheWorkDoneOnItAndDissipates) {
  Rng rng(52);
  for (const JointKind kind : all_kinds) {
    const auto joint = make_compliant_joint("joint", kind, {one}, {two}, compliance);
    const auto spring = make_compliant_joint("joint", kind, {one}, {two}, {30, 0, 7, 0});
    const Frame from = testing::random_frame(rng), to = testing::random_frame(rng);
    const auto power = [&](const ForceElement& element) {
      const Eigen::VectorXd e = effort_of(element, from, to);
      return e.head<3>().dot(from.v - to.v) + e.segment<3>(3).dot(from.w) + e.tail<3>().dot(to.w);
    };
    const double h = 1e-5;
    const auto energy = [&](double dt) {
      return joint->potential(0, testing::after(from, Vec6::Zero(), dt),
                              testing::after(to, Vec6::Zero(), dt));
    };
    EXPECT_NEAR(power(*spring), -(energy(h) - energy(-h)) / (2 * h), 1e-7);
    EXPECT_LT(power(*joint), power(*spring));
  }
}

TEST(CompliantJoint, IsFreeWhereTheJointIs) {
  Rng rng(53);
  const Frame from = testing::random_frame(rng);
  const auto moved = [&](const Vec3& shift, const Vec3& turn) {
    Frame to = from;
    to.r += from.R * shift;
    to.R = from.R * testing::rotation(turn);
    to.v = from.v + from.w.cross(to.r - from.r);  // as one with the other body
    return to;
  };
  const auto size = [&](JointKind kind, const Frame& to) {
    return effort_of(*make_compliant_joint("joint", kind, {one}, {two}, compliance), from, to).norm();
  };
  EXPECT_LT(size(JointKind::revolute, moved({0, 0, 0}, {0, 0, 2.8})), 1e-13);
  EXPECT_LT(size(JointKind::spherical, moved({0, 0, 0}, {1, -2, 0.5})), 1e-13);
  EXPECT_LT(size(JointKind::prismatic, moved({0, 0, 3}, {0, 0, 0})), 1e-13);
  EXPECT_LT(size(JointKind::cylindrical, moved({0, 0, 3}, {0, 0, 3})), 1e-13);
  EXPECT_LT(size(JointKind::planar, moved({2, 1, 0}, {0, 0, 3})), 1e-13);
  EXPECT_LT(size(JointKind::universal, moved({0, 0, 0}, {2, 0, 0})), 1e-13);
  EXPECT_LT(size(JointKind::universal, moved({0, 0, 0}, {0, 0, 2})), 1e-13);
}

TEST(CompliantJoint, HasItsStiffnessInBlockedDirections) {
  const auto joint = make_compliant_joint("joint", JointKind::revolute, {one}, {two}, {30, 0, 7, 0});
  Frame to;
  to.r = {0.01, 0, 0};
  EXPECT_NEAR(effort_of(*joint, {}, to)[0], 0.3, 1e-15);
  // Whatever the angle about the free axis.
  for (const double angle : {0.0, 1.0, 3.0}) {
    Frame from;
    Frame tilted;
    tilted.R = testing::rotation({1e-4, 0, 0}) * testing::rotation({0, 0, angle});
    EXPECT_NEAR(effort_of(*joint, from, tilted)[3], 7e-4, 1e-10) << angle;
    EXPECT_NEAR(effort_of(*joint, from, tilted)[6], -7e-4, 1e-10) << angle;
  }
}

TEST(CompliantJoint, RefusesNegativeNumbersAndItself) {
  EXPECT_THROW(make_compliant_joint("joint", JointKind::fixed, {one}, {two}, {-1, 0, 0, 0}), Error);
  EXPECT_THROW(make_compliant_joint("joint", JointKind::fixed, {one}, {two}, {1, 0, 0, std::nan("")}), Error);
  EXPECT_THROW(make_compliant_joint("joint", JointKind::fixed, {one}, {one}, {1, 0, 0, 0}), Error);
}

}  // namespace
}  // namespace cosimo
