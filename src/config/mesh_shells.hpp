// The separate shells of a surface, and those that are hollows.
#pragma once

#include <optional>
#include <string>

#include "config/mesh.hpp"

namespace cosimo::config {

/// As messages write it.
std::string text_of(const Point& p);

/// Six times the volume of a tetrahedron with its fourth corner at zero.
double triple(const Point& a, const Point& b, const Point& c);

/// A hollow that lies in no solid, in a closed surface with triangles; null: there is none.
std::optional<MeshFault> stray_hollow(const Mesh& mesh);

}  // namespace cosimo::config
