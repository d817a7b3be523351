// The work of one domain of an elimination tree (mechanics/elimination_tree.hpp) as flat lists of operations
// on small dense blocks. Nothing is decided while a list runs, so domains with the same lists run side by
// side: number p of lane l of w is at p w + l of the values of its group.
//
// What a domain stores, in this order of places:
//
//   J         blocks of the constraints' ends, row-major, a column for each freedom; of arms c and a
//   mass      of light bodies: 1/m and the inverse inertia (xx xy xz yy yz zz), or its diagonal
//   Y         = J M^-1, of light bodies; of arms c/m and Z = P I^-1
//   S         the diagonal blocks and what is below them, then the blocks of the border; of a hub -M to begin
//             with, -J or its transpose beside it
//   rows      five sections of all rows, the own ones first, then those of the border. The border's rest is
//             what the elimination adds to it, its curvature what the motion of the own bodies does
//   alpha     motions of the own bodies, then those of hubs on the border
//
// Where all constraints of a light rigid body join points along the three global axes, its ends are *arms*:
// row k of J is (c e_k, a x e_k), a = c s, with s from the centre of mass to the point. Four numbers say it
// all, and P, whose rows are a x e_k, makes products short: J alpha = c v + w x a. In the plane c and two
// numbers of a do, and Z = (-a_y, a_x) / I.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cosimo {

enum class BlockKind : std::uint8_t {
  // target (m x n) = or += or -= a (m x k) b^T (b: n x k); `lower`: only on and below the diagonal
  set_product,
  add_product,
  subtract_product,
  set_lower,
  add_lower,
  subtract_lower,
  // target (k) = or += or -= a^T (a: m x k) b (m)
  set_transposed,
  add_transposed,
  subtract_transposed,
  apply,       ///< target (k) = a (k x k) target
  invert,      ///< a (k x k) by its lower triangle; b: thresholds, target: shares
  invert_hub,  ///< the same of a negative definite one
  // The most frequent of these in one go, where k is 2 or 3 and n, 1 or 2 blocks of the same size are below
  // the pivot. What they are made of has its places one after the other: a, b, target, then `more`.
  eliminate,  ///< invert, then what the blocks take away. more: block, its diagonal; block, across, diagonal
  eliminate_rest,   ///< apply, then what the blocks take away. more: block, its rest; twice
  take_back,        ///< target -= a times all blocks^T their rest. more: block, its rest; twice
  divide_rigid,     ///< target (m x 6) = a M^-1, b: the mass
  divide_diagonal,  ///< target (m x k) = a M^-1
  divide_arm,       ///< target (1 + 9, in the plane 1 + 2) = a (4 or 3) M^-1
  // target (3 x 3 or 2 x 2) = or += J M^-1 J^T, a: the response (10 or 3), b: an arm (4 or 3)
  set_arms,
  add_arms,
  set_arms_lower,
  add_arms_lower,
  add_arm_motion,         ///< target (3 or 2) += a (4 or 3) b (6 or 3)
  subtract_arm_response,  ///< target (6 or 3) -= a^T (a: 10 or 3) b (3 or 2)
  // The same of a body with n arms, 1 or 2, whose Y is nowhere kept, or of a row of m numbers between them.
  prepare_arms,  ///< products, a: arm, b: mass, target: diagonal. more: arm, across, diagonal. m: sums, by
                 ///< bits
  respond_arms,  ///< target -= M^-1 J^T b, a: arm. more: arm, its b, mass
  find_row,      ///< target = curvature + motions. more: a, b of the second; curvature, most, all_rows or 0
  set_negative,  ///< target (m x k) = -a
  set_negative_transpose,  ///< target (k x m) = -a^T
  set_noise,               ///< target (k) = noise times the diagonal of a (k x k)
  set_zero,                ///< target, b numbers
  set_copy,                ///< target = a, b numbers
  add_copy,                ///< target += a, b numbers
  keep_largest  ///< target (2) = the largest of itself and the sizes of k numbers at a, and at a + b
};

struct BlockOp {
  BlockKind kind = BlockKind::set_zero;
  std::uint8_t k = 0, m = 0, n = 0;
  std::uint32_t a = 0, b = 0, target = 0;  ///< places
  std::array<std::uint32_t, 5> more{};     ///< places

  bool operator==(const BlockOp&) const = default;
};

/// Of the numbers that every row has.
enum class RowSection : std::uint8_t { rest, curvature, lambda, threshold, share };
inline constexpr std::size_t row_sections = 5;

struct BlockProgram {
  std::vector<BlockOp> prepare;   ///< Y, S, thresholds, from J and the masses
  std::vector<BlockOp> factor;    ///< S = L D L^T; the border's blocks become its Schur complement
  std::vector<BlockOp> forward;   ///< rest = L^-1 rest; the border gets what it has to add
  std::vector<BlockOp> backward;  ///< rest = L^-T D^-1 rest, with the border's as given
  std::vector<BlockOp> respond;   ///< lambda += rest, alpha -= M^-1 J^T rest
  std::vector<BlockOp> rows;      ///< rest = curvature + J alpha; the border gets what it has to add
  // The same in orders that are kind to the cache (mechanics/elimination_schedule.hpp).
  std::vector<BlockOp> down;     ///< prepare, rows, factor and forward
  std::vector<BlockOp> descent;  ///< rows and forward
  std::vector<BlockOp> up;       ///< backward, respond and rows, the largest of rest alone
  std::uint32_t places = 0, jacobians = 0, given = 0;  ///< all; J; J and the masses of light bodies
  std::uint32_t own_rows = 0, all_rows = 0, first_row = 0;
  std::uint32_t most = 0;  ///< where `rows` leaves the largest of rest, then of the curvature

  std::uint32_t row(RowSection section, std::uint32_t row) const {
    return first_row + static_cast<std::uint32_t>(section) * all_rows + row;
  }
  bool operator==(const BlockProgram&) const = default;
};

/// How far pivots may fall before they are rounding errors, in parts of their diagonal.
inline constexpr double pivot_noise = 1e-13;

/// What a factorisation does with the shares of pivots in their thresholds: tells them, or takes them as
/// another matrix of the same rows has told them.
enum class Shares : std::uint8_t { found, known };

/// Runs a list over the `width` (1, 2, 4 or 8) lanes of a group, in packs as wide as the machine has them.
/// Every lane gets the same bits in any pack.
void run_block_ops(const std::vector<BlockOp>& ops, double* values, std::size_t width,
                   Shares shares = Shares::found);

}  // namespace cosimo
