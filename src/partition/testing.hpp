// Small mechanisms for the tests of cutting: linear elements and joints that only hold bodies together.
//
//   MechanismBuilder build;
//   BodyId a = build.body("a", BodyKind::rigid, 2.0, {0, 0, 0});
//   build.spring("s", a, b, 1e4, 10);      isotropic, between the centres of mass
//   build.join("weld", {a, b});
//   Model model = build.finish();
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/mechanism.hpp"
#include "model/model.hpp"

namespace cosimo::samples {

/// force = k (r_to - r_from) + d (v_to - v_from), no torques.
class LinearElement : public ForceElement {
 public:
  LinearElement(std::string element_name, const Marker& from, const Marker& to, double k, double d,
                bool load = false)
      : ForceElement(std::move(element_name), from, to), k_(k), d_(d), load_(load) {}
  EffortMask components() const override { return EffortMask{7}; }
  bool effort(double, const Frame& from, const Frame& to, Effort& out) const override {
    out = {};
    out.force = k_ * (to.r - from.r) + d_ * (to.v - from.v);
    return true;
  }
  void gradient(double, const Frame&, const Frame&, EffortGradient& out) const override {
    out = {};
    out.to.block<3, 3>(0, 0) = k_ * Mat3::Identity();
    out.to.block<3, 3>(0, 6) = d_ * Mat3::Identity();
    out.from = -out.to;
  }
  bool is_load() const override { return load_; }
  std::string_view kind() const override { return "linear"; }

 private:
  double k_, d_;
  bool load_;
};

/// Holds bodies together for cutting; it has no rows.
class Tie : public Constraint {
 public:
  Tie(std::string constraint_name, std::vector<BodyId> bodies)
      : Constraint(std::move(constraint_name)), bodies_(std::move(bodies)) {}
  std::span<const BodyId> bodies() const override { return bodies_; }
  std::size_t rows() const override { return 0; }
  void residual(double, BodyFrames, RowVector& g) const override { g.resize(0); }
  void jacobian(double, BodyFrames, ConstraintRows& J) const override { J.resize(0, columns()); }
  void drift(double, BodyFrames, RowVector& g_t) const override { g_t.resize(0); }
  void curvature(double, BodyFrames, RowVector& c) const override { c.resize(0); }
  void force_gradient(double, BodyFrames, const RowVector&, ConstraintBlock& out) const override {
    out.setZero(columns(), columns());
  }
  void rate_gradient(double, BodyFrames, ConstraintRows& out) const override { out.resize(0, columns()); }
  std::string_view kind() const override { return "tie"; }
  bool is_length(std::size_t) const override { return true; }
  void reaction(double, BodyFrames, const RowVector&, Vec3& force, Vec3& torque) const override {
    force.setZero();
    torque.setZero();
  }

 private:
  Eigen::Index columns() const { return static_cast<Eigen::Index>(6 * bodies_.size()); }
  std::vector<BodyId> bodies_;
};

class MechanismBuilder {
 public:
  BodyId body(std::string name, BodyKind kind, double mass, const Vec3& place) {
    Body made;
    made.name = std::move(name);
    made.kind = kind;
    made.mass = mass;
    made.inertia = mass * Mat3::Identity();
    mechanism_->bodies.push_back(made);
    Frame frame;
    frame.r = place;
    std::vector<double> q(coordinates_of(kind)), v(q.size());
    coordinates_from(kind, frame, q.data(), v.data());
    x_.insert(x_.end(), q.begin(), q.end());
    return BodyId{mechanism_->bodies.size() - 1};
  }
  ElementId spring(std::string name, BodyId from, BodyId to, double k, double d = 0) {
    return add(std::make_unique<LinearElement>(std::move(name), Marker{from}, Marker{to}, k, d));
  }
  ElementId load(std::string name, BodyId on) {
    return add(std::make_unique<LinearElement>(std::move(name), Marker{}, Marker{on}, 0, 0, true));
  }
  ElementId add(std::unique_ptr<ForceElement> element) {
    mechanism_->elements.push_back(std::move(element));
    return ElementId{mechanism_->elements.size() - 1};
  }
  void join(std::string name, std::vector<BodyId> bodies) {
    mechanism_->constraints.push_back(std::make_unique<Tie>(std::move(name), std::move(bodies)));
  }
  Model finish() {
    std::vector<double> v(x_.size(), 0);
    return make_model(std::shared_ptr<const Mechanism>(std::move(mechanism_)), x_, v);
  }

 private:
  std::unique_ptr<Mechanism> mechanism_ = std::make_unique<Mechanism>();
  std::vector<double> x_;
};

/// `count` groups of three bodies each, joined, in a row along x: element i (from 1) joins group i-1 to group
/// i.
inline Model train(std::size_t count, double k = 1e4) {
  MechanismBuilder build;
  std::vector<BodyId> last;
  for (std::size_t g = 0; g < count; ++g) {
    std::vector<BodyId> bodies;
    for (int i = 0; i < 3; ++i)
      bodies.push_back(build.body("body " + std::to_string(g) + "." + std::to_string(i), BodyKind::rigid, 1,
                                  {static_cast<double>(g), 0.2 * i, 0}));
    build.join("joint " + std::to_string(g), bodies);
    build.spring(g == 0 ? "wall" : "coupling " + std::to_string(g), g == 0 ? ground : last[2], bodies[0], k);
    last = bodies;
  }
  return build.finish();
}

}  // namespace cosimo::samples
