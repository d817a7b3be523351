#include "mechanics/force_element.hpp"

#include <Eigen/Geometry>

namespace cosimo {

Wrench wrench_on_from(const Effort& effort, const Frame& body, const Marker& marker) {
  const Vec3 arm = body.R * marker.point;
  return {effort.force, effort.torque_from + arm.cross(effort.force)};
}

Wrench wrench_on_to(const Effort& effort, const Frame& body, const Marker& marker) {
  const Vec3 arm = body.R * marker.point;
  return {-effort.force, effort.torque_to - arm.cross(effort.force)};
}

Wrench wrench_along(std::size_t freedom, double value, const Body& body, const Frame& centre) {
  const std::uint8_t component = freedom_components(body.kind)[freedom];
  Wrench out;
  (component < 3 ? out.force : out.torque)[component % 3] = value;
  if (component < 3) out.torque = (centre.R * body.reference).cross(out.force);
  return out;
}

Eigen::Matrix<double, 12, 12> marker_jacobian(const Frame& body, const Marker& marker) {
  // r + a, v + w x a with a = R point, da = dtheta x a.
  const Mat3 arm = skew(body.R * marker.point);
  Eigen::Matrix<double, 12, 12> out = Eigen::Matrix<double, 12, 12>::Identity();
  out.block<3, 3>(0, 3) = -arm;
  out.block<3, 3>(6, 3) = -skew(body.w) * arm;
  out.block<3, 3>(6, 9) = -arm;
  return out;
}

EffortMask felt_by(BodyKind from, BodyKind to) {
  EffortMask mask;
  for (const std::uint8_t component : freedom_components(from)) mask.set(component);
  for (const std::uint8_t component : freedom_components(to)) {
    // torque_from too: elements of pure torque tell `to` nothing else.
    mask.set(component);
    if (component >= 3) mask.set(component + 3U);
  }
  return mask;
}

}  // namespace cosimo
