#include "config/mjcf_joints.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo::config::robot {

namespace {

constexpr double rounding = 1e-9;

bool parallel(const Vec3& a, const Vec3& b) {
  return a.cross(b).norm() <= rounding * a.norm() * b.norm();
}

bool perpendicular(const Vec3& a, const Vec3& b) {
  return std::abs(a.dot(b)) <= rounding * a.norm() * b.norm();
}

bool same_point(const Joint& a, const Joint& b) {
  return (a.anchor - b.anchor).norm() <= rounding * (1 + a.anchor.norm());
}

std::optional<Joint> spherical_or_planar(const std::vector<Joint>& turns, const std::vector<Joint>& slides) {
  Joint out = turns[0];
  if (turns.size() == 3) {
    const double spread =
        turns[0].axis.normalized().dot(turns[1].axis.normalized().cross(turns[2].axis.normalized()));
    if (!same_point(turns[0], turns[1]) || !same_point(turns[0], turns[2]) || std::abs(spread) < 1e-3)
      return std::nullopt;
    out.mobility = Mobility::spherical;
    return out;
  }
  if (slides.size() != 2 || !perpendicular(turns[0].axis, slides[0].axis) ||
      !perpendicular(turns[0].axis, slides[1].axis) || parallel(slides[0].axis, slides[1].axis))
    return std::nullopt;
  out.mobility = Mobility::planar;
  return out;
}

}  // namespace

std::optional<Joint> combine(const std::vector<Joint>& freedoms) {
  std::vector<Joint> turns, slides;
  for (const Joint& each : freedoms) {
    if (each.mobility == Mobility::revolute) turns.push_back(each);
    if (each.mobility == Mobility::prismatic) slides.push_back(each);
  }
  if (turns.size() + slides.size() != freedoms.size() || turns.empty()) return std::nullopt;
  if (freedoms.size() == 3) return spherical_or_planar(turns, slides);
  if (freedoms.size() != 2) return std::nullopt;
  Joint out = turns[0];
  if (turns.size() == 2) {
    // The first axis does not turn with the second joint, the second one does.
    if (!same_point(turns[0], turns[1]) || !perpendicular(turns[0].axis, turns[1].axis)) return std::nullopt;
    out.mobility = Mobility::universal;
    out.second_axis = turns[1].axis;
    return out;
  }
  if (!parallel(turns[0].axis, slides[0].axis)) return std::nullopt;
  out.mobility = Mobility::cylindrical;
  return out;
}

}  // namespace cosimo::config::robot
