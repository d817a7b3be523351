// The distance of a point from the core of an outline, and where it points: exact outside, and inside the way
// to the nearest face. In the axes of the shape, of plain numbers or of numbers with derivatives.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/dual.hpp"
#include "contact/outline.hpp"

namespace cosimo::contact {

template <class T>
struct Distance {
  T d{};
  Vector<T> n;  ///< away from the core
};

template <class T>
Vector<T> plain(const Vec3& a) {
  return {T(a.x()), T(a.y()), T(a.z())};
}

/// From a point; exactly there it points upwards.
template <class T>
Distance<T> from_point(const Vector<T>& away) {
  const T d2 = dot(away, away);
  if (!(value_of(d2) > 0)) return {T(0.0), {T(0.0), T(0.0), T(1.0)}};
  const T d = root_of(d2);
  return {d, (T(1.0) / d) * away};
}

/// Along one axis: how far beyond +-half, with the sign of the side.
template <class T>
struct Beyond {
  T by{};
  double side = 1;
};

template <class T>
Beyond<T> beyond(const T& x, double half) {
  const double side = value_of(x) < 0 ? -1.0 : 1.0;
  return {T(side) * x - T(half), side};
}

template <class T>
Distance<T> from_box(const Vector<T>& y, const Vec3& half) {
  const std::array<Beyond<T>, 3> q{beyond(y.x, half.x()), beyond(y.y, half.y()), beyond(y.z, half.z())};
  std::array<T, 3> out{};
  std::size_t outside = 0, nearest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (value_of(q[k].by) > 0) {
      out[k] = T(q[k].side) * q[k].by;
      ++outside;
      nearest = k;
    } else if (outside == 0 && value_of(q[k].by) > value_of(q[nearest].by)) {
      nearest = k;
    }
  }
  if (outside > 1) return from_point<T>({out[0], out[1], out[2]});
  std::array<T, 3> n{};
  n[nearest] = T(q[nearest].side);
  return {q[nearest].by, {n[0], n[1], n[2]}};
}

template <class T>
Distance<T> from_segment(const Vector<T>& y, double half) {
  const T along = value_of(y.z) > half ? T(half) : value_of(y.z) < -half ? T(-half) : y.z;
  return from_point<T>({y.x, y.y, y.z - along});
}

template <class T>
Distance<T> from_cylinder(const Vector<T>& y, const Vec3& half) {
  const Beyond<T> above = beyond(y.z, half.z());
  const T square = y.x * y.x + y.y * y.y;
  const double reach = std::sqrt(value_of(square)) - half.x();
  if (value_of(above.by) > 0 && reach <= 0) return {above.by, {T(0.0), T(0.0), T(above.side)}};
  if (reach <= 0 && value_of(above.by) >= reach) return {above.by, {T(0.0), T(0.0), T(above.side)}};
  const T s = root_of(square);
  const Vector<T> outwards{y.x / s, y.y / s, T(0.0)};
  const T out = s - T(half.x());
  if (value_of(above.by) <= 0) return {out, outwards};
  return from_point<T>({out * outwards.x, out * outwards.y, T(above.side) * above.by});
}

/// Which corner, edge or face of a triangle is nearest to a point (Ericson, Real-time collision detection,
/// section 5.1.5): how many of its corners count, and which.
struct Feature {
  int corners = 3;
  std::array<int, 2> which{};
};

inline Feature nearest_feature(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {1, {0, 0}};
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {1, {1, 0}};
  if (d1 * d4 - d3 * d2 <= 0 && d1 >= 0 && d3 <= 0) return {2, {0, 1}};
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {1, {2, 0}};
  if (d5 * d2 - d1 * d6 <= 0 && d2 >= 0 && d6 <= 0) return {2, {0, 2}};
  if (d3 * d6 - d5 * d4 <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return {2, {1, 2}};
  return {3, {}};
}

template <class T>
Distance<T> from_feature(const Vector<T>& y, const Hull& hull, std::size_t triangle, const Feature& feature) {
  const auto corner = [&](int k) {
    return hull.corners[hull.triangles[triangle][static_cast<std::size_t>(k)]];
  };
  if (feature.corners == 3)
    return {dot(plain<T>(hull.normals[triangle]), y) - T(hull.heights[triangle]),
            plain<T>(hull.normals[triangle])};
  const Vec3 a = corner(feature.which[0]);
  const Vector<T> away = y - plain<T>(a);
  if (feature.corners == 1) return from_point(away);
  const Vector<T> along = plain<T>(Vec3((corner(feature.which[1]) - a).normalized()));
  return from_point<T>(away - dot(away, along) * along);
}

template <class T>
Distance<T> from_hull(const Vector<T>& y, const Hull& hull) {
  const Vec3 p(value_of(y.x), value_of(y.y), value_of(y.z));
  double highest = -std::numeric_limits<double>::infinity();
  std::size_t face = 0;
  for (std::size_t f = 0; f < hull.normals.size(); ++f)
    if (const double height = hull.normals[f].dot(p) - hull.heights[f]; height > highest) {
      highest = height;
      face = f;
    }
  if (highest <= 0) return from_feature(y, hull, face, {});
  double least = std::numeric_limits<double>::infinity();
  Feature best;
  for (std::size_t f = 0; f < hull.normals.size(); ++f) {
    if (hull.normals[f].dot(p) - hull.heights[f] <= 0) continue;
    const auto& [i, j, k] = hull.triangles[f];
    const Feature feature = nearest_feature(p, hull.corners[i], hull.corners[j], hull.corners[k]);
    const double d = from_feature<double>({p.x(), p.y(), p.z()}, hull, f, feature).d;
    if (d >= least) continue;
    least = d;
    face = f;
    best = feature;
  }
  return from_feature(y, hull, face, best);
}

template <class T>
Distance<T> distance_from(const Outline& core, const Vector<T>& y) {
  switch (core.kind) {
    case Outline::Kind::sphere:
      return from_point(y);
    case Outline::Kind::capsule:
      return from_segment(y, core.half.z());
    case Outline::Kind::box:
      return from_box(y, core.half);
    case Outline::Kind::cylinder:
      return from_cylinder(y, core.half);
    case Outline::Kind::hull:
      return from_hull(y, *core.hull);
    case Outline::Kind::plane:
      break;
  }
  return {y.z, {T(0.0), T(0.0), T(1.0)}};
}

}  // namespace cosimo::contact
