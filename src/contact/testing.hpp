// Shapes and states for the tests of contacts.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <utility>
#include <vector>

#include "contact/contact_group.hpp"
#include "mechanics/testing.hpp"

namespace cosimo::contact::testing {

inline SolidShape sphere(double radius) {
  SolidShape out;
  out.kind = SolidShape::Kind::sphere;
  out.radius = radius;
  return out;
}
inline SolidShape box(double a, double b, double c) {
  SolidShape out;
  out.edges = {a, b, c};
  return out;
}
inline SolidShape round(SolidShape::Kind kind, double radius, double length) {
  SolidShape out;
  out.kind = kind;
  out.radius = radius;
  out.length = length;
  out.axis = {0.3, -0.2, 0.8};
  return out;
}
/// An octahedron, longer along x.
inline SolidShape octahedron(double size) {
  SolidShape out;
  out.kind = SolidShape::Kind::mesh;
  out.points = {{1.4 * size, 0, 0}, {-1.4 * size, 0, 0}, {0, size, 0},
                {0, -size, 0},      {0, 0, size},        {0, 0, -size}};
  out.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return out;
}

inline Outline outline(const SolidShape& shape, double spacing = 0) {
  return make_outline(shape, Vec3::Zero(), Mat3::Identity(), spacing);
}

/// All may touch all.
inline Scene scene(std::vector<Outline> bodies, std::vector<Outline> fixed = {}) {
  Scene out;
  for (std::size_t i = 0; i < bodies.size(); ++i) out.bodies.emplace_back(i);
  out.shapes = std::move(bodies);
  for (Outline& shape : fixed) out.shapes.push_back(std::move(shape));
  out.allowed.sides.assign(out.shapes.size(), 3);
  return out;
}

}  // namespace cosimo::contact::testing
