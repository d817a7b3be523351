#include "multibody/motion_files.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mechanics/mechanism.hpp"
#include "multibody/mechanism_output.hpp"

namespace cosimo {

namespace {

std::array<double, 3> numbers(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

/// Half edges of the box with the body's mass and principal inertias; nothing for point masses.
std::array<double, 3> half_extent(const Body& body) {
  if (body.kind != BodyKind::rigid && body.kind != BodyKind::planar) return {0, 0, 0};
  const Vec3 i = body.kind == BodyKind::planar ? Vec3(0, body.inertia(2, 2), body.inertia(2, 2))
                                               : Vec3(body.inertia.diagonal());
  const auto half = [&](double others, double own) {
    return std::sqrt(std::max(0.0, 1.5 * (others - own) / body.mass));
  };
  return {half(i.y() + i.z(), i.x()), half(i.x() + i.z(), i.y()), half(i.x() + i.y(), i.z())};
}

VtkScene scene_of(const Mechanism& mechanism, std::span<const std::int32_t> part_of_body) {
  VtkScene scene;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    scene.bodies.push_back({static_cast<std::int64_t>(b) + 1, part_of_body[b], mechanism.bodies[b].mass,
                            half_extent(mechanism.bodies[b])});
  const auto marker = [&](const Marker& m) {
    return VtkMarker{m.body == ground ? -1 : m.body.value, numbers(m.point)};
  };
  for (std::size_t e = 0; e < mechanism.elements.size(); ++e)
    scene.links.push_back({VtkLinkKind::element, static_cast<std::int64_t>(e) + 1,
                           marker(mechanism.elements[e]->at_from), marker(mechanism.elements[e]->at_to)});
  // Constraints are drawn between the centres of the bodies that they join.
  for (std::size_t c = 0; c < mechanism.constraints.size(); ++c) {
    const auto bodies = mechanism.constraints[c]->bodies();
    if (bodies.size() < 2) continue;
    scene.links.push_back({VtkLinkKind::joint,
                           static_cast<std::int64_t>(c) + 1,
                           {bodies[0].value, {0, 0, 0}},
                           {bodies[1].value, {0, 0, 0}}});
  }
  return scene;
}

}  // namespace

MotionFiles::MotionFiles(const std::filesystem::path& folder, const MechanismOutput& output,
                         std::span<const std::int32_t> part_of_body, bool keep)
    : MotionFiles(folder, output, scene_of(output.mechanism(), part_of_body), keep) {}

MotionFiles::MotionFiles(const std::filesystem::path& folder, const MechanismOutput& output,
                         const VtkScene& scene, bool keep)
    : output_(output),
      writer_(folder, scene, keep),
      poses_(scene.bodies.size()),
      forces_(scene.links.size()) {}

void MotionFiles::frame(double t) {
  const auto frames = output_.centres();
  bool finite = true;
  for (std::size_t b = 0; b < poses_.size(); ++b) {
    const Eigen::Quaterniond p(frames[b].R);
    poses_[b] = {
        numbers(frames[b].r), {p.w(), p.x(), p.y(), p.z()}, numbers(frames[b].v), numbers(frames[b].w)};
    finite = finite && frames[b].r.allFinite() && frames[b].R.allFinite() && frames[b].v.allFinite() &&
             frames[b].w.allFinite();
  }
  const auto efforts = output_.efforts();
  for (std::size_t e = 0; e < efforts.size(); ++e) {
    const double force = efforts[e].force.norm();
    forces_[e] = std::isfinite(force) ? force : 0;
  }
  if (finite) writer_.frame(t, poses_, forces_);
}

}  // namespace cosimo
