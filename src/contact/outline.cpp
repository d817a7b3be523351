#include "contact/outline.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "core/check.hpp"
#include "mechanics/builder.hpp"

namespace cosimo::contact {

namespace {

using Kind = Outline::Kind;

constexpr double rounding = 0.02;  ///< of the smallest extent
constexpr int on_a_rim = 24;       ///< balls
constexpr double flat = 1e-5;      ///< of the size: corners so far above a plane are in it

Vec3 vec(const std::array<double, 3>& a) {
  return {a[0], a[1], a[2]};
}

/// Points between two, not further apart than `spacing`, without the ends.
void add_between(const Vec3& a, const Vec3& b, double spacing, std::vector<Vec3>& out) {
  const double gaps = std::ceil((b - a).norm() / spacing * (1 - 1e-12));
  const auto count = static_cast<std::size_t>(std::clamp(gaps, 1.0, static_cast<double>(most_gaps)));
  for (std::size_t k = 1; k < count; ++k)
    out.emplace_back(a + static_cast<double>(k) / static_cast<double>(count) * (b - a));
}

std::vector<Vec3> balls_of_box(const Vec3& half, double spacing) {
  std::vector<Vec3> out;
  const auto corner = [&](unsigned k) {
    return Vec3((k & 1U) != 0 ? half.x() : -half.x(), (k & 2U) != 0 ? half.y() : -half.y(),
                (k & 4U) != 0 ? half.z() : -half.z());
  };
  for (unsigned k = 0; k < 8; ++k) out.push_back(corner(k));
  for (unsigned k = 0; k < 8; ++k)
    for (unsigned axis = 1; axis < 8; axis *= 2)
      if ((k & axis) == 0) add_between(corner(k), corner(k | axis), spacing, out);
  return out;
}

std::vector<Vec3> balls_of_cylinder(const Vec3& half) {
  std::vector<Vec3> out;
  for (int k = 0; k < on_a_rim; ++k) {
    const double angle = 2 * std::numbers::pi * k / on_a_rim;
    for (const double side : {-1.0, 1.0})
      out.emplace_back(half.x() * std::cos(angle), half.x() * std::sin(angle), side * half.z());
  }
  return out;
}

void find_planes(Hull& hull) {
  hull.normals.clear();
  hull.heights.clear();
  for (const auto& [i, j, k] : hull.triangles) {
    const Vec3 &a = hull.corners[i], &b = hull.corners[j], &c = hull.corners[k];
    hull.normals.push_back((b - a).cross(c - a).normalized());
    hull.heights.push_back(hull.normals.back().dot(a));
  }
}

/// Those where the planes on both sides differ.
void find_edges(Hull& hull) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> beside;
  for (std::size_t f = 0; f < hull.triangles.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k)
      beside[std::minmax(hull.triangles[f][k], hull.triangles[f][(k + 1) % 3])].push_back(f);
  for (const auto& [ends, faces] : beside)
    if (faces.size() == 2 && hull.normals[faces[0]].dot(hull.normals[faces[1]]) < 1 - 1e-6)
      hull.edges.push_back({ends.first, ends.second});
}

Hull hull_of(const SolidShape& shape) {
  Hull hull;
  for (const auto& point : shape.points) hull.corners.push_back(vec(point) - vec(shape.centroid));
  for (const auto& triangle : shape.triangles) {
    std::array<std::uint32_t, 3> own{};
    for (std::size_t k = 0; k < 3; ++k) own[k] = static_cast<std::uint32_t>(triangle[k]);
    hull.triangles.push_back(own);
  }
  find_planes(hull);
  find_edges(hull);
  return hull;
}

double size_of(const Hull& hull) {
  double size = 0;
  for (const Vec3& corner : hull.corners) size = std::max(size, corner.norm());
  return size;
}

/// How thick the body is at least, across one of its faces.
double thickness(const Hull& hull) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < hull.normals.size(); ++f) {
    double deepest = 0;
    for (const Vec3& corner : hull.corners)
      deepest = std::max(deepest, hull.heights[f] - hull.normals[f].dot(corner));
    least = std::min(least, deepest);
  }
  return least;
}

/// All planes moved inwards; a corner goes where the planes around it meet, as well as they do.
void shrink(Hull& hull, double by) {
  std::vector<Mat3> square(hull.corners.size(), Mat3::Zero());
  std::vector<Vec3> right(hull.corners.size(), Vec3::Zero());
  for (std::size_t f = 0; f < hull.triangles.size(); ++f)
    for (const std::uint32_t c : hull.triangles[f]) {
      square[c] += hull.normals[f] * hull.normals[f].transpose();
      right[c] -= by * hull.normals[f];
    }
  for (std::size_t c = 0; c < hull.corners.size(); ++c) {
    const double trace = square[c].trace();
    if (!(trace > 0)) continue;  // of no triangle
    hull.corners[c] += (square[c] + 1e-6 * trace * Mat3::Identity()).inverse() * right[c];
  }
  find_planes(hull);
}

