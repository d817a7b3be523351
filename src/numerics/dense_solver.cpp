// The dense solver: LU with partial pivoting, cubic work. It is there for comparison
// with the cubic linear algebra of the documents (Section 5.7) and for small parts.
#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes the deliberately undefined lanes of its own AVX-512 header for a mistake of Eigen's.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/second_order_solvers.hpp"

namespace cosimo {
namespace {

using Matrix = Eigen::MatrixXd;
using InPlaceLu = Eigen::PartialPivLU<Eigen::Ref<Matrix>>;

struct DenseFactors {
  Matrix matrix;                ///< becomes L and U
  std::optional<InPlaceLu> lu;  ///< refers to `matrix`
};

class DenseSolver final : public SharedFactors<DenseFactors> {
 public:
  explicit DenseSolver(const TangentPattern& pattern)
      : n_(static_cast<Eigen::Index>(pattern.size())), edges_(pattern.edges()), magnitude_(n_) {}
  std::string_view name() const override { return "dense"; }
  EliminationCount count() const override {
    const auto n = static_cast<double>(n_);
    return {n * n * n / 3, n * n};
  }

  void solve(std::span<double> b) const override {
    const DenseFactors& f = current(b, static_cast<std::size_t>(n_));
    if (n_ == 0) return;
    Eigen::Map<Eigen::VectorXd> x(b.data(), n_);
    x = f.lu->solve(x);
  }

 private:
  std::shared_ptr<DenseFactors> make() const override { return std::make_shared<DenseFactors>(); }

  bool compute(const Tangent& tangent, double g, DenseFactors& out) override {
    if (n_ == 0) return true;
    const ShiftedMatrix entries(tangent, g);
    Matrix& a = out.matrix;
    a.setZero(n_, n_);
    bool finite = true;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double entry = entries.diagonal(static_cast<std::size_t>(i));
      finite &= std::isfinite(entry);
      a(i, i) = entry;
      magnitude_(i) = std::abs(entry);
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const double entry = entries.edge(e);
      finite &= std::isfinite(entry);
      for (const auto& [row, column] : {edges_[e], Edge{edges_[e].b, edges_[e].a}}) {
        a(row, column) = entry;
        magnitude_(row) = std::max(magnitude_(row), std::abs(entry));
      }
    }
    if (!finite) return false;
    out.lu.emplace(a);
    return usable(*out.lu);
  }

  bool usable(const InPlaceLu& lu) const {
    const auto& place = lu.permutationP().indices();  // row i of the matrix is row place(i) of L and U
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double pivot = lu.matrixLU()(place(i), place(i));
      if (!usable_pivot(pivot, 1.0 / pivot, magnitude_(i))) return false;
    }
    return true;
  }

  Eigen::Index n_;
  std::vector<Edge> edges_;
  Eigen::VectorXd magnitude_;  ///< largest entry of each row: work space of compute()
};

}  // namespace

std::unique_ptr<SecondOrderSolver> make_dense_solver(const TangentPattern& pattern) {
  return std::make_unique<DenseSolver>(pattern);
}

}  // namespace cosimo
