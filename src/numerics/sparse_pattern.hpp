// Where a sparse matrix has numbers, and which of its unknowns belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cosimo {

/// Compressed columns, rows ascending.
struct SparsePattern {
  std::span<const int> columns, rows;
  std::size_t size() const { return columns.size() - 1; }
};

/// Those of a body or of a constraint: every unknown in exactly one of them.
struct UnknownGroups {
  std::vector<std::vector<std::int32_t>> bodies, constraints;
  bool half_empty = false;  ///< their blocks are: dense ones pay only where vector lanes make up for it
};

}  // namespace cosimo
