// Which blocks the unknowns of a sparse matrix make, and in which order they are eliminated. Private to
// block_*.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/elimination_order.hpp"
#include "numerics/sparse_pattern.hpp"

namespace cosimo {

/// Vertices of the elimination, constraints before bodies, their blocks, and where each unknown is. Groups of
/// more than `largest_block` unknowns have several blocks.
class BlockLayout {
 public:
  BlockLayout(const SparsePattern& pattern, const UnknownGroups& groups);

  struct Place {
    std::uint32_t block = 0, row = 0;
  };
  const Place& place(std::size_t unknown) const { return place_[unknown]; }
  std::uint32_t size(std::uint32_t block) const { return sizes_[block]; }
  std::uint32_t vertex(std::uint32_t block) const { return vertex_[block]; }
  const EliminationOrder& order() const { return order_; }
  /// False: constraints are coupled with each other or tie nothing, and there is no order.
  bool tidy() const { return tidy_; }

  /// Those of some vertices, one after the other.
  std::vector<std::uint32_t> blocks_of(std::span<const std::uint32_t> vertices) const;
  /// Of a factorisation.
  std::size_t operations() const;

 private:
  void add_vertex(const std::vector<std::int32_t>& group, std::vector<bool>& known);
  void find_order(const SparsePattern& pattern);

  std::size_t constraints_;
  std::vector<std::uint32_t> first_block_, sizes_, vertex_;
  std::vector<Place> place_;
  EliminationOrder order_;
  bool tidy_ = true;
};

}  // namespace cosimo
