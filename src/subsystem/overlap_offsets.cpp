#include "subsystem/overlap_offsets.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "mechanics/mechanism.hpp"
#include "model/cut_effort.hpp"

namespace cosimo {

namespace {

/// Freedoms of a body as the six components of a twist, and back.
Vec6 spread(BodyKind kind, const double* freedoms) {
  Vec6 out = Vec6::Zero();
  for (const std::uint8_t component : freedom_components(kind)) out[component] = *freedoms++;
  return out;
}

void gather(BodyKind kind, const Vec6& twist, double* freedoms) {
  for (const std::uint8_t component : freedom_components(kind)) *freedoms++ = twist[component];
}

/// One block, displacement or rotation.
double complete_block(Eigen::Ref<Vec3> x, Eigen::Ref<Vec3> v, double H, double most) {
  const double dx = x.norm(), dv = v.norm();
  if (dx == 0 && dv == 0) return 1;
  const double p = dx > 0 ? std::clamp(H * dv / dx, 1.0, most) : most;
  if (const double least = H * dv / p; dx < least) x = dx > 0 ? Vec3(x * (least / dx)) : Vec3(v * (H / p));
  if (const double least = x.norm() / H; dv < least) v = dv > 0 ? Vec3(v * (least / dv)) : Vec3(x / H);
  return p;
}

}  // namespace

double complete(Offset& d, double H, double most) {
  const double moved = complete_block(d.x.head<3>(), d.v.head<3>(), H, most);
  return std::max(moved, complete_block(d.x.tail<3>(), d.v.tail<3>(), H, most));
}

BodyMotion BodyOffsets::owner(BodyId body) const {
  const std::size_t first = model_.coordinates(body).first;
  return {states_.next_x().data() + first, states_.next_v().data() + first};
}

Offset BodyOffsets::off_owner(BodyId body, BodyMotion copy) const {
  const BodyKind kind = model_.mechanism->bodies[body.index()].kind;
  const BodyMotion own = owner(body);
  std::array<double, most_coordinates> dq{};
  std::array<double, 6> moved{}, copy_twist{}, own_twist{};
  for (std::size_t i = 0; i < coordinates_of(kind); ++i) dq[i] = copy.x[i] - own.x[i];
  twist_of(kind, own.x, dq.data(), moved.data());
  twist_of(kind, copy.x, copy.v, copy_twist.data());
  twist_of(kind, own.x, own.v, own_twist.data());
  return {spread(kind, moved.data()), spread(kind, copy_twist.data()) - spread(kind, own_twist.data())};
}

double BodyOffsets::weighted(BodyId body, const Offset& d) const {
  const BodyKind kind = model_.mechanism->bodies[body.index()].kind;
  const Range own = model_.coordinates(body);
  std::array<double, 6> freedoms{};
  std::array<double, most_coordinates> dx{}, dv{};
  const double* const q = states_.next_x().data() + own.first;
  gather(kind, d.x, freedoms.data());
  rates_of(kind, q, freedoms.data(), dx.data());
  gather(kind, d.v, freedoms.data());
  rates_of(kind, q, freedoms.data(), dv.data());
  const MotionSizes absolute = tolerances_.absolute();
  double sum = 0;
  for (std::size_t i = own.first, k = 0; i < own.last; ++i, ++k) {
    const double x = std::max(std::fabs(states_.x()[i]), std::fabs(states_.next_x()[i]));
    const double v = std::max(std::fabs(states_.v()[i]), std::fabs(states_.next_v()[i]));
    const MotionSize& atol = absolute.of(is_angle(kind, k));
    const double ex = dx[k] / (atol.position + tolerances_.rtol * x);
    const double ev = dv[k] / (atol.velocity + tolerances_.rtol * v);
    sum += 0.5 * (ex * ex + ev * ev);
  }
  return std::sqrt(sum / static_cast<double>(own.size()));
}

Vec6 BodyOffsets::velocity_of(BodyId body, const Vec6& impulse) const {
  const Body& own = model_.mechanism->bodies[body.index()];
  Vec6 out = Vec6::Zero();
  for (const std::uint8_t component : freedom_components(own.kind))
    if (component < 3) out[component] = impulse[component] / own.mass;
  if (own.kind == BodyKind::planar) out[5] = impulse[5] / own.inertia(2, 2);
  if (own.kind == BodyKind::rigid) {
    const BodyMotion at = owner(body);
    const Mat3 R = frame_of(own.kind, at.x, at.v).R;
    out.tail<3>() = R * (own.inertia.inverse() * (R.transpose() * impulse.tail<3>()));
  }
  return out;
}

}  // namespace cosimo
