// The linear systems of implicit one-step methods for mechanical systems with constraints, with a real or
// complex g (the step size times an eigenvalue of the method):
//
//   [ M + g C + g^2 K   J^T  ] [ x      ]   [ b ]
//   [ J + g rate       -eps  ] [ lambda ] = [ c ]
//
// Redundant constraints make the matrix without eps singular. eps is diagonal and tiny against the Schur
// complement, row by row: eps_k = 1e-10 sum_j J_kj^2 / |M + g C + g^2 K|_jj. A Newton iteration with the true
// residuals takes its effect away.
//
//   KktSolver<double> solver(freedoms, constraints, tangent);   // analyses the pattern
//   if (!solver.factor(tangent, g)) ...
//   solver.solve(b);                                            // [b | c] in place
//
// The bits of a solution depend on tangent and g alone (numerics/kkt_matrix.hpp).
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "numerics/constrained_tangent.hpp"
#include "numerics/kkt_matrix.hpp"

namespace cosimo {

template <class Scalar>
class KktSolver {
 public:
  /// The places of the tangent's entries stay; its values do not matter here.
  KktSolver(std::size_t freedoms, std::size_t constraints, const ConstrainedTangent& tangent);

  /// False if the matrix is singular or not finite.
  [[nodiscard]] bool factor(const ConstrainedTangent& tangent, Scalar g);
  /// `b` has freedoms + constraints numbers.
  void solve(std::span<Scalar> b) { matrix_.solve(factors_, b); }

 private:
  void regularise(const ConstrainedTangent& tangent, Scalar g, std::span<Scalar> eps);

  std::size_t freedoms_, constraints_;
  KktMatrix<Scalar> matrix_;
  KktFactors factors_;
  std::vector<Scalar> diagonal_;
  std::vector<double> eps_;
};

extern template class KktSolver<double>;
extern template class KktSolver<std::complex<double>>;

/// y += factor * X x for the entries of one block of a tangent.
void add_product(std::span<const SparseEntry> block, double factor, const double* x, double* y);
/// y += factor * X^T x.
void add_transposed_product(std::span<const SparseEntry> block, double factor, const double* x, double* y);

}  // namespace cosimo
