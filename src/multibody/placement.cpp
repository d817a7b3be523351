#include "multibody/placement.hpp"

#include <utility>

#include "multibody/config_values.hpp"

namespace cosimo {

void put_place(const config::Scenario& scenario, const config::Place& place, Fault& fault) {
  const auto source = static_cast<std::size_t>(place.source);
  if (source < scenario.sources.size()) fault.file = scenario.sources[source];
  fault.line = place.line;
  fault.column = place.column;
}

BodyKind Placement::kind(std::int32_t body) const {
  if (body == config::on_ground) return BodyKind::rigid;
  return body_kind(model().bodies[static_cast<std::size_t>(body)]);
}

Vec3 Placement::in_space(std::int32_t body, const Vec3& point) const {
  if (body == config::on_ground) return point;
  const Frame& centre = frame(body);
  return centre.r + centre.R * (point - vec(model().bodies[static_cast<std::size_t>(body)].center));
}

template <class Connection>
Placement::Points Placement::points_of(const Connection& c, bool shared) const {
  if (c.at) return {vec(*c.at), vec(*c.at)};
  const auto place = [&](std::int32_t body, const std::optional<config::Vector>& own, std::int32_t far,
                         const std::optional<config::Vector>& other) {
    if (own) return in_space(body, vec(*own));
    if (shared && other) return in_space(far, vec(*other));
    return in_space(body, Vec3::Zero());
  };
  return {place(c.from, c.at_from, c.to, c.at_to), place(c.to, c.at_to, c.from, c.at_from)};
}

template Placement::Points Placement::points_of(const config::Element&, bool) const;
template Placement::Points Placement::points_of(const config::Joint&, bool) const;

JointSides Placement::sides(const config::Joint& joint) const {
  const Points p = points(joint, joint.kind != config::JointKind::distance);
  const Mat3 axes = joint_axes(joint);
  return {marker(joint.from, p.from, axes), marker(joint.to, p.to, axes), kind(joint.from), kind(joint.to)};
}

Fault Placement::located(const config::Place& place, std::string field, Fault fault) const {
  put_place(scenario_, place, fault);
  fault.field = std::move(field);
  return fault;
}

}  // namespace cosimo
