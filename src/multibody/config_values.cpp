#include "multibody/config_values.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <string>

#include "core/check.hpp"

namespace cosimo {

Mat3 rotation(const std::array<double, 4>& p) {
  const double w = p[0];
  const Vec3 u(p[1], p[2], p[3]);
  return (w * w - u.squaredNorm()) * Mat3::Identity() + 2 * u * u.transpose() + 2 * w * skew(u);
}

BodyKind body_kind(const config::Body& body) {
  if (body.kind == config::BodyKind::rigid) return BodyKind::rigid;
  if (body.kind == config::BodyKind::planar) return BodyKind::planar;
  return body.dimensions == 1 ? BodyKind::point1 : body.dimensions == 2 ? BodyKind::point2 : BodyKind::point3;
}

Mat3 inertia_tensor(const std::array<double, 6>& i) {
  Mat3 tensor;
  tensor << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  return tensor;
}

Mat3 reference_axes(const config::Body& body) {
  if (body.kind == config::BodyKind::planar) {
    const double c = std::cos(body.angle), s = std::sin(body.angle);
    Mat3 axes;
    axes << c, -s, 0, s, c, 0, 0, 0, 1;
    return axes;
  }
  return rotation(body.orientation);
}

JointKind joint_kind(config::JointKind kind) {
  using Kind = config::JointKind;
  switch (kind) {
    case Kind::revolute:
      return JointKind::revolute;
    case Kind::prismatic:
      return JointKind::prismatic;
    case Kind::cylindrical:
      return JointKind::cylindrical;
    case Kind::universal:
      return JointKind::universal;
    case Kind::spherical:
      return JointKind::spherical;
    case Kind::planar:
      return JointKind::planar;
    case Kind::fixed:
      return JointKind::fixed;
    case Kind::distance:
    case Kind::motor:
    case Kind::gear:
      break;
  }
  throw Bug("no joint of two markers: " + std::string(word_of(kind)));
}

bool joins_markers(config::JointKind kind) {
  using Kind = config::JointKind;
  return kind != Kind::distance && kind != Kind::motor && kind != Kind::gear;
}

Compliance compliance(const config::Compliance& c) {
  return {c.stiffness, c.damping, c.rotational_stiffness, c.rotational_damping};
}

Mat3 joint_axes(const config::Joint& joint) {
  if (!joint.second_axis) return axes_along(vec(joint.axis));
  Mat3 axes;
  axes.col(2) = vec(joint.axis).normalized();
  axes.col(1) = axes.col(2).cross(vec(*joint.second_axis)).normalized();
  axes.col(0) = axes.col(1).cross(axes.col(2));
  return axes;
}

}  // namespace cosimo
