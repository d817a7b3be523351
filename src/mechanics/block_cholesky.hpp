// Symmetric positive semidefinite systems of small dense blocks on a fixed sparse pattern: A = L D L^T, one
// block row per constraint, in an order of little fill (minimum degree, found once). Chains and
// trees have no fill, so that factorising and solving take time proportional to their length.
//
// Rows may depend on each other. A pivot d below the threshold tau of its row says so; instead of 1/d
//
//   x (3 - 2 x) / tau,    x = max(d, 0) / tau,
//
// is used, which passes smoothly from 1/tau to 0 at d = 0: a row that the ones before it imply gets no
// multiplier of its own, and a row that is nearly implied no large one. Pivots above stay as they are.
//
//   BlockPattern pattern(sizes, couplings);
//   std::vector<double> values(pattern.storage());             per user of the pattern
//   fill with 0; add blocks at pattern.place(i, j);
//   pattern.factorise(values, tau);  pattern.solve(values, x);  as often as needed
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cosimo {

inline constexpr std::size_t largest_block = 6;

class BlockPattern {
 public:
  using Coupling = std::pair<std::size_t, std::size_t>;
  BlockPattern() = default;
  /// Blocks of these sizes (at most `largest_block`), in the order of the unknowns. Couplings are pairs of
  /// different blocks, in any order, as often as one likes.
  BlockPattern(std::span<const std::size_t> sizes, std::span<const Coupling> couplings);

  std::size_t rows() const { return rows_; }
  /// Numbers that a factor takes: whole diagonal blocks and the blocks below them.
  std::size_t storage() const { return storage_; }

  /// Where block (i, j) or its transpose begins in the values, row-major. Of the two the one is stored whose
  /// row comes later in the order; the diagonal blocks are stored whole.
  struct Place {
    std::size_t offset = 0;
    bool transposed = false;  ///< block (j, i) is there instead
  };
  Place place(std::size_t i, std::size_t j) const;
  /// Where entry (row, row) of the matrix is.
  std::size_t diagonal(std::size_t row) const { return diagonal_[row]; }

  /// What a factorisation knows and tells of pivots, one number per row in the order of the unknowns.
  struct Pivots {
    std::span<const double> tau;
    /// If given: x of each row as another matrix of the same rows has shown it. A row with x < 1 then has
    /// x^2 (3 - 2 x) / max(d, tau), which is the same where that matrix is this one.
    std::span<const double> known{};
    std::span<double> found{};  ///< if given, becomes d / tau
  };
  /// Overwrites the lower triangle by the factor.
  void factorise(std::span<double> values, const Pivots& pivots) const;
  /// Solves in place.
  void solve(std::span<const double> values, std::span<double> x) const;

 private:
  /// A block column in the order of elimination: its diagonal block, then the blocks below it.
  struct Column {
    std::uint32_t row = 0;    ///< first unknown
    std::uint32_t size = 0;   ///< of the diagonal block
    std::uint32_t first = 0;  ///< of its entries in below_
    std::uint32_t last = 0;
    std::size_t offset = 0;  ///< of the diagonal block in the values
  };
  struct Below {
    std::uint32_t column = 0;  ///< which is also the block row
    std::size_t offset = 0;
  };
  template <std::size_t K>
  void eliminate(const Column& column, double* values, const Pivots& pivots) const;
  template <std::size_t K>
  void forward(const Column& column, const double* values, double* x) const;
  template <std::size_t K>
  void backward(const Column& column, const double* values, double* x) const;

  std::size_t rows_ = 0, storage_ = 0;
  std::vector<Column> columns_;
  std::vector<Below> below_;
  std::vector<std::size_t> position_;  ///< of a block in the order
  std::vector<std::size_t> diagonal_;
};

}  // namespace cosimo
