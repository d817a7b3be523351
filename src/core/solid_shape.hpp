// The outline of a body, for pictures. Nothing is computed from it: mass and inertia are known when it is
// made.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace cosimo {

struct SolidShape {
  enum class Kind { box, sphere, cylinder, tube, capsule, mesh };
  Kind kind = Kind::box;
  std::array<double, 3> edges{};        ///< of a box, along the reference axes
  double radius = 0, inner = 0;         ///< of all that is round; of the bore of a tube
  double length = 0;                    ///< along `axis`; a capsule: without its ends
  std::array<double, 3> axis{0, 0, 1};  ///< along the reference axes
  /// Of a mesh, along the reference axes; triangles are counterclockwise, seen from outside.
  std::vector<std::array<double, 3>> points{};
  std::vector<std::array<std::size_t, 3>> triangles{};
  std::array<double, 3> centroid{};  ///< of a mesh, in the coordinates of its points; else the middle
};

}  // namespace cosimo
