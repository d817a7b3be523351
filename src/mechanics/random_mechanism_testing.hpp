// Mechanisms at random for tests of solvers: trees, hubs, chains, loops, redundant joints, loose parts, mass
// ratios up to 1e6; stars, chains and rings of balls.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "mechanics/dynamics_testing.hpp"

namespace cosimo::testing {

inline double power_of_ten(double x) {
  return std::pow(10.0, x);
}

/// Bodies at rest anywhere, joined where they are, so that redundant joints agree with each other.
class RandomMechanism {
 public:
  explicit RandomMechanism(std::uint64_t seed) : rng_(seed) {
    assembly.mechanism.gravity = Vec3(1, -9.81, 2);
    kind_ = rng_() % 4 == 0 ? BodyKind::planar : BodyKind::rigid;
    masses_ = rng_() % 2 == 0 ? 3 : 0.1;
  }

  BodyId add() {
    Frame frame = random_frame(rng_, kind_);
    frame.r *= 3;
    frame.v = frame.w = Vec3::Zero();
    const double mass = power_of_ten(masses_ * random_number(rng_));
    const BodyId id = assembly.add(kind_, frame, mass);
    assembly.mechanism.bodies[id.index()].inertia *= mass;
    frames_.push_back(frame);
    return id;
  }

  /// A joint at a place of its own, or at the given one.
  void join(BodyId from, BodyId to, JointKind kind, const Vec3& point, const Mat3& axes) {
    assembly.join(kind, marker(from, point, axes), marker(to, point, axes));
  }
  void join(BodyId from, BodyId to, bool ball = false) {
    constexpr std::array<JointKind, 5> in_space{JointKind::revolute, JointKind::spherical,
                                                JointKind::cylindrical, JointKind::prismatic,
                                                JointKind::fixed};
    const bool plane = kind_ == BodyKind::planar;
    last_kind = plane || ball ? JointKind::revolute : in_space[rng_() % in_space.size()];
    if (ball && !plane) last_kind = JointKind::spherical;
    last_point = 3.0 * random_vector(rng_);
    last_axes = plane ? Mat3::Identity() : random_rotation(rng_);
    if (plane) last_point.z() = 0;
    join(from, to, last_kind, last_point, last_axes);
  }

  /// Bodies of a tree, with hubs in some, of chains in others; then loops and redundant joints.
  void grow(std::size_t bodies, std::size_t loops) {
    const std::uint64_t shape = rng_() % 4;
    for (std::size_t b = 0; b < bodies; ++b) {
      const BodyId body = add();
      if (rng_() % 10 == 0) continue;  // a loose part begins
      const std::size_t any = b == 0 ? 0 : rng_() % b;
      const std::size_t parent = shape == 0 ? any : shape == 1 ? b - 1 : shape == 2 ? any % 3 : any / 2;
      join(b == 0 ? ground : BodyId(parent), body);
      if (rng_() % 20 == 0)
        join(BodyId(b == 0 ? 0 : parent), b == 0 ? ground : body, last_kind, last_point, last_axes);
    }
    for (std::size_t k = 0; k < loops; ++k) {
      const BodyId a(rng_() % bodies), b(rng_() % bodies);
      if (a != b) join(a, rng_() % 5 == 0 ? ground : b, true);
    }
  }

  Assembly assembly;
  JointKind last_kind = JointKind::revolute;
  Vec3 last_point = Vec3::Zero();
  Mat3 last_axes = Mat3::Identity();

 private:
  Marker marker(BodyId body, const Vec3& point, const Mat3& axes) const {
    Marker out;
    out.body = body;
    const Frame at = body.valid() ? frames_[body.index()] : Frame{};
    out.point = at.R.transpose() * (point - at.r);
    out.axes = at.R.transpose() * axes;
    return out;
  }

  Rng rng_;
  BodyKind kind_ = BodyKind::rigid;
  double masses_ = 0;
  std::vector<Frame> frames_;
};

/// Bodies that only fall leave nothing to solve.
inline std::vector<ExternalWrench> random_wrenches(const Assembly& assembly) {
  Rng rng(9);
  std::vector<ExternalWrench> out;
  for (std::size_t b = 0; b < assembly.mechanism.bodies.size(); ++b) {
    const double mass = assembly.mechanism.bodies[b].mass;
    out.push_back({b, {mass * 10.0 * random_vector(rng), mass * 10.0 * random_vector(rng)}});
  }
  return out;
}

/// Bodies on a line, joined by balls: from hub to arm, one after the other, all around.
inline Assembly star(std::size_t arms) {
  RandomMechanism made(7);
  const BodyId hub = made.add();
  for (std::size_t k = 0; k < arms; ++k) made.join(hub, made.add(), true);
  return std::move(made.assembly);
}
inline Assembly chains(std::size_t links, std::size_t count, bool ring = false) {
  RandomMechanism made(ring ? 5 : 6);
  for (std::size_t k = 0; k < count; ++k) {
    BodyId before = ring ? BodyId(links - 1) : ground;
    std::vector<BodyId> bodies;
    for (std::size_t i = 0; i < links; ++i) bodies.push_back(made.add());
    for (const BodyId body : bodies) {
      made.join(before, body, true);
      before = body;
    }
  }
  return std::move(made.assembly);
}

}  // namespace cosimo::testing
