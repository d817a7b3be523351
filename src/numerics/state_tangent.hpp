// The linearised equations of a mechanical system together with first-order states z, as sparse entries:
//
//   M dw/dt + C w + K x + J^T lambda - f_z z = ...,   J w + rate x = ...,
//   dz/dt - z_x x - z_w w - z_z z = ...
//
// Conventions are those of numerics/constrained_tangent.hpp. Without constraints the freedoms are the
// degrees of freedom, M is diagonal, and J, rate and `dependent` stay empty.
#pragma once

#include <vector>

#include "numerics/constrained_tangent.hpp"

namespace cosimo {

struct StateBlocks {
  std::vector<SparseEntry> f_z;       ///< of the forces: freedoms x states
  std::vector<SparseEntry> z_x, z_w;  ///< of the rates of z: states x freedoms
  std::vector<SparseEntry> z_z;       ///< states x states
};

struct StateTangent : ConstrainedTangent {
  StateBlocks z;
  /// Partial derivatives of the accelerations and of the rates of z with respect to time, for systems without
  /// constraints. They come with the right size, all zero.
  std::vector<double> a_t, z_t;
};

}  // namespace cosimo
