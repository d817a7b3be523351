// The linearised equations of a mechanical system with constraints, as sparse entries:
//
//   M dw/dt + C w + K x + J^T lambda = ...,    J w + rate x = ...,
//
// w the independent velocities (freedoms), x small displacements of them, lambda one multiplier per row of J.
// Nothing is symmetric in general. The places of the entries never change from one linearisation of a system
// to the next; entries at the same place add up.
#pragma once

#include <cstdint>
#include <vector>

namespace cosimo {

struct SparseEntry {
  std::int32_t row = 0, column = 0;
  double value = 0;
};

struct ConstrainedTangent {
  std::vector<SparseEntry> M, C, K;  ///< freedoms x freedoms
  std::vector<SparseEntry> J, rate;  ///< rows x freedoms
};

}  // namespace cosimo
