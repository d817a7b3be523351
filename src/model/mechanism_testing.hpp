// Small mechanisms for tests of what stands on models: two groups of bodies in space that one element joins,
// with markers off the centres of mass, turned axes and motion in every direction.
//
//   const Model model = testing::two_rigid_bodies();     // elements: ground-1, the coupling, ground-2
//   const Partition cut = testing::cut_in_two(model, 1, Drive::force, Drive::motion);
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/elements.hpp"
#include "mechanics/joints.hpp"
#include "mechanics/mechanism.hpp"
#include "model/model.hpp"
#include "model/size_couplings.hpp"
#include "network/coupling_variables.hpp"

namespace cosimo::testing {

/// A frame by place, rotation vector and velocities.
inline Frame placed(const Vec3& r, const Vec3& turn, const Vec3& v = Vec3::Zero(),
                    const Vec3& w = Vec3::Zero()) {
  Frame frame;
  frame.r = r;
  const double angle = turn.norm();
  const Mat3 S = skew(turn);
  if (angle > 0) frame.R += std::sin(angle) / angle * S + (1 - std::cos(angle)) / (angle * angle) * S * S;
  frame.v = v;
  frame.w = w;
  return frame;
}

inline BushingSpec soft_bushing(double c, double d, double cubic) {
  BushingSpec spec;
  for (std::size_t i = 0; i < 6; ++i) {
    const double share = (i < 3 ? 1.0 : 0.1) * (1 + 0.1 * static_cast<double>(i));
    spec.law[i] = {c * share, d * share, cubic * share, 0, 3, 3};
  }
  return spec;
}

/// Bodies with their frames and elements, as a model.
class ModelMaker {
 public:
  BodyId add(BodyKind kind, double mass, const Frame& frame) {
    Body body;
    body.name = "b" + std::to_string(mechanism_->bodies.size() + 1);
    body.kind = kind;
    body.mass = mass;
    body.inertia << 0.11, 0.01, -0.005, 0.01, 0.13, 0.02, -0.005, 0.02, 0.17;
    body.inertia *= mass;
    const std::size_t n = coordinates_of(kind), first = x_.size();
    x_.resize(first + n);
    v_.resize(first + n);
    coordinates_from(kind, frame, x_.data() + first, v_.data() + first);
    mechanism_->bodies.push_back(std::move(body));
    return BodyId{mechanism_->bodies.size() - 1};
  }
  void add(std::unique_ptr<ForceElement> element) { mechanism_->elements.push_back(std::move(element)); }
  Mechanism& mechanism() { return *mechanism_; }
  Model finish() { return make_model(std::move(mechanism_), std::move(x_), std::move(v_)); }

 private:
  std::shared_ptr<Mechanism> mechanism_ = std::make_shared<Mechanism>();
  std::vector<double> x_, v_;
};

/// Two rigid bodies, each hung from the ground by a bushing, joined by a third one.
inline Model two_rigid_bodies(double stiffness = 100, double damping = 2) {
  ModelMaker maker;
  const BodyId a = maker.add(BodyKind::rigid, 1.0,
                             placed({0, 0.1, 0}, {0.2, -0.1, 0.3}, {0.5, -0.4, 0.3}, {1, -0.6, 0.8}));
  const BodyId b = maker.add(BodyKind::rigid, 0.8,
                             placed({1, 0, 0.2}, {-0.3, 0.2, 0.1}, {-0.2, 0.5, 0.1}, {-0.7, 0.9, 0.4}));
  const Marker wall{ground, {-0.5, 0, 0}, Mat3::Identity()}, far_wall{ground, {1.6, 0, 0}, Mat3::Identity()};
  const Mat3 turned = placed(Vec3::Zero(), {0.4, 0.1, -0.2}).R;
  maker.add(make_bushing("left", wall, {a, {-0.4, 0.05, 0}, turned}, soft_bushing(80, 1, 0)));
  maker.add(make_bushing("middle", {a, {0.45, 0, 0.05}, turned}, {b, {-0.4, 0.1, 0}, Mat3::Identity()},
                         soft_bushing(stiffness, damping, 0.5 * stiffness)));
  maker.add(make_bushing("right", {b, {0.5, 0, 0.1}, Mat3::Identity()}, far_wall, soft_bushing(60, 0.5, 0)));
  maker.mechanism().gravity = {0, 0, -9.81};
  return maker.finish();
}

/// Two double pendulums side by side, one with a pin and one with a ball joint, joined by a bushing (element
/// 1); at rest at first, and gravity pulls.
inline Model two_jointed_groups() {
  ModelMaker maker;
  std::vector<BodyId> body;
  for (const double x : {0.0, 0.5, 1.0, 1.5})
    body.push_back(maker.add(BodyKind::rigid, 1 - 0.2 * x, placed({x, 0, 0}, Vec3::Zero())));
  const Mat3 along_y = placed(Vec3::Zero(), {-1.5707963267948966, 0, 0}).R;
  const auto at = [&](std::size_t b, double x, const Mat3& axes = Mat3::Identity()) {
    return Marker{body[b], {x, 0, 0}, axes};
  };
  const auto hang = [&](const char* name, std::size_t b) {
    const double x = 0.5 * static_cast<double>(b);
    maker.add(
        make_bushing(name, {ground, {x, 0.1, 0.05}, Mat3::Identity()}, at(b, 0), soft_bushing(80, 1, 0)));
  };
  hang("left", 0);
  maker.add(make_bushing("middle", at(1, 0.25), at(2, -0.25), soft_bushing(100, 2, 50)));
  hang("right", 3);
  auto& constraints = maker.mechanism().constraints;
  constraints.push_back(
      make_joint("pin", JointKind::revolute, {at(0, 0.25, along_y), at(1, -0.25, along_y)}));
  constraints.push_back(make_joint("ball", JointKind::spherical, {at(2, 0.25), at(3, -0.25)}));
  maker.mechanism().gravity = {0, 1, -9.81};
  return maker.finish();
}

/// The bodies before and after this element's ends in two parts: those up to its `from` body, and the others.
inline Partition cut_in_two(const Model& model, std::size_t element, Drive from, Drive to) {
  const ElementEnds ends = ends_of(model, ElementId{element});
  Partition cut;
  cut.parts.resize(2);
  const auto part_of = [&](BodyId body) { return body > ends.from ? std::size_t{1} : std::size_t{0}; };
  for (std::size_t b = 0; b < model.bodies.count; ++b) cut.parts[part_of(BodyId{b})].bodies.emplace_back(b);
  for (Part& part : cut.parts) part.owned = {0, part.bodies.size()};
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const ElementEnds at = ends_of(model, ElementId{e});
    if (e != element) cut.parts[part_of(at.from == ground ? at.to : at.from)].elements.emplace_back(e);
  }
  cut.interface.couplings.push_back(
      {ElementId{element}, {PartId{0}, ends.from, from}, {PartId{1}, ends.to, to}});
  size_couplings(model, cut.interface);
  return cut;
}

/// Everything in one part.
inline Partition in_one_part(const Model& model) {
  Partition whole;
  Part& part = whole.parts.emplace_back();
  for (std::size_t b = 0; b < model.bodies.count; ++b) part.bodies.emplace_back(b);
  for (std::size_t e = 0; e < element_count(model); ++e) part.elements.emplace_back(e);
  part.owned = {0, part.bodies.size()};
  return whole;
}

}  // namespace cosimo::testing
