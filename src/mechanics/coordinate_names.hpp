// What results and signals call the coordinates of a body, and forces and torques on it.
#pragma once

#include <array>
#include <span>

#include "mechanics/body.hpp"

namespace cosimo {

inline std::span<const char* const> coordinate_names(BodyKind kind) {
  static constexpr std::array<const char*, 7> rigid{"x", "y", "z", "qw", "qx", "qy", "qz"};
  static constexpr std::array<const char*, 3> planar{"x", "y", "phi"};
  if (kind == BodyKind::planar) return planar;
  return std::span(rigid).first(coordinates_of(kind));
}

/// Along a freedom.
inline const char* force_name(BodyKind kind, std::size_t freedom) {
  static constexpr std::array<const char*, 6> names{"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
  return names[freedom_components(kind)[freedom]];
}

}  // namespace cosimo
