#include "mechanics/joints.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "mechanics/constraint_testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using testing::Frames;
using testing::Rng;

constexpr BodyId one{0}, two{1};
constexpr std::array all_kinds{JointKind::revolute,  JointKind::prismatic, JointKind::cylindrical,
                               JointKind::universal, JointKind::spherical, JointKind::planar,
                               JointKind::fixed};

enum class Axis { normal, in_plane };

/// A marker of a body in the plane: its point in the plane, its z axis normal to it or in it.
Marker flat_marker(Rng& rng, BodyId body, Axis axis) {
  Marker marker{body, testing::random_vector(rng),
                testing::rotation({0, 0, 3 * testing::random_number(rng)})};
  marker.point.z() = 0;
  if (axis == Axis::in_plane) {
    Mat3 upright;  // x normal to the plane, z in it
    upright << 0, 1, 0, 0, 0, 1, 1, 0, 0;
    marker.axes = marker.axes * upright;
  }
  return marker;
}

struct Case {
  const char* what;
  BodyKind from, to;
  bool from_ground, to_ground;
};
constexpr BodyKind rigid = BodyKind::rigid, planar = BodyKind::planar, point3 = BodyKind::point3,
                   point2 = BodyKind::point2, point1 = BodyKind::point1;
constexpr std::array spatial_cases{
    Case{"rigid-rigid", rigid, rigid, false, false}, Case{"ground-rigid", rigid, rigid, true, false},
    Case{"rigid-ground", rigid, rigid, false, true}, Case{"planar-rigid", planar, rigid, false, false}};
constexpr std::array flat_cases{Case{"planar-planar", planar, planar, false, false},
                                Case{"ground-planar", rigid, planar, true, false},
                                Case{"planar-ground", planar, rigid, false, true}};

JointSides sides_of(const Case& c, const Marker& from, const Marker& to) {
  JointSides sides{from, to, c.from, c.to};
  if (c.from_ground) sides.from.body = ground;
  if (c.to_ground) sides.to.body = ground;
  return sides;
}

Frames frames_of(Rng& rng, const Case& c) {
  Frames frames;
  if (!c.from_ground) frames.push_back(testing::random_frame(rng, c.from));
  if (!c.to_ground) frames.push_back(testing::random_frame(rng, c.to));
  return frames;
}

