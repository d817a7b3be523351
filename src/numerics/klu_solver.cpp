// The solver for any graph of bodies: sparse LU by SuiteSparse's KLU (Davis, Palamadai
// Natarajan 2010).
//
// Every factorisation pivots anew instead of repeating the pivots of an earlier one
// (klu_refactor): the bits of a solution then depend on the matrix alone, not on what
// was factorised before it, and a repeated step repeats exactly.
#include <cmath>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "numerics/klu_handles.hpp"
#include "numerics/second_order_solvers.hpp"

namespace cosimo {
namespace {

struct KluFactors {
  KluNumeric numeric;
};

class KluSolver final : public SharedFactors<KluFactors> {
 public:
  explicit KluSolver(const TangentPattern& pattern);
  std::string_view name() const override { return "klu"; }
  EliminationCount count() const override {
    if (n_ == 0) return {};
    // Both are those of AMD, for elimination without pivoting; flops are multiplications and subtractions.
    return {symbolic_->est_flops / 2, symbolic_->lnz + symbolic_->unz};
  }

  void solve(std::span<double> b) const override {
    const KluFactors& f = current(b, n_);
    if (n_ == 0) return;
    // KLU would use work space inside the factors: other lanes may be reading those.
    klu_numeric view = *f.numeric;
    view.Xwork = work_.data();
    klu_common common = klu_settings();
    const int n = static_cast<int>(n_);
    COSIMO_CHECK(klu_solve(symbolic_.get(), &view, n, 1, b.data(), &common) == 1,
                 "KLU status " + std::to_string(common.status));
  }

 private:
  std::shared_ptr<KluFactors> make() const override { return std::make_shared<KluFactors>(); }
  bool compute(const Tangent& tangent, double g, KluFactors& out) override;
  bool usable(const klu_numeric& numeric) const;

  std::size_t n_;
  std::vector<int> columns_, rows_;    ///< compressed columns, rows ascending
  std::vector<std::size_t> diagonal_;  ///< where entry (i, i) is
  std::vector<std::size_t> upper_;     ///< where entry (a, b) of an edge is
  std::vector<std::size_t> lower_;     ///< where entry (b, a) of an edge is
  std::vector<double> values_;
  mutable std::vector<double> work_;
  KluSymbolic symbolic_;
};

KluSolver::KluSolver(const TangentPattern& pattern)
    : n_(pattern.size()),
      columns_(n_ + 1, 0),
      rows_(n_ + 2 * pattern.edges().size()),
      diagonal_(n_),
      upper_(pattern.edges().size()),
      lower_(pattern.edges().size()),
      values_(rows_.size()),
      work_(4 * n_) {
  if (n_ == 0) return;
  const std::vector<Edge>& edges = pattern.edges();
  for (std::size_t i = 0; i < n_; ++i) columns_[i + 1] = 1;
  for (const Edge& edge : edges)
    for (const std::int32_t node : {edge.a, edge.b}) ++columns_[static_cast<std::size_t>(node) + 1];
  for (std::size_t i = 0; i < n_; ++i) columns_[i + 1] += columns_[i];

  // Edges come sorted by (a, b): placing upper entries, diagonal, lower entries in turn
  // leaves the rows of every column ascending.
  std::vector<int> next(columns_.begin(), columns_.end() - 1);
  const auto place = [&](std::size_t row, std::size_t column) {
    const auto at = static_cast<std::size_t>(next[column]++);
    rows_[at] = static_cast<int>(row);
    return at;
  };
  const auto a = [&](std::size_t e) { return static_cast<std::size_t>(edges[e].a); };
  const auto b = [&](std::size_t e) { return static_cast<std::size_t>(edges[e].b); };
  for (std::size_t e = 0; e < edges.size(); ++e) upper_[e] = place(a(e), b(e));
  for (std::size_t i = 0; i < n_; ++i) diagonal_[i] = place(i, i);
  for (std::size_t e = 0; e < edges.size(); ++e) lower_[e] = place(b(e), a(e));

  klu_common common = klu_settings();
  symbolic_.reset(klu_analyze(static_cast<int>(n_), columns_.data(), rows_.data(), &common));
  COSIMO_CHECK(symbolic_ != nullptr, "KLU analysis, status " + std::to_string(common.status));
}

bool KluSolver::compute(const Tangent& tangent, double g, KluFactors& out) {
  if (n_ == 0) return true;
  const ShiftedMatrix matrix(tangent, g);
  for (std::size_t i = 0; i < n_; ++i) values_[diagonal_[i]] = matrix.diagonal(i);
  for (std::size_t e = 0; e < upper_.size(); ++e) values_[upper_[e]] = values_[lower_[e]] = matrix.edge(e);
  for (const double value : values_)
    if (!std::isfinite(value)) return false;

  out.numeric.reset();
  klu_common common = klu_settings();
  out.numeric.reset(klu_factor(columns_.data(), rows_.data(), values_.data(), symbolic_.get(), &common));
  COSIMO_CHECK(out.numeric != nullptr || common.status == KLU_SINGULAR,
               "KLU factorisation, status " + std::to_string(common.status));
  return out.numeric != nullptr && usable(*out.numeric);
}

/// KLU divides every row by its largest entry, so pivots are judged against one.
bool KluSolver::usable(const klu_numeric& numeric) const {
  const auto* const pivots = static_cast<const double*>(numeric.Udiag);
  for (std::size_t i = 0; i < n_; ++i)
    if (!usable_pivot(pivots[i], 1.0 / pivots[i], 1.0)) return false;
  return true;
}

}  // namespace

std::unique_ptr<SecondOrderSolver> make_klu_solver(const TangentPattern& pattern) {
  return std::make_unique<KluSolver>(pattern);
}

}  // namespace cosimo
