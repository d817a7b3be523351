// The linear systems of implicit one-step methods for mechanical systems with constraints, with a real or
// complex g (the step size times an eigenvalue of the method):
//
//   [ M + g C + g^2 K   J^T  ] [ x      ]   [ b ]
//   [ J + g rate       -eps  ] [ lambda ] = [ c ]
//
// With first-order states z (numerics/state_tangent.hpp) there are rows and columns more; x stays the change
// of the accelerations, and y that of the rates of z:
//
//   [ M + g C + g^2 K      -g f_z      J^T  ] [ x      ]   [ b ]
//   [ -(g z_w + g^2 z_x)   I - g z_z        ] [ y      ] = [ d ]
//   [ J + g rate                      -eps  ] [ lambda ]   [ c ]
//
// Redundant constraints make the matrix without eps singular. eps is diagonal and tiny against the Schur
// complement, row by row: eps_k = 1e-10 sum_j J_kj^2 / |M + g C + g^2 K|_jj. A Newton iteration with the true
// residuals takes its effect away.
//
//   KktSolver<double> solver(freedoms, constraints, tangent);   // analyses the pattern
//   if (!solver.factor(tangent, g)) ...
//   solver.solve(b);                                            // [b | d | c] in place
//
// The bits of a solution depend on tangent and g alone (numerics/kkt_matrix.hpp).
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/constrained_tangent.hpp"
#include "numerics/kkt_matrix.hpp"
#include "numerics/state_tangent.hpp"

namespace cosimo {

struct KktOptions {
  bool blocks = true;  ///< false: KLU
  double accuracy = kkt_rounding;
};

/// Of the unknowns [x | y | lambda], from the places of the entries.
UnknownGroups find_groups(std::size_t freedoms, std::size_t constraints, const ConstrainedTangent& tangent,
                          std::size_t states, const StateBlocks& z);

template <class Scalar>
class KktSolver {
 public:
  /// The places of the tangent's entries stay; its values do not matter here.
  KktSolver(std::size_t freedoms, std::size_t constraints, const ConstrainedTangent& tangent,
            std::size_t states = 0, const StateBlocks& z = {}, const KktOptions& options = {});

  EliminationCount count() const { return matrix_.count(); }
  const KktMatrix<Scalar>& matrix() const { return matrix_; }
  const KktFactors& factors() const { return factors_; }

  /// False if the matrix is singular or not finite. Fellows call together (core/fellow.hpp).
  [[nodiscard]] bool factor(const ConstrainedTangent& tangent, Scalar g, const StateBlocks& z = {},
                            const Fellow& me = {}) {
    return factor(tangent, g, z, factors_, me);
  }
  /// `b` has freedoms + states + constraints numbers.
  void solve(std::span<Scalar> b, const Fellow& me = {}) { solve(factors_, b, me); }

  // The same with factors that the caller keeps and shares.
  [[nodiscard]] bool factor(const ConstrainedTangent& tangent, Scalar g, const StateBlocks& z,
                            KktFactors& out, const Fellow& me = {});
  void solve(const KktFactors& factors, std::span<Scalar> b, const Fellow& me = {}) {
    matrix_.solve(factors, b, me);
  }

 private:
  void regularise(const ConstrainedTangent& tangent, const Fellow& me);

  std::size_t freedoms_, states_, constraints_;
  KktMatrix<Scalar> matrix_;
  KktFactors factors_;
  std::vector<std::uint32_t> row_firsts_, in_rows_;  ///< entries of J, row by row
};

extern template class KktSolver<double>;
extern template class KktSolver<std::complex<double>>;

/// y += factor * X x for the entries of one block of a tangent.
void add_product(std::span<const SparseEntry> block, double factor, const double* x, double* y);
/// y += factor * X^T x.
void add_transposed_product(std::span<const SparseEntry> block, double factor, const double* x, double* y);

}  // namespace cosimo
