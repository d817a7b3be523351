// Values of a scenario file as mechanics has them: places, axes, kinds.
#pragma once

#include <array>

#include "config/mechanism.hpp"
#include "mechanics/body.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/joints.hpp"

namespace cosimo {

inline Vec3 vec(const config::Vector& v) {
  return {v[0], v[1], v[2]};
}
/// Rotation matrix of a unit quaternion.
Mat3 rotation(const std::array<double, 4>& p);

BodyKind body_kind(const config::Body& body);
Mat3 inertia_tensor(const std::array<double, 6>& i);
Mat3 reference_axes(const config::Body& body);

/// Of a joint between two markers; others have no such kind.
JointKind joint_kind(config::JointKind kind);
bool joins_markers(config::JointKind kind);
/// z along `axis`, and for a universal joint x along the second axis.
Mat3 joint_axes(const config::Joint& joint);
Compliance compliance(const config::Compliance& c);

}  // namespace cosimo
