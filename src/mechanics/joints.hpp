// Joints as constraints between two markers. The joint's axis is the z axis of both.
//
//   kind          what stays free                                             rows in space
//   revolute      rotation about z                                            5
//   prismatic     translation along z                                         5
//   cylindrical   translation along and rotation about z                      4
//   universal     rotations about z of `from` and x of `to`, which stay
//                 perpendicular to each other                                 4
//   spherical     all rotations                                               3
//   planar        translations along x, y and rotation about z                3
//   fixed         nothing                                                     6
//   distance      all but the distance of the two points                      1
//   gear          all but teeth[0] phi_1 + teeth[1] phi_2 = const             1
//   motor         all but one angle or displacement, a function of time       1
//
// phi is the angle from the x axis of `from` to the x axis of `to` about z of `from`, the displacement that
// of the point of `to` along z of `from`. A gear or a motor is a row more beside the joints that it acts on.
//
// Rows that bodies of fewer dimensions satisfy by themselves are left out: a revolute joint in the plane has
// two. A point mass slides on the line or the plane of the other body in a prismatic, cylindrical or planar
// joint, and has no orientation to hold in the others. Joints that make no sense for their bodies throw Error
// with the joint's name as the field.
//
// Angles count modulo one turn: no row ever jumps where a body completes one.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mechanics/constraint.hpp"
#include "mechanics/elements.hpp"
#include "numerics/expression.hpp"

namespace cosimo {

enum class JointKind { revolute, prismatic, cylindrical, universal, spherical, planar, fixed };
std::string_view name_of(JointKind kind);

/// The two sides of a joint, with the kinds of their bodies (the ground: `rigid`).
struct JointSides {
  Marker from, to;
  BodyKind from_kind = BodyKind::rigid, to_kind = BodyKind::rigid;
};

std::unique_ptr<Constraint> make_joint(std::string name, JointKind kind, const JointSides& sides);
std::unique_ptr<Constraint> make_distance(std::string name, const JointSides& sides, double length);

/// Angles of two revolute (or cylindrical) joints, given by the sides of those joints, that turn together.
/// Opposite signs of the teeth let both turn in the same sense. `start` holds the initial frames of the
/// bodies of first.from, first.to, second.from and second.to (the ground: Frame{}), from which the angles
/// count.
std::unique_ptr<Constraint> make_gear(std::string name, const JointSides& first, const JointSides& second,
                                      std::array<int, 2> teeth, const std::array<Frame, 4>& start);

class PrescribedMotion;
/// Angle (revolute) or displacement (prismatic) as a formula of its one variable t (prescribed_motion.hpp);
/// `breakpoints` (in any order) are the instants where it may jump.
std::unique_ptr<Constraint> make_motor(std::string name, JointKind kind, const JointSides& sides,
                                       const Expression& motion, std::vector<double> breakpoints);
std::unique_ptr<Constraint> make_motor(std::string name, JointKind kind, const JointSides& sides,
                                       const PrescribedMotion& motion);

/// Stiffness and damping in the directions that a joint blocks.
struct Compliance {
  double stiffness = 0, damping = 0;                        ///< of blocked translations
  double rotational_stiffness = 0, rotational_damping = 0;  ///< of blocked rotations
};
/// The same joint as a force element: each row h of the joint becomes a potential stiffness h^2/2 and a
/// damper. Along the axes of `from` this is a bushing with stiffness in the blocked directions only, but the
/// free motions may be as large as they like.
std::unique_ptr<ForceElement> make_compliant_joint(std::string name, JointKind kind, const Marker& from,
                                                   const Marker& to, const Compliance& compliance);

}  // namespace cosimo
