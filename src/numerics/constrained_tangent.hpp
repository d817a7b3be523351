// The linearised equations of a mechanical system with constraints, as sparse entries:
//
//   M dw/dt + C w + K x + J^T lambda = ...,    J w + rate x = ...,
//
// w the independent velocities (freedoms), x small displacements of them, lambda one multiplier per row of J.
// Nothing is symmetric in general. The places of the entries never change from one linearisation of a system
// to the next; entries at the same place add up. Rows that others imply, as a closed loop has them, are left
// out: `dependent` names them, their entries are zero, and their multipliers stay what they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cosimo {

struct SparseEntry {
  std::int32_t row = 0, column = 0;
  double value = 0;
};

/// Of C and K: all, and those whose forces are evaluated in vectors, at a small part of the usual cost.
struct ForceEntries {
  std::size_t all = 0, in_vectors = 0;
  /// What an evaluation of the accelerations costs where bodies, joints and elements are in tables, in entries
  /// that are evaluated one by one; zero: they are in none.
  double in_tables = 0;
};

struct ConstrainedTangent {
  std::vector<SparseEntry> M, C, K;     ///< freedoms x freedoms
  std::vector<SparseEntry> J, rate;     ///< rows x freedoms
  std::vector<std::uint8_t> dependent;  ///< 1 for such a row, 0 for others; empty: there are none

  bool is_dependent(std::size_t row) const { return !dependent.empty() && dependent[row] != 0; }
};

}  // namespace cosimo