/// The fault of a joint that is refused; empty when it is not.
template <class Make>
Fault fault_of(const Make& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.faults().front();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(Joints, HaveTheirRowsAndExactDerivativesInSpace) {
  constexpr std::array<std::size_t, 7> rows{5, 5, 4, 4, 3, 3, 6};
  Rng rng(21);
  for (const Case& c : spatial_cases)
    for (std::size_t k = 0; k < all_kinds.size(); ++k) {
      const auto joint =
          make_joint(std::string(name_of(all_kinds[k])) + " " + c.what, all_kinds[k],
                     sides_of(c, testing::random_marker(rng, one), testing::random_marker(rng, two)));
      EXPECT_EQ(joint->rows(), rows[k]) << joint->name;
      EXPECT_EQ(joint->kind(), name_of(all_kinds[k]));
      for (int n = 0; n < 3; ++n) testing::expect_exact_derivatives(*joint, 0.3, frames_of(rng, c), rng);
    }
}

TEST(Joints, LeaveOutWhatBodiesInThePlaneSatisfyAnyway) {
  struct Expected {
    JointKind kind;
    Axis axis;
    std::size_t rows;
  };
  constexpr std::array table{
      Expected{JointKind::revolute, Axis::normal, 2},      Expected{JointKind::cylindrical, Axis::normal, 2},
      Expected{JointKind::universal, Axis::normal, 2},     Expected{JointKind::spherical, Axis::normal, 2},
      Expected{JointKind::fixed, Axis::normal, 3},         Expected{JointKind::prismatic, Axis::in_plane, 2},
      Expected{JointKind::cylindrical, Axis::in_plane, 2}, Expected{JointKind::planar, Axis::in_plane, 2},
      Expected{JointKind::spherical, Axis::in_plane, 2},   Expected{JointKind::fixed, Axis::in_plane, 3}};
  Rng rng(22);
  for (const Case& c : flat_cases)
    for (const Expected& e : table) {
      const auto joint =
          make_joint(std::string(name_of(e.kind)) + " " + c.what, e.kind,
                     sides_of(c, flat_marker(rng, one, e.axis), flat_marker(rng, two, e.axis)));
      EXPECT_EQ(joint->rows(), e.rows) << joint->name;
      for (int n = 0; n < 3; ++n) testing::expect_exact_derivatives(*joint, 0, frames_of(rng, c), rng);
    }
}

TEST(Joints, InThePlaneDoNotDependOnHowTheMarkersAreTurnedAboutTheAxis) {
  // x and y of the markers may be oblique to the plane, alike on both bodies: rows that remain are regular.
  Rng rng(23);
  for (const JointKind kind : {JointKind::prismatic, JointKind::fixed}) {
    const Marker upright = flat_marker(rng, one, Axis::in_plane);
    for (const double angle : {0.0, 0.4, 0.8, 1.2, 1.6}) {
      JointSides sides{upright, upright, planar, planar};
      sides.from.axes = sides.to.axes = upright.axes * testing::rotation({0, 0, angle});
      sides.to.body = two;
      const auto joint = make_joint("guide", kind, sides);
      ASSERT_EQ(joint->rows(), kind == JointKind::fixed ? 3U : 2U);
      const Eigen::MatrixXd J = testing::jacobian_of(*joint, 0, Frames(2));
      Eigen::MatrixXd felt(J.rows(), 6);
      felt << J.leftCols(2), J.col(5), J.middleCols(6, 2), J.col(11);
      EXPECT_GT(felt.jacobiSvd().singularValues().minCoeff(), 0.3) << angle;
    }
  }
}

TEST(Joints, VanishWhereTheMarkersMeetAndInTheirFreeMotionsOnly) {
  // The `to` marker moved by a free motion of the joint satisfies it, by any other one it does not.
  Rng rng(24);
  constexpr std::array<std::array<bool, 6>, 7> free{{{0, 0, 0, 0, 0, 1},
                                                     {0, 0, 1, 0, 0, 0},
                                                     {0, 0, 1, 0, 0, 1},
                                                     {0, 0, 0, 1, 0, 1},
                                                     {0, 0, 0, 1, 1, 1},
                                                     {1, 1, 0, 0, 0, 1},
                                                     {0, 0, 0, 0, 0, 0}}};
  for (std::size_t k = 0; k < all_kinds.size(); ++k) {
    const Marker from = testing::random_marker(rng, one), to = testing::random_marker(rng, two);
    const auto joint = make_joint("joint", all_kinds[k], {from, to});
    const Frame body = testing::random_frame(rng);
    const Frame at = marker_frame(body, from);
    for (int m = 0; m < 6; ++m) {
      Vec6 motion = Vec6::Zero();
      motion[m] = 0.7;
      const Mat3 axes = at.R * testing::rotation(motion.tail<3>());
      Frame other;
      other.R = axes * to.axes.transpose();
      other.r = at.r + at.R * motion.head<3>() - other.R * to.point;
      const double g = testing::residual_of(*joint, 0, {body, other}).cwiseAbs().maxCoeff();
      if (free[k][static_cast<std::size_t>(m)]) {
        EXPECT_LT(g, 1e-14) << joint->kind() << m;
      } else {
        EXPECT_GT(g, 0.1) << joint->kind() << m;
      }
    }
  }
}

TEST(Joints, TakePointMasses) {
  Rng rng(25);
  struct Expected {
    JointKind kind;
    Case who;
    std::size_t rows;
  };
  const std::array table{Expected{JointKind::spherical, {"rigid-point3", rigid, point3, false, false}, 3},
                         Expected{JointKind::spherical, {"point3-rigid", point3, rigid, false, false}, 3},
                         Expected{JointKind::spherical, {"point3-point3", point3, point3, false, false}, 3},
                         Expected{JointKind::spherical, {"point2-ground", point2, rigid, false, true}, 2},
                         Expected{JointKind::spherical, {"point1-point1", point1, point1, false, false}, 1},
                         Expected{JointKind::revolute, {"point2-point2", point2, point2, false, false}, 2},
                         Expected{JointKind::revolute, {"planar-point2", planar, point2, false, false}, 2},
                         Expected{JointKind::revolute, {"planar-point3", planar, point3, false, false}, 3},
                         Expected{JointKind::fixed, {"ground-point3", rigid, point3, true, false}, 3},
                         Expected{JointKind::cylindrical, {"rigid-point3", rigid, point3, false, false}, 2},
                         Expected{JointKind::prismatic, {"ground-point3", rigid, point3, true, false}, 2},
                         Expected{JointKind::planar, {"rigid-point3", rigid, point3, false, false}, 1}};
  for (const Expected& e : table) {
    const bool flat = e.who.to != point3 && e.who.from != point3;
    Marker from = flat ? flat_marker(rng, one, Axis::normal) : testing::random_marker(rng, one);
    Marker to = flat ? flat_marker(rng, two, Axis::normal) : testing::random_marker(rng, two);
    if (e.who.from == point1) from.point = to.point = Vec3::Zero();
    const auto joint = make_joint(e.who.what, e.kind, sides_of(e.who, from, to));
    EXPECT_EQ(joint->rows(), e.rows) << e.who.what;
    testing::expect_exact_derivatives(*joint, 0, frames_of(rng, e.who), rng);
  }
}

TEST(Joints, SlideAPointMassAlongALineOfThePlane) {
  Rng rng(26);
  const Case who{"planar-point2", planar, point2, false, false};
  const auto joint =
      make_joint("bead", JointKind::prismatic,
                 sides_of(who, flat_marker(rng, one, Axis::in_plane), flat_marker(rng, two, Axis::in_plane)));
  EXPECT_EQ(joint->rows(), 1U);
  testing::expect_exact_derivatives(*joint, 0, frames_of(rng, who), rng);
}

TEST(Joints, DistanceHasExactDerivativesForAllBodies) {
  Rng rng(27);
  for (const Case& c :
       {Case{"rigid-rigid", rigid, rigid, false, false}, Case{"point3-point3", point3, point3, false, false},
        Case{"point2-point2", point2, point2, false, false},
        Case{"ground-point2", rigid, point2, true, false},
        Case{"planar-planar", planar, planar, false, false},
        Case{"rigid-ground", rigid, rigid, false, true}}) {
    const auto rod = make_distance(
        c.what, sides_of(c, testing::random_marker(rng, one), testing::random_marker(rng, two)), 0.8);
    EXPECT_EQ(rod->rows(), 1U);
    EXPECT_TRUE(rod->is_length(0));
    testing::expect_exact_derivatives(*rod, 0, frames_of(rng, c), rng);
  }
}

TEST(Joints, DistanceVanishesAtItsLengthWithSlopeOne) {
  const auto rod = make_distance("rod", {{one}, {two}, point3, point3}, 2.0);
  Frames frames(2);
  frames[1].r = {0, 2, 0};
  EXPECT_EQ(testing::residual_of(*rod, 0, frames)[0], 0);
  EXPECT_EQ(testing::jacobian_of(*rod, 0, frames)(0, 7), 1);
}

TEST(Joints, ReactionsBalance) {
  // Where the joint is satisfied, what it does to both bodies adds up to nothing about any point.
  Rng rng(28);
  for (const JointKind kind : all_kinds) {
    const Marker from = testing::random_marker(rng, one), to = testing::random_marker(rng, two);
    const auto joint = make_joint("joint", kind, {from, to});
    Frames frames{testing::random_frame(rng), {}};
    const Frame at = marker_frame(frames[0], from);
    frames[1].R = at.R * to.axes.transpose();
    frames[1].r = at.r - frames[1].R * to.point;
    RowVector lambda(static_cast<Eigen::Index>(joint->rows()));
    for (double& l : lambda) l = testing::random_number(rng);
    const Eigen::VectorXd wrench = -testing::jacobian_of(*joint, 0, frames).transpose() * lambda;
    const Vec3 force_from = wrench.head<3>(), force_to = wrench.segment<3>(6);
    EXPECT_LT((force_from + force_to).norm(), 1e-14);
    const Vec3 moment =
        wrench.segment<3>(3) + frames[0].r.cross(force_from) + wrench.tail<3>() + frames[1].r.cross(force_to);
    EXPECT_LT(moment.norm(), 1e-13);

    Vec3 force, torque;
    joint->reaction(0, frames, lambda, force, torque);
    EXPECT_LT((force - force_to).norm(), 1e-15);
    // The torque about the marker has no part along the free rotations.
    EXPECT_LT((torque + (frames[1].R * to.point).cross(force) - wrench.tail<3>()).norm(), 1e-14);
    if (kind == JointKind::spherical) {
      EXPECT_LT(torque.norm(), 1e-14);
    }
    if (kind == JointKind::revolute) {
      EXPECT_LT(std::abs(torque.dot(at.R.col(2))), 1e-14);
    }
    if (kind == JointKind::prismatic) {
      EXPECT_LT(std::abs(force.dot(at.R.col(2))), 1e-14);
    }
  }
}

TEST(Joints, ReactionIsOnTheBodyWhenTheGroundIsLast) {
  const auto joint = make_joint("pin", JointKind::spherical, {{one, {1, 0, 0}}, {ground, {0, 0, 0}}});
  RowVector lambda(3);
  lambda << 1, 2, 3;
  Vec3 force, torque;
  joint->reaction(0, Frames(1), lambda, force, torque);
  EXPECT_EQ(force, Vec3(1, 2, 3));  // d = ground - body
  EXPECT_LT(torque.norm(), 1e-15);
}

TEST(Joints, RefuseWhatMakesNoSense) {
  Rng rng(29);
  const Marker a = flat_marker(rng, one, Axis::normal), b = flat_marker(rng, two, Axis::normal);
  const auto joint = [](JointKind kind, const JointSides& sides) {
    return [=] { make_joint("elbow", kind, sides); };
  };
  const auto expect = [](const Fault& fault, const char* problem) {
    EXPECT_EQ(fault.field, "elbow");
    EXPECT_NE(fault.problem.find(problem), std::string::npos) << fault.problem;
    EXPECT_FALSE(fault.remedy.empty());
  };
  expect(fault_of(joint(JointKind::revolute, {a, a})), "joint to itself");
  expect(fault_of(joint(JointKind::revolute, {Marker{}, Marker{}})), "ground to itself");
  expect(fault_of(joint(JointKind::planar, {a, b, planar, planar})), "nothing to constrain");
  expect(fault_of(joint(JointKind::prismatic, {a, b, planar, planar})), "no more");
  expect(fault_of(joint(JointKind::revolute, {a, b, rigid, point3})), "no orientation");
  expect(fault_of(joint(JointKind::fixed, {a, b, planar, point2})), "no orientation");
  expect(fault_of(joint(JointKind::prismatic, {a, b, point3, rigid})), "axis would belong to a point mass");
  Marker above = b;
  above.point.z() = 0.1;
  expect(fault_of(joint(JointKind::revolute, {a, above, planar, planar})), "cannot satisfy");
  Marker crooked = b;
  crooked.axes = testing::rotation({0.3, 0, 0});
  expect(fault_of(joint(JointKind::revolute, {a, crooked, planar, planar})), "cannot satisfy");
  for (const double length : {0.0, -1.0, std::nan("")})
    expect(fault_of([&] { make_distance("elbow", {a, b}, length); }), "distance");
  expect(fault_of([&] { make_distance("elbow", {a, a}, 1); }), "joint to itself");
}

TEST(Joints, EvaluateWithoutAllocating) {
  Rng rng(30);
  const auto joint = make_joint("weld", JointKind::fixed,
                                {testing::random_marker(rng, one), testing::random_marker(rng, two)});
  const Frames frames{testing::random_frame(rng), testing::random_frame(rng)};
  RowVector g, c, lambda = RowVector::Ones(6);
  ConstraintRows J, rate;
  ConstraintBlock K;
  const std::size_t before = allocation_count();
  joint->residual(0, frames, g);
  joint->jacobian(0, frames, J);
  joint->drift(0, frames, c);
  joint->curvature(0, frames, c);
  joint->force_gradient(0, frames, lambda, K);
  joint->rate_gradient(0, frames, rate);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
