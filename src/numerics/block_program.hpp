// The work of one domain of a block LU (numerics/block_lu.hpp) as flat lists of operations on small dense
// blocks, all row-major. Nothing is decided while a list runs, so domains with the same lists run side by
// side: number p of lane l of w is at p w + l of the values of its group. A complex number has two places,
// its real part w places before its imaginary one. A domain alone has all real parts before all imaginary
// ones, so that the rows of its blocks fill packs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cosimo {

/// Blocks have at most that many rows and columns.
inline constexpr std::size_t largest_block = 6;

enum class LuKind : std::uint8_t {
  invert,    ///< a (k x k) = a^-1, with pivots from its own rows
  scale,     ///< target (m x k) = target a, a: k x k
  subtract,  ///< target (m x n) -= a (m x k) b (k x n)
  apply,     ///< target (k) = a (k x k) target
};

struct LuOp {
  LuKind kind = LuKind::invert;
  std::uint8_t k = 0, m = 0, n = 0;
  std::uint32_t a = 0, b = 0, target = 0;  ///< places of numbers

  bool operator==(const LuOp&) const = default;
};

/// Multiplications.
std::uint64_t products(const LuOp& op);

struct LuProgram {
  std::vector<LuOp> factor;    ///< all on the blocks
  std::vector<LuOp> forward;   ///< a: blocks, b and target: rows
  std::vector<LuOp> backward;  ///< likewise
  std::uint32_t places = 0, own_rows = 0, all_rows = 0;

  bool operator==(const LuProgram&) const = default;
};

/// A list in tasks, and these in waves. Tasks of a wave are independent of each other.
struct LuWaves {
  std::vector<std::uint32_t> ops;    ///< the first operation of each task, and the end
  std::vector<std::uint64_t> costs;  ///< multiplications before each task, and all
  std::vector<std::uint32_t> tasks;  ///< the first task of each wave, and the end
};

enum class Field : std::uint8_t { real, complex };

/// How the numbers of a group lie.
struct LuShape {
  std::size_t width = 1;             ///< lanes: 1, 2, 4 or 8
  std::size_t places = 0, rows = 0;  ///< of one lane, in blocks and right-hand sides
};

/// Runs a list over the lanes of a group, in packs as wide as the machine has them. Every lane gets the same
/// bits in any pack.
void run_factor(Field field, std::span<const LuOp> ops, const LuShape& shape, double* blocks);
void run_solve(Field field, std::span<const LuOp> ops, const LuShape& shape, const double* blocks,
               double* rows);

}  // namespace cosimo
