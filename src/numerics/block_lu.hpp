// LU factors of a sparse matrix whose unknowns come in small groups, those of bodies and those of
// constraints (numerics/kkt_matrix.hpp), real or complex:
//
//   BlockLu lu(pattern, groups);
//   AlignedVector blocks(lu.storage(field)), rows(lu.row_storage(field));
//   lu.factor(field, matrix, blocks);            // numbers in the order of the pattern
//   lu.solve(field, blocks, rows, b);            // in place; reads the blocks only
//
// The pattern is made symmetric, block by block. Leaves, which are independent of each other, and the top
// that joins them come from numerics/elimination_order.hpp: a constraint after so many of its bodies that it
// has a pivot. Pivots are chosen inside of blocks alone, so that leaves with the same program run side by
// side in vector lanes (numerics/block_program.hpp). Whether that was good enough is for the caller to see.
//
// The object is immutable and made from the pattern alone. Sums are taken in an order that the pattern fixes:
// lanes, packs and threads do not change a bit. Several threads share a factorisation: leaves are
// independent, and a large top is divided into waves (numerics/block_builder.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/fellow.hpp"
#include "numerics/block_program.hpp"
#include "numerics/sparse_pattern.hpp"

namespace cosimo {

struct BlockDomain;
class BlockLayout;

class BlockLu {
 public:
  /// More operations than that on blocks are not listed one by one.
  static constexpr std::size_t most_operations = 4'000'000;

  BlockLu(const SparsePattern& pattern, const UnknownGroups& groups);

  /// False: the pattern couples constraints with each other, or elimination takes too many operations.
  bool usable() const { return usable_; }
  std::size_t storage(Field field) const { return parts(field) * storage_; }
  std::size_t row_storage(Field field) const { return parts(field) * row_storage_; }
  /// A singular matrix has factors that are not finite.
  void factor(Field field, const double* matrix, AlignedVector& blocks, const Fellow& me = {}) const;
  /// Fellows meet before it and when it is done.
  void solve(Field field, const AlignedVector& blocks, AlignedVector& rows, double* b,
             const Fellow& me = {}) const;

  struct Facts {
    std::size_t leaves = 0, programs = 0, in_lanes = 0;  ///< in_lanes: leaves that have company
    std::size_t products = 0;                            ///< multiplications of a factorisation
    std::size_t top_products = 0;                        ///< of these in the top
    std::size_t entries = 0;                             ///< numbers in the factors
    std::size_t waves = 0;                               ///< of the top; zero: it is left to one thread
  };
  const Facts& facts() const { return facts_; }

 private:
  /// Leaves with the same program, side by side; the top is a group of one.
  struct Group {
    std::size_t program = 0, base = 0, first_row = 0;
    LuShape shape;
    std::size_t width() const { return shape.width; }
  };
  /// Where a number is: in real fields; the real part in complex ones, and how far behind it the imaginary
  /// one.
  struct Slot {
    std::uint32_t real = 0, complex = 0, apart = 0;
    std::size_t in(Field field) const { return field == Field::real ? real : complex; }
  };
  struct Transfer {
    Slot leaf;
    std::uint32_t step = 1;  ///< from one number of the leaf to the next, of real fields
    std::uint32_t count = 0;
    std::size_t top = 0;
  };

  static Slot slot(const Group& group, std::size_t place, std::size_t lane, bool row);
  static std::size_t parts(Field field) { return field == Field::real ? 1 : 2; }
  void add_groups(const BlockLayout& layout, std::vector<BlockDomain>& leaves, const BlockDomain& top);
  void add_transfers(const BlockDomain& leaf, const Group& group, std::size_t lane, const BlockDomain& top,
                     const BlockLayout& layout);
  void find_slots(const SparsePattern& pattern, const BlockLayout& layout,
                  const std::vector<BlockDomain>& leaves, const BlockDomain& top);
  void count_costs();
  void factor_top(Field field, double* blocks, const Fellow& me) const;

  bool usable_ = false;
  std::vector<LuProgram> programs_;
  std::vector<Group> groups_;  ///< the leaves
  Group top_;
  std::vector<std::size_t> group_of_, lane_of_;  ///< per leaf
  std::vector<Transfer> block_transfers_, row_transfers_;
  std::vector<Slot> entries_, rows_;                       ///< per number of the pattern, per unknown
  LuWaves waves_;                                          ///< of a large top
  std::vector<std::uint64_t> factor_costs_, solve_costs_;  ///< before each group, and of all
  std::vector<std::size_t> block_firsts_;  ///< the first transfer to each block of the top, and the end
  std::size_t storage_ = 0, row_storage_ = 0;
  Facts facts_;
};

}  // namespace cosimo
