// A square sparse matrix of real or complex numbers with a fixed pattern:
//
//   KktMatrix<Scalar> matrix(size, places, multipliers, groups);   // (row, column) pairs; numbers at the
//   same
//                                                                  // place add up
//   matrix.values()[k] = ...;                                      // of places[k]
//   KktFactors factors;
//   if (!matrix.factor(factors)) ...
//   matrix.solve(factors, b);                                      // in place
//
// Where it is known which unknowns belong together, as those of a body or of a constraint, factors are made
// block by block, leaves of the elimination side by side in vector lanes (numerics/block_lu.hpp). Pivots stay
// inside of their blocks there. So each factorisation is tried at once on a right-hand side. Its error
// (Oettli, Prager 1964: max |b - A x| / (|A| |x| + |b|), row by row) is within what the caller asks for, or
// one or two refinements make it so, and then all solutions get them; or this matrix is left to SuiteSparse's
// KLU (Davis, Palamadai Natarajan 2010), as is every matrix without groups.
//
// Pivots of KLU stay on the diagonal where that is not tiny. That of a multiplier is, until the unknowns that
// its constraint ties are eliminated: pivots would leave the order found for little fill, and a chain of
// bodies would fill up like a dense matrix. So multipliers come after the unknowns of their columns.
//
// Factors belong to the caller, who may share them between matrices of the same pattern: solve() only reads
// them. Every factorisation pivots anew (no klu_refactor): pivots kept from an earlier matrix would make the
// bits of a solution depend on the past, and a repeated step would not repeat.
//
// Threads share assembly, blocks and solutions where they call together (core/fellow.hpp); KLU is left to
// one.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/fellow.hpp"
#include "numerics/block_lu.hpp"
#include "numerics/second_order.hpp"

namespace cosimo {

/// Of one matrix; empty before the first factorisation.
class KktFactors {
 public:
  KktFactors() = default;
  KktFactors(KktFactors&& other) noexcept;
  KktFactors& operator=(KktFactors&& other) noexcept;
  ~KktFactors();
  explicit operator bool() const { return numeric_ != nullptr || refinements_ >= 0; }
  bool in_blocks() const { return refinements_ >= 0; }  ///< not by KLU
  int refinements() const { return refinements_; }

 private:
  template <class Scalar>
  friend class KktMatrix;
  void reset(void* numeric);
  void* numeric_ = nullptr;     ///< of KLU
  AlignedVector blocks_;        ///< of the block LU
  int refinements_ = -1;        ///< negative: there are no blocks
  std::vector<double> matrix_;  ///< where solutions are refined
};

/// Sums of products hardly get better than that. One refinement does.
inline constexpr double kkt_rounding = 1e-14;
/// Enough for iterations that begin from true residuals each time.
inline constexpr double kkt_iteration = 1e-10;

struct KktPlace {
  std::int32_t row = 0, column = 0;
};

template <class Scalar>
class KktMatrix {
 public:
  /// Every row and column must have a place. The unknowns from `multipliers` on are multipliers. Without
  /// groups: KLU. `accuracy` is that of solutions by blocks.
  KktMatrix(std::size_t size, std::span<const KktPlace> places, std::size_t multipliers,
            const UnknownGroups& groups = {}, double accuracy = kkt_rounding);
  KktMatrix(KktMatrix&&) noexcept;
  KktMatrix& operator=(KktMatrix&&) noexcept;
  ~KktMatrix();

  std::size_t size() const;
  EliminationCount count() const;
  const BlockLu* blocks() const;  ///< null: always by KLU
  std::span<Scalar> values();     ///< one per place, in the order given
  /// False if the matrix is singular or not finite; `out` is then empty.
  [[nodiscard]] bool factor(KktFactors& out, const Fellow& me = {}) {
    assemble(me);
    return factor_assembled(out, me);
  }
  /// Fellows have met before, so that b is complete, and meet when it is done.
  void solve(const KktFactors& factors, std::span<Scalar> b, const Fellow& me = {});

  // factor() in two steps, between which numbers of the matrix may be changed. Fellows have met before
  // either, and meet when it is done.
  void assemble(const Fellow& me = {});
  [[nodiscard]] bool factor_assembled(KktFactors& out, const Fellow& me = {});
  Scalar& diagonal(std::size_t i);  ///< of the assembled matrix; it must have a place

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class KktMatrix<double>;
extern template class KktMatrix<std::complex<double>>;

/// Unknowns that belong together by their places: neighbours in number that are coupled with the same others.
UnknownGroups find_groups(std::size_t size, std::span<const KktPlace> places, std::size_t multipliers);

}  // namespace cosimo
