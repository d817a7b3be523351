// Puts a mechanism together from bodies as they are placed at the start. Joints and elements are given by
// points and axes in that placement; the builder turns them into markers.
//
//   MechanismBuilder builder;
//   const BodyId rod =
//       builder.add({.name = "rod", .kind = BodyKind::planar, .mass = 1, .inertia = ...}, frame);
//   builder.joint("pin", JointKind::revolute, ground, rod, {0, 0, 0}, {0, 0, 1});
//   PlacedMechanism made = builder.finish();
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanics/elements.hpp"
#include "mechanics/joints.hpp"
#include "mechanics/mechanism.hpp"

namespace cosimo {

/// A mechanism and its initial state.
struct PlacedMechanism {
  std::shared_ptr<const Mechanism> mechanism;
  std::vector<double> q, v;
};

/// Orthonormal axes whose z axis has this direction; those of the identity where they fit.
Mat3 axes_along(const Vec3& z);

/// Inertia of a slender rod about its centre, along the x axis of the body.
Mat3 rod_inertia(double mass, double length);

class MechanismBuilder {
 public:
  /// `frame` is that of the centre of mass.
  BodyId add(Body body, const Frame& frame);
  std::size_t bodies() const { return mechanism_->bodies.size(); }
  const Mechanism& made() const { return *mechanism_; }  ///< so far
  const Frame& frame(BodyId body) const;                 ///< the ground has the global one

  /// The marker on a body that is at this point, with these axes, in the initial placement.
  Marker marker(BodyId body, const Vec3& point, const Mat3& axes = Mat3::Identity()) const;
  JointSides sides(BodyId from, BodyId to, const Vec3& point, const Vec3& axis) const;

  void joint(std::string name, JointKind kind, BodyId from, BodyId to, const Vec3& point, const Vec3& axis);
  void compliant_joint(std::string name, JointKind kind, BodyId from, BodyId to, const Vec3& point,
                       const Vec3& axis, const Compliance& compliance);
  /// Keeps the distance that the points have.
  void distance(std::string name, BodyId from, BodyId to, const Vec3& point_from, const Vec3& point_to);
  void add(std::unique_ptr<ForceElement> element) { mechanism_->elements.push_back(std::move(element)); }
  void add(std::unique_ptr<ForceGroup> group) { mechanism_->groups.push_back(std::move(group)); }
  void add(std::unique_ptr<Constraint> constraint) {
    mechanism_->constraints.push_back(std::move(constraint));
  }
  void add(Sensor sensor) { mechanism_->sensors.push_back(std::move(sensor)); }
  /// Results tell the coordinates of this joint.
  void show(const std::string& name, JointKind kind, const JointSides& sides, double start_angle = 0);
  /// One that elements and motors may follow: it belongs to the model's hash.
  void add(const Curve& curve) { mechanism_->curves.push_back(curve.digest()); }
  void gravity(const Vec3& acceleration) { mechanism_->gravity = acceleration; }

  PlacedMechanism finish();

 private:
  BodyKind kind(BodyId body) const;

  std::unique_ptr<Mechanism> mechanism_ = std::make_unique<Mechanism>();
  std::vector<Frame> frames_;
  Frame ground_frame_;
};

}  // namespace cosimo