Outline around_axis(const SolidShape& shape, bool capsule, double spacing) {
  Outline out;
  const double r = shape.radius, half = 0.5 * shape.length;
  out.turn = axes_along(vec(shape.axis));
  out.thinnest = capsule ? 2 * r : std::min(2 * r, shape.length);
  out.reach = capsule ? half + r : std::hypot(half, r);
  if (capsule) {
    out.kind = Kind::capsule;
    out.round = r;
    out.half = Vec3(0, 0, half);
    out.balls = {-out.half, out.half};
    add_between(-out.half, out.half, spacing > 0 ? spacing : 0.5 * r, out.balls);
  } else {
    out.kind = Kind::cylinder;
    out.round = rounding * out.thinnest;
    out.half = Vec3(r - out.round, r - out.round, half - out.round);
    out.balls = balls_of_cylinder(out.half);
  }
  return out;
}

Outline outline_of_box(const SolidShape& shape, double spacing) {
  Outline out;
  out.kind = Kind::box;
  out.thinnest = *std::ranges::min_element(shape.edges);
  out.round = rounding * out.thinnest;
  out.half = 0.5 * vec(shape.edges) - Vec3::Constant(out.round);
  out.balls = balls_of_box(out.half, spacing > 0 ? spacing : 0.5 * out.thinnest);
  out.reach = 0.5 * vec(shape.edges).norm();
  return out;
}

Outline outline_of_mesh(const SolidShape& shape, double spacing) {
  Outline out;
  out.kind = Kind::hull;
  Hull hull = hull_of(shape);
  out.reach = size_of(hull);
  out.thinnest = thickness(hull);
  out.round = rounding * out.thinnest;
  shrink(hull, out.round);
  out.balls = hull.corners;
  for (const auto& [a, b] : hull.edges)
    add_between(hull.corners[a], hull.corners[b], spacing > 0 ? spacing : 0.5 * out.thinnest, out.balls);
  out.hull = std::make_shared<const Hull>(std::move(hull));
  return out;
}

Outline own_outline(const SolidShape& shape, double spacing) {
  switch (shape.kind) {
    case SolidShape::Kind::box:
      return outline_of_box(shape, spacing);
    case SolidShape::Kind::cylinder:
      return around_axis(shape, false, spacing);
    case SolidShape::Kind::capsule:
      return around_axis(shape, true, spacing);
    case SolidShape::Kind::mesh:
      return outline_of_mesh(shape, spacing);
    default:
      break;
  }
  COSIMO_CHECK(shape.kind == SolidShape::Kind::sphere, "a shape that can touch");
  Outline out;
  out.round = out.reach = shape.radius;
  out.thinnest = 2 * shape.radius;
  out.balls = {Vec3::Zero()};
  return out;
}

}  // namespace

std::string reason_against(const SolidShape& shape) {
  if (shape.kind == SolidShape::Kind::tube) return "a tube is hollow, and contacts are between convex bodies";
  if (shape.kind != SolidShape::Kind::mesh) return {};
  constexpr std::size_t most_triangles = 2000;
  if (shape.triangles.size() > most_triangles)
    return "the mesh has " + std::to_string(shape.triangles.size()) + " triangles, more than " +
           std::to_string(most_triangles);
  const Hull hull = hull_of(shape);
  const double tolerance = flat * size_of(hull);
  for (std::size_t f = 0; f < hull.normals.size(); ++f)
    for (const Vec3& corner : hull.corners)
      if (hull.normals[f].dot(corner) > hull.heights[f] + tolerance) return "the mesh is not convex";
  return {};
}

Outline make_outline(const SolidShape& shape, const Vec3& at, const Mat3& turn, double spacing) {
  Outline out = own_outline(shape, spacing);
  out.at = out.middle = at;
  out.turn = turn * out.turn;
  for (Vec3& ball : out.balls) ball = at + out.turn * ball;
  return out;
}

double longest_edge(const Outline& outline) {
  switch (outline.kind) {
    case Kind::box:
      return 2 * outline.half.maxCoeff();
    case Kind::capsule:
      return 2 * outline.half.z();
    case Kind::hull: {
      double longest = 0;
      for (const auto& [a, b] : outline.hull->edges)
        longest = std::max(longest, (outline.hull->corners[b] - outline.hull->corners[a]).norm());
      return longest;
    }
    default:
      return 0;
  }
}

Outline make_plane(const Vec3& at, const Vec3& normal) {
  Outline out;
  out.kind = Kind::plane;
  out.at = out.middle = at;
  out.turn = axes_along(normal);
  out.reach = out.thinnest = std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace cosimo::contact
