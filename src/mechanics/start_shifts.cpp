#include "mechanics/start_shifts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "mechanics/builder.hpp"

namespace cosimo {

namespace {

/// At the reference points.
std::vector<Frame> frames_of(const PlacedMechanism& placed) {
  const auto first = placed.mechanism->coordinate_offsets();
  std::vector<Frame> frames;
  for (std::size_t b = 0; b < placed.mechanism->bodies.size(); ++b) {
    const Body& body = placed.mechanism->bodies[b];
    const Marker reference{ground, body.reference, Mat3::Identity()};
    frames.push_back(marker_frame(frame_of(body.kind, &placed.q[first[b]], &placed.v[first[b]]), reference));
  }
  return frames;
}

double angle_between(const Mat3& a, const Mat3& b) {
  const double half_sine = (b - a).norm() / std::sqrt(8.0);
  return 2 * std::asin(std::min(1.0, half_sine));
}

/// Distance of a joint's points from the centres of mass, as its rows show it.
double largest_arm(const PlacedMechanism& placed) {
  const Mechanism& mechanism = *placed.mechanism;
  const auto first = mechanism.coordinate_offsets();
  double most = 0;
  std::array<Frame, most_ends> frames;
  ConstraintRows J;
  for (const auto& constraint : mechanism.constraints) {
    const auto bodies = constraint->bodies();
    for (std::size_t e = 0; e < bodies.size(); ++e) {
      const std::size_t b = bodies[e].index();
      frames[e] = frame_of(mechanism.bodies[b].kind, &placed.q[first[b]], &placed.v[first[b]]);
    }
    constraint->jacobian(0, {frames.data(), bodies.size()}, J);
    for (Eigen::Index i = 0; i < J.rows(); ++i) {
      if (!constraint->is_length(static_cast<std::size_t>(i))) continue;
      for (Eigen::Index e = 0; e < J.cols(); e += 6) {
        const double along = J.block<1, 3>(i, e).norm();
        if (along > 0) most = std::max(most, J.block<1, 3>(i, e + 3).norm() / along);
      }
    }
  }
  return most;
}

double radius_of_gyration(const Body& body) {
  if (body.kind == BodyKind::planar) return std::sqrt(body.inertia(2, 2) / body.mass);
  return body.kind == BodyKind::rigid ? std::sqrt(body.inertia.trace() / (2 * body.mass)) : 0;
}

void keep_larger(StartShift& most, std::size_t body, double amount) {
  if (amount > most.amount) most = {BodyId(body), amount};
}

}  // namespace

StartSizes sizes_of(const PlacedMechanism& given, const PlacedMechanism& moved) {
  StartSizes out;
  Vec3 low = Vec3::Constant(INFINITY), high = -low;
  for (const PlacedMechanism* state : {&given, &moved}) {
    for (const Frame& frame : frames_of(*state)) {
      low = low.cwiseMin(frame.r);
      high = high.cwiseMax(frame.r);
      out.speed = std::max(out.speed, frame.v.norm());
      out.turning = std::max(out.turning, frame.w.norm());
    }
  }
  out.length = std::max((high - low).norm(), largest_arm(moved));
  for (const Body& body : given.mechanism->bodies)
    out.length = std::max(out.length, radius_of_gyration(body));
  const double speed = out.speed;
  out.speed = std::max(speed, out.turning * out.length);
  if (out.length > 0) out.turning = std::max(out.turning, speed / out.length);
  return out;
}

StartShifts largest_shifts(const PlacedMechanism& given, const PlacedMechanism& moved,
                           const GivenVelocities& of) {
  const std::vector<Frame> before = frames_of(given), after = frames_of(moved);
  StartShifts out;
  for (std::size_t b = 0; b < before.size(); ++b) {
    keep_larger(out.position, b, (after[b].r - before[b].r).norm());
    keep_larger(out.orientation, b, angle_between(before[b].R, after[b].R));
    if (of.velocity.empty() || of.velocity[b])
      keep_larger(out.velocity, b, (after[b].v - before[b].v).norm());
    if (of.angular_velocity.empty() || of.angular_velocity[b])
      keep_larger(out.angular_velocity, b, (after[b].w - before[b].w).norm());
  }
  return out;
}

StartShifts beyond(const StartShifts& shifts, const StartSizes& sizes, double share) {
  const auto keep = [share](const StartShift& shift, double size) {
    return shift.amount > share * size ? shift : StartShift{};
  };
  return {keep(shifts.position, sizes.length), keep(shifts.orientation, 1.0),
          keep(shifts.velocity, sizes.speed), keep(shifts.angular_velocity, sizes.turning)};
}

}  // namespace cosimo
