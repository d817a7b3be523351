#include "numerics/spectral_radius.hpp"

#include <cmath>
#include <limits>

// GCC 12 cries wolf on its own AVX-512 intrinsics, here where Eigen uses them (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <Eigen/Eigenvalues>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include "core/check.hpp"

namespace cosimo {

namespace {

/// Similar, with rows and columns of about equal size. Rows or columns of zeros stay as they are.
void balance(Eigen::MatrixXd& a) {
  constexpr int most_sweeps = 20;
  bool settled = false;
  for (int sweep = 0; sweep < most_sweeps && !settled; ++sweep) {
    settled = true;
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      const double own = std::fabs(a(i, i));
      const double column = a.col(i).lpNorm<1>() - own, row = a.row(i).lpNorm<1>() - own;
      if (!(column > 0) || !(row > 0)) continue;
      const int power = static_cast<int>(std::lround(0.5 * std::log2(row / column)));
      const double scaled = std::ldexp(column, power) + std::ldexp(row, -power);
      if (power == 0 || scaled >= 0.95 * (column + row)) continue;
      settled = false;
      a.col(i) *= std::ldexp(1.0, power);
      a.row(i) *= std::ldexp(1.0, -power);
    }
  }
}

}  // namespace

double spectral_radius(std::span<const double> a, std::size_t n) {
  COSIMO_CHECK(a.size() == n * n, "a square matrix");
  if (n == 0) return 0;
  const auto rows = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(a.data(), rows, rows);
  if (!matrix.allFinite()) return std::numeric_limits<double>::infinity();
  balance(matrix);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix, false);
  COSIMO_CHECK(solver.info() == Eigen::Success, "the QR iteration of a small matrix converges");
  return solver.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace cosimo
