// Volume and moments of solids of density one about their middles, along their axes; round ones about z.
#pragma once

#include <numbers>
#include <vector>

#include "config/mesh.hpp"

namespace cosimo::config::solids {

using std::numbers::pi;

/// Around the z axis: the moments about it and across it, for the volume.
inline Solid round_solid(double volume, double along, double across) {
  return {volume, {}, {across, across, along, 0, 0, 0}};
}

inline Solid box(const std::vector<double>& edges) {
  const double a = edges[0] * edges[0], b = edges[1] * edges[1], c = edges[2] * edges[2];
  const double volume = edges[0] * edges[1] * edges[2];
  return {volume, {}, {volume * (b + c) / 12, volume * (a + c) / 12, volume * (a + b) / 12, 0, 0, 0}};
}

inline Solid sphere(double r) {
  const double volume = 4.0 / 3 * pi * r * r * r, moment = 0.4 * volume * r * r;
  return round_solid(volume, moment, moment);
}

/// With a bore of radius `inner`.
inline Solid tube(double r, double inner, double length) {
  const double volume = pi * (r - inner) * (r + inner) * length, square = r * r + inner * inner;
  return round_solid(volume, 0.5 * volume * square, volume * (3 * square + length * length) / 12);
}

/// A cylinder with half a sphere on either end; `length` is that of the cylinder.
inline Solid capsule(double r, double length) {
  const double cylinder = pi * r * r * length, ball = 4.0 / 3 * pi * r * r * r;
  const double across = cylinder * (3 * r * r + length * length) / 12 +
                        ball * (0.4 * r * r + 0.25 * length * length + 0.375 * length * r);
  return round_solid(cylinder + ball, (0.5 * cylinder + 0.4 * ball) * r * r, across);
}

inline Solid ellipsoid(double a, double b, double c) {
  const double volume = 4.0 / 3 * pi * a * b * c, fifth = volume / 5;
  return {volume, {}, {fifth * (b * b + c * c), fifth * (a * a + c * c), fifth * (a * a + b * b), 0, 0, 0}};
}

}  // namespace cosimo::config::solids
