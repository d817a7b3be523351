#include "bench/mechanisms.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "mechanics/elements.hpp"

namespace cosimo::bench {

BodyId add_rod(MechanismBuilder& builder, const Vec3& from, const Vec3& to) {
  Frame frame;
  frame.r = 0.5 * (from + to);
  frame.R = axes_along((to - from).normalized());
  Mat3 turn;  // the rod is along x of the body
  turn << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  frame.R = frame.R * turn.transpose();
  frame.w = Vec3(0.3, -0.2, 0.1);
  const std::string name = fmt::format("rod{}", builder.bodies());
  return builder.add(
      {.name = name, .kind = BodyKind::rigid, .mass = 1, .inertia = rod_inertia(1, (to - from).norm())},
      frame);
}

PlacedMechanism chain_of(std::size_t links, JointKind kind, double damping) {
  MechanismBuilder builder;
  builder.gravity({0, 0, -9.81});
  Vec3 at = Vec3::Zero();
  BodyId before = ground;
  for (std::size_t k = 0; k < links; ++k) {
    const double angle = 0.8 * std::sin(0.05 * static_cast<double>(k));
    const Vec3 next = at + Vec3(std::sin(angle), 0, -std::cos(angle));
    const BodyId rod = add_rod(builder, at, next);
    builder.joint(fmt::format("joint{}", k), kind, before, rod, at, Vec3::UnitY());
    if (damping > 0) {
      BushingSpec damper;
      for (std::size_t i = 3; i < 6; ++i) damper.law[i].d = damping;
      builder.add(make_bushing(fmt::format("damper{}", k), builder.marker(before, at),
                               builder.marker(rod, at), damper));
    }
    before = rod;
    at = next;
  }
  return builder.finish();
}

PlacedMechanism lattice_of(std::size_t side) {
  MechanismBuilder builder;
  builder.gravity({0, 0, -9.81});
  BushingSpec spec;
  for (std::size_t i = 0; i < 6; ++i) {
    spec.law[i].c = i < 3 ? 1e5 : 1e4;
    spec.law[i].d = i < 3 ? 50 : 5;
  }
  std::vector<BodyId> bodies;
  const auto bush = [&](BodyId from, BodyId to, const Vec3& at) {
    builder.add(make_bushing(fmt::format("bushing{}_{}_{}", at.x(), at.y(), bodies.size()),
                             builder.marker(from, at), builder.marker(to, at), spec));
  };
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      Frame frame;
      frame.r = Vec3(static_cast<double>(i), static_cast<double>(j), 0);
      bodies.push_back(builder.add({.name = fmt::format("body{}_{}", i, j),
                                    .kind = BodyKind::rigid,
                                    .mass = 1,
                                    .inertia = 0.1 * Mat3::Identity()},
                                   frame));
      bush(i == 0 ? ground : bodies[bodies.size() - 1 - side], bodies.back(), frame.r - Vec3(0.5, 0, 0));
      if (j > 0) bush(bodies[bodies.size() - 2], bodies.back(), frame.r - Vec3(0, 0.5, 0));
    }
  }
  return builder.finish();
}

}  // namespace cosimo::bench
