// Where the ends of joints, elements and ropes are: from bodies and points of a scenario to markers.
//
// Points are given in space as placed, or in a body's reference axes. The state of a body is that of its
// centre of mass; its reference point is where a user places it. Bodies are numbers of the scenario's list,
// or config::on_ground.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/scenario.hpp"
#include "core/error.hpp"
#include "mechanics/builder.hpp"

namespace cosimo {

/// The fault is in this line of a file.
void put_place(const config::Scenario& scenario, const config::Place& place, Fault& fault);

/// Reads a scenario and what its builder has so far: bodies come before whatever acts on them.
class Placement {
 public:
  /// Both outlive it; `scenario.mechanism` is given.
  Placement(const config::Scenario& scenario, const MechanismBuilder& builder)
      : scenario_(scenario), builder_(builder) {}

  /// Where two ends are, in space as placed.
  struct Points {
    Vec3 from, to;
  };

  const config::Scenario& scenario() const { return scenario_; }
  const config::Mechanism& model() const { return *scenario_.mechanism; }

  BodyKind kind(std::int32_t body) const;
  /// Of the centre of mass.
  const Frame& frame(std::int32_t body) const { return builder_.frame(BodyId(body)); }
  /// A point that is given in a body's reference axes, in space.
  Vec3 in_space(std::int32_t body, const Vec3& point) const;
  /// At a point in space.
  Marker marker(std::int32_t body, const Vec3& point, const Mat3& axes = Mat3::Identity()) const {
    return builder_.marker(BodyId(body), point, axes);
  }

  /// An end whose point is not given is at the body's reference point.
  Points points(const config::Element& element) const { return points_of(element, false); }
  /// `shared`: an end whose point is not given is where the other one is; else at the reference point.
  Points points(const config::Joint& joint, bool shared) const { return points_of(joint, shared); }
  JointSides sides(const config::Joint& joint) const;

  /// The fault of a field, with its file and line.
  Fault located(const config::Place& place, std::string field, Fault fault) const;

 private:
  template <class Connection>
  Points points_of(const Connection& c, bool shared) const;

  const config::Scenario& scenario_;
  const MechanismBuilder& builder_;
};

extern template Placement::Points Placement::points_of(const config::Element&, bool) const;
extern template Placement::Points Placement::points_of(const config::Joint&, bool) const;

}  // namespace cosimo
