// A square sparse matrix of real or complex numbers with a fixed pattern, factorised by SuiteSparse's KLU
// (Davis, Palamadai Natarajan 2010):
//
//   KktMatrix<Scalar> matrix(size, places);   // (row, column) pairs; numbers at the same place add up
//   matrix.values()[k] = ...;                 // of places[k]
//   KktFactors factors;
//   if (!matrix.factor(factors)) ...          // the pattern was analysed once, in the constructor
//   matrix.solve(factors, b);                 // in place
//
// Pivots of KLU stay on the diagonal where that is not tiny. That of a multiplier is, until the unknowns that
// its constraint ties are eliminated: pivots would leave the order found for little fill, and a chain of
// bodies would fill up like a dense matrix. So multipliers come after the unknowns of their columns.
//
// Factors belong to the caller, who may share them between matrices of the same pattern: solve() only reads
// them. Every factorisation pivots anew (no klu_refactor): pivots kept from an earlier matrix would make the
// bits of a solution depend on the past, and a repeated step would not repeat.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "numerics/second_order.hpp"

namespace cosimo {

/// What KLU returns for one matrix; empty before the first factorisation.
class KktFactors {
 public:
  KktFactors() = default;
  KktFactors(KktFactors&& other) noexcept;
  KktFactors& operator=(KktFactors&& other) noexcept;
  ~KktFactors();
  explicit operator bool() const { return numeric_ != nullptr; }

 private:
  template <class Scalar>
  friend class KktMatrix;
  void reset(void* numeric);
  void* numeric_ = nullptr;
};

struct KktPlace {
  std::int32_t row = 0, column = 0;
};

template <class Scalar>
class KktMatrix {
 public:
  /// Every row and column must have a place. The unknowns from `multipliers` on are multipliers.
  KktMatrix(std::size_t size, std::span<const KktPlace> places, std::size_t multipliers);
  KktMatrix(KktMatrix&&) noexcept;
  KktMatrix& operator=(KktMatrix&&) noexcept;
  ~KktMatrix();

  std::size_t size() const;
  EliminationCount count() const;
  std::span<Scalar> values();  ///< one per place, in the order given
  /// False if the matrix is singular or not finite; `out` is then empty.
  [[nodiscard]] bool factor(KktFactors& out);
  void solve(const KktFactors& factors, std::span<Scalar> b);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class KktMatrix<double>;
extern template class KktMatrix<std::complex<double>>;

}  // namespace cosimo
