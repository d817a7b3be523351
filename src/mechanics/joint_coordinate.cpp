#include "mechanics/joint_coordinate.hpp"

#include <cmath>
#include <numbers>

#include "core/check.hpp"

namespace cosimo {

namespace {

bool turns(const Marker& marker, BodyKind kind) {
  return marker.body == ground || kind == BodyKind::rigid || kind == BodyKind::planar;
}

bool in_space(const Marker& marker, BodyKind kind) {
  return marker.body != ground && kind == BodyKind::rigid;
}

}  // namespace

std::vector<JointCoordinate> joint_coordinates_of(const std::string& joint, JointKind kind,
                                                  const JointSides& sides) {
  std::vector<JointCoordinate> out;
  const bool both = kind == JointKind::cylindrical;
  const bool has_angle = turns(sides.from, sides.from_kind) && turns(sides.to, sides.to_kind);
  if ((kind == JointKind::revolute || both) && has_angle)
    out.push_back({.joint = joint,
                   .value_name = "angle",
                   .rate_name = both ? "angular_speed" : "speed",
                   .along = Along::angle,
                   .from = sides.from,
                   .to = sides.to,
                   .in_space = in_space(sides.from, sides.from_kind) || in_space(sides.to, sides.to_kind)});
  if (kind == JointKind::prismatic || both)
    out.push_back({.joint = joint,
                   .value_name = "displacement",
                   .rate_name = "speed",
                   .along = Along::displacement,
                   .from = sides.from,
                   .to = sides.to});
  return out;
}

Frame marker_at(std::span<const Frame> centres, const Marker& marker) {
  return marker_frame(marker.body == ground ? Frame{} : centres[marker.body.index()], marker);
}

JointReadings::JointReadings(std::span<const JointCoordinate> coordinates)
    : coordinates_(coordinates), readings_(coordinates.size()) {
  for (const JointCoordinate& each : coordinates) counts_ = counts_ || each.in_space;
}

std::vector<std::string> JointReadings::columns() const {
  std::vector<std::string> names;
  for (const JointCoordinate& each : coordinates_)
    for (const std::string& name : {each.value_name, each.rate_name})
      names.push_back(each.joint + "." + name);
  return names;
}

void JointReadings::read(double t, std::span<const Frame> centres, std::span<Reading> out) const {
  for (std::size_t k = 0; k < readings_.size(); ++k) {
    const JointCoordinate& joint = coordinates_[k];
    const Reading& last = readings_[k];
    const Travel at = travel(joint.along, marker_at(centres, joint.from), marker_at(centres, joint.to));
    double value = at.s;
    if (joint.in_space) {
      const double near = begun_ ? last.value + 0.5 * (t - t_) * (last.rate + at.rate) : joint.start;
      value = near + std::remainder(at.s - near, 2 * std::numbers::pi);
    }
    out[k] = {value, at.rate};
  }
}

void JointReadings::evaluate(double t, std::span<const Frame> centres) {
  read(t, centres, readings_);
  t_ = t;
  begun_ = true;
}

}  // namespace cosimo
