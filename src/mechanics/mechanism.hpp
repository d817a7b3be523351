// A mechanical system of arbitrary topology: bodies, force elements, constraints, gravity. Immutable once it
// is made, and shared by all parts.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "mechanics/body.hpp"
#include "mechanics/constraint.hpp"
#include "mechanics/force_element.hpp"
#include "mechanics/force_group.hpp"
#include "mechanics/joint_coordinate.hpp"
#include "mechanics/sensor.hpp"
#include "numerics/extent.hpp"

namespace cosimo {

struct Mechanism {
  std::vector<Body> bodies;
  std::vector<std::unique_ptr<ForceElement>> elements;  ///< ElementId is the place in here
  std::vector<std::unique_ptr<ForceGroup>> groups;      ///< laws over many bodies
  std::vector<std::unique_ptr<Constraint>> constraints;
  std::vector<JointCoordinate> joint_coordinates;  ///< for results
  std::vector<Sensor> sensors;
  Vec3 gravity = Vec3::Zero();
  std::vector<std::uint64_t> curves;  ///< digests of those that elements and motors follow

  /// Where each body's coordinates begin; one more entry with their number. Call after the last
  /// body was added.
  std::vector<std::size_t> coordinate_offsets() const;

  /// Where what each element remembers begins, in the order of the elements, then what each group does; one
  /// more entry with all of it.
  std::vector<Extent> memory_offsets() const;

  /// Some group is for explicit methods only (ForceGroup::has_gradient); null: none is.
  const ForceGroup* group_without_gradient() const;
  const ForceGroup* group_with_memory() const;

  BodyId find_body(std::string_view name) const;        ///< invalid when there is none
  ElementId find_element(std::string_view name) const;  ///< invalid when there is none

  /// Of the first element that has one (ForceElement::complaint); empty: none has.
  std::string_view complaint(double since) const;
};

}  // namespace cosimo
