// What contact/touch-inl.hpp says of a ball and a core, where they are spheres, or a sphere and a plane, and
// their middles are known: nothing has to be turned. Most touches of heaps are of these kinds.
#pragma once

#include "contact/touch-inl.hpp"

namespace cosimo::contact {

/// A sphere, or what is fixed to the ground: then it has no frame.
struct Round {
  const Outline& shape;
  Vec3 middle;
  const Frame* frame = nullptr;

  Vec3 velocity(const Vec3& at) const {
    return frame == nullptr ? Vec3(Vec3::Zero()) : Vec3(frame->v + frame->w.cross(at - frame->r));
  }
};

/// p > 0: they touch, and all of it is known.
inline Touch<double> touch_of(const Round& ball, const Round& core) {
  const auto vector = [](const Vec3& a) { return Vector<double>{a.x(), a.y(), a.z()}; };
  Touch<double> out;
  const Vec3 way = ball.middle - core.middle;
  Vec3 n(0, 0, 1);
  if (core.shape.kind == Outline::Kind::plane) {
    n = core.shape.turn.col(2);
    out.p = ball.shape.round + core.shape.round - n.dot(way);
    if (!(out.p > 0)) return out;
  } else {
    const double square = way.squaredNorm(), reach = ball.shape.round + core.shape.round;
    if (!(square < reach * reach)) return out;
    const double d = std::sqrt(square);
    out.p = reach - d;
    if (d > 0) n = way / d;
  }
  const Vec3 at = ball.middle - (ball.shape.round - 0.5 * out.p) * n;
  const Vec3 v = ball.velocity(at) - core.velocity(at);
  const double leaving = n.dot(v);
  out.n = vector(n);
  out.at = vector(at);
  out.rate = -leaving;
  out.along = vector(v - leaving * n);
  return out;
}

}  // namespace cosimo::contact
