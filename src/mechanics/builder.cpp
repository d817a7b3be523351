#include "mechanics/builder.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace cosimo {

Mat3 axes_along(const Vec3& z) {
  const Vec3 own_z = z.normalized();
  // Perpendicular to the global axis that is furthest from z, and to x where that is possible.
  const Vec3 helper = std::abs(own_z.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  Mat3 axes;
  axes.col(2) = own_z;
  axes.col(1) = own_z.cross(helper).normalized();
  axes.col(0) = axes.col(1).cross(own_z);
  return axes;
}

Mat3 rod_inertia(double mass, double length) {
  const double across = mass * length * length / 12;
  // A slender rod has no inertia about itself; a hundredth keeps the matrix regular.
  return Vec3(0.01 * across, across, across).asDiagonal();
}

BodyId MechanismBuilder::add(Body body, const Frame& frame) {
  mechanism_->bodies.push_back(std::move(body));
  frames_.push_back(frame);
  return BodyId(bodies() - 1);
}

const Frame& MechanismBuilder::frame(BodyId body) const {
  return body == ground ? ground_frame_ : frames_[body.index()];
}

BodyKind MechanismBuilder::kind(BodyId body) const {
  return body == ground ? BodyKind::rigid : mechanism_->bodies[body.index()].kind;
}

Marker MechanismBuilder::marker(BodyId body, const Vec3& point, const Mat3& axes) const {
  const Frame& f = frame(body);
  // As the coordinates of a body of the plane begin (coordinates_from()).
  const double placed = kind(body) == BodyKind::planar ? std::atan2(f.R(1, 0), f.R(0, 0)) : 0;
  return {body, f.R.transpose() * (point - f.r), f.R.transpose() * axes, placed};
}

JointSides MechanismBuilder::sides(BodyId from, BodyId to, const Vec3& point, const Vec3& axis) const {
  const Mat3 axes = axes_along(axis);
  return {marker(from, point, axes), marker(to, point, axes), kind(from), kind(to)};
}

void MechanismBuilder::joint(std::string name, JointKind joint_kind, BodyId from, BodyId to,
                             const Vec3& point, const Vec3& axis) {
  const JointSides s = sides(from, to, point, axis);
  show(name, joint_kind, s);
  add(make_joint(std::move(name), joint_kind, s));
}

void MechanismBuilder::show(const std::string& name, JointKind joint_kind, const JointSides& s,
                            double start_angle) {
  for (JointCoordinate& each : joint_coordinates_of(name, joint_kind, s)) {
    each.start = start_angle;
    mechanism_->joint_coordinates.push_back(std::move(each));
  }
}

void MechanismBuilder::compliant_joint(std::string name, JointKind joint_kind, BodyId from, BodyId to,
                                       const Vec3& point, const Vec3& axis, const Compliance& compliance) {
  const JointSides s = sides(from, to, point, axis);
  show(name, joint_kind, s);
  add(make_compliant_joint(std::move(name), joint_kind, s.from, s.to, compliance));
}

void MechanismBuilder::distance(std::string name, BodyId from, BodyId to, const Vec3& point_from,
                                const Vec3& point_to) {
  add(make_distance(std::move(name), {marker(from, point_from), marker(to, point_to), kind(from), kind(to)},
                    (point_to - point_from).norm()));
}

PlacedMechanism MechanismBuilder::finish() {
  PlacedMechanism made;
  const std::vector<std::size_t> first = mechanism_->coordinate_offsets();
  made.q.resize(first.back());
  made.v.resize(first.back());
  for (std::size_t i = 0; i < bodies(); ++i)
    coordinates_from(mechanism_->bodies[i].kind, frames_[i], made.q.data() + first[i],
                     made.v.data() + first[i]);
  made.mechanism = std::move(mechanism_);
  mechanism_ = std::make_unique<Mechanism>();
  frames_.clear();
  return made;
}

}  // namespace cosimo
