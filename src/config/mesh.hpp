// Surfaces of triangles from files (STL, text or binary, and OBJ) and what a solid inside one weighs.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/faults.hpp"

namespace cosimo::config {

using Point = std::array<double, 3>;

struct Mesh {
  std::vector<Point> points;
  std::vector<std::array<std::size_t, 3>> triangles;  ///< counterclockwise, seen from outside
};

/// Of a solid of density one: volume, centre, and the tensor about the centre xx, yy, zz, xy, xz, yz (xy = -
/// integral of x y dm).
struct Solid {
  double volume = 0;
  Point center{};
  std::array<double, 6> inertia{};
};

/// What is wrong with a file, and in which line of it (0: none in particular).
struct MeshFault {
  int line = 0;
  std::string value;
  Complaint complaint;
};

/// The kind of file follows from its content. Points of equal coordinates are one.
std::variant<Mesh, MeshFault> read_mesh(std::string_view text);
/// Complains about a surface that is not closed, or whose triangles look inwards.
std::variant<Solid, MeshFault> solid_inside(const Mesh& mesh);

}  // namespace cosimo::config
