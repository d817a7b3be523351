// Mechanisms for the tests of the equations of motion, with a consistent state each.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mechanics/dynamics.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/joints.hpp"
#include "mechanics/testing.hpp"

namespace cosimo::testing {

struct Assembly {
  Mechanism mechanism;
  std::vector<double> q, v;

  BodyId add(BodyKind kind, const Frame& frame, double mass = 1.3) {
    Body body;
    body.name = "body" + std::to_string(mechanism.bodies.size());
    body.kind = kind;
    body.mass = mass;
    body.inertia << 0.3, 0.02, -0.01, 0.02, 0.4, 0.03, -0.01, 0.03, 0.5;
    mechanism.bodies.push_back(body);
    std::array<double, 7> place{}, rate{};
    coordinates_from(kind, frame, place.data(), rate.data());
    const auto n = static_cast<std::ptrdiff_t>(coordinates_of(kind));
    q.insert(q.end(), place.begin(), place.begin() + n);
    v.insert(v.end(), rate.begin(), rate.begin() + n);
    return BodyId{mechanism.bodies.size() - 1};
  }

  JointSides sides(const Marker& from, const Marker& to) const {
    const auto kind = [&](BodyId body) {
      return body.valid() ? mechanism.bodies[body.index()].kind : BodyKind::rigid;
    };
    return {from, to, kind(from.body), kind(to.body)};
  }
  void join(JointKind kind, const Marker& from, const Marker& to) {
    mechanism.constraints.push_back(
        make_joint("joint" + std::to_string(mechanism.constraints.size()), kind, sides(from, to)));
  }

  Dynamics dynamics() const {
    std::vector<BodyId> bodies;
    std::vector<ElementId> elements;
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) bodies.emplace_back(i);
    for (std::size_t i = 0; i < mechanism.elements.size(); ++i) elements.emplace_back(i);
    return {mechanism, bodies, elements};
  }
};

/// Links of length one with the joint at (0, 1/2, 0) of each, hanging anyhow, moving consistently.
inline Assembly random_pendulum(std::size_t links, BodyKind kind, JointKind joint, std::uint64_t seed) {
  Rng rng(seed);
  Assembly out;
  out.mechanism.gravity = Vec3(0, -9.81, 0);
  const Vec3 top(0, 0.5, 0);
  Vec3 tip = Vec3::Zero(), speed = Vec3::Zero();
  Marker above;
  for (std::size_t i = 0; i < links; ++i) {
    Frame frame = random_frame(rng, kind);
    frame.r = tip - frame.R * top;
    frame.v = speed + (frame.R * top).cross(frame.w);
    tip = frame.r - frame.R * top;
    speed = frame.v + (frame.R * top).cross(frame.w);
    Marker upper, lower;
    upper.body = lower.body = out.add(kind, frame);
    upper.point = top;
    lower.point = -top;
    out.join(joint, above, upper);
    above = lower;
  }
  return out;
}

/// Positions or velocities displaced at random, not along the constraints.
inline void disturb(std::vector<double>& list, double size, Rng& rng) {
  for (double& x : list) x += size * random_number(rng);
}

}  // namespace cosimo::testing
