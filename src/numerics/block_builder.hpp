// Writes the program of one domain of a block LU, a leaf or the top. Private to block_*.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "numerics/block_layout.hpp"
#include "numerics/block_program.hpp"

namespace cosimo {

/// Its program, and where it has the blocks. Blocks of a domain have numbers of its own.
struct BlockDomain {
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  LuProgram program;
  std::vector<std::uint32_t> blocks;     ///< own, then those of the border
  std::vector<std::uint32_t> first_row;  ///< of each of them
  std::size_t own = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> local;
  std::vector<std::vector<std::uint32_t>> below;         ///< per own block, ascending
  std::vector<std::uint32_t> diagonal;                   ///< places
  std::vector<std::vector<std::uint32_t>> lower, upper;  ///< places, beside `below`
  std::vector<std::uint32_t> corner;                     ///< of the border, row by row; nowhere: none

  std::uint32_t place(std::uint32_t row, std::uint32_t column) const;
};

BlockDomain make_block_domain(const BlockLayout& layout, const EliminationOrder::Domain& domain);

/// Writes the factorisation of a domain anew, in waves that threads can share. A wave has the columns that
/// depend on earlier waves alone. A task takes all of them to one row: others neither read nor write that
/// row in the meantime, but for the pivots of the wave, which are not among the rows.
LuWaves divide_into_waves(const BlockLayout& layout, BlockDomain& domain);

}  // namespace cosimo
