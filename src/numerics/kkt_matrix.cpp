#include "numerics/kkt_matrix.hpp"

#include <amd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "numerics/klu_handles.hpp"

namespace cosimo {
namespace {

using Complex = std::complex<double>;

bool finite(double x) {
  return std::isfinite(x);
}
bool finite(const Complex& x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}

constexpr int most_refinements = 2;
double magnitude(double x) {
  return std::fabs(x);
}
double magnitude(const Complex& x) {
  return std::fabs(x.real()) + std::fabs(x.imag());
}
// Without the library's care for what is not finite, which costs a call.
double product(double x, double y) {
  return x * y;
}
Complex product(const Complex& x, const Complex& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

// KLU stores complex numbers as pairs of doubles, as std::complex does.
template <class Scalar>
double* plain(Scalar* x) {
  return reinterpret_cast<double*>(x);
}

}  // namespace

KktFactors::KktFactors(KktFactors&& other) noexcept {
  *this = std::move(other);
}

KktFactors& KktFactors::operator=(KktFactors&& other) noexcept {
  std::swap(numeric_, other.numeric_);
  std::swap(blocks_, other.blocks_);
  std::swap(refinements_, other.refinements_);
  std::swap(matrix_, other.matrix_);
  return *this;
}

KktFactors::~KktFactors() {
  reset(nullptr);
}

void KktFactors::reset(void* numeric) {
  if (numeric_ != nullptr) FreeKluNumeric{}(static_cast<klu_numeric*>(numeric_));  // both kinds alike
  numeric_ = numeric;
  refinements_ = -1;
}

template <class Scalar>
struct KktMatrix<Scalar>::Impl {
  static constexpr Field field = std::is_same_v<Scalar, double> ? Field::real : Field::complex;

  std::size_t n = 0;
  std::vector<Scalar> values;                 ///< per place, as the caller writes them
  std::vector<std::uint32_t> sorted, firsts;  ///< places, by where in `matrix`; the first of each number
  std::vector<int> columns, rows;             ///< compressed columns, rows ascending
  std::vector<Scalar> matrix;
  struct InRow {
    std::uint32_t column, at;
  };
  std::vector<std::uint32_t> row_firsts;  ///< the same row by row, columns ascending
  std::vector<InRow> in_rows;
  std::vector<Scalar> work;  ///< of klu_solve, which would otherwise write into the factors
  KluSymbolic symbolic;      ///< made when it is needed
  EliminationCount count;
  std::size_t multipliers;
  double accuracy;
  std::optional<BlockLu> blocks;
  AlignedVector lanes;  ///< of its solutions
  std::vector<Scalar> side, wanted, rest;
  std::vector<double> of_column;
  struct alignas(64) Worst {
    double error = 0;
  };
  std::vector<Worst> worst;  ///< of every fellow
  bool by_klu = false;       ///< that was fine

  Impl(std::size_t n_, std::span<const KktPlace> places, std::size_t multipliers_,
       const UnknownGroups& groups, double accuracy_)
      : n(n_),
        values(places.size()),
        columns(n + 1, 0),
        multipliers(multipliers_),
        accuracy(accuracy_),
        side(n),
        wanted(n),
        rest(n),
        of_column(n),
        worst(1) {
    if (n == 0) return;
    compress(places);
    transpose();
    if (!groups.bodies.empty()) blocks.emplace(SparsePattern{columns, rows}, groups);
    if (blocks && !blocks->usable()) blocks.reset();
    if (blocks)
      lanes.resize(blocks->row_storage(field));
    else
      analyse();
  }

  void analyse() {
    if (symbolic != nullptr || n == 0) return;
    work.resize(4 * n);
    std::vector<int> order = elimination_order();
    klu_common common = klu_settings();
    common.btf = 0;  // the order as it is
    symbolic.reset(klu_analyze_given(static_cast<int>(n), columns.data(), rows.data(), order.data(),
                                     order.data(), &common));
    COSIMO_CHECK(symbolic != nullptr, "KLU analysis, status " + std::to_string(common.status));
  }

  /// That of AMD (Amestoy, Davis, Duff 1996), with multipliers put off until all other unknowns of their
  /// columns are through.
  std::vector<int> elimination_order() {
    std::vector<int> found(n), order;
    std::array<double, AMD_INFO> info{};
    const int status =
        amd_order(static_cast<int>(n), columns.data(), rows.data(), found.data(), nullptr, info.data());
    COSIMO_CHECK(status == AMD_OK, "AMD, status " + std::to_string(status));
    // Putting off multipliers adds little.
    count = {info[AMD_NMULTSUBS_LU], 2 * info[AMD_LNZ] + static_cast<double>(n)};
    std::vector<std::vector<int>> tied(multipliers);    // multipliers of an unknown
    std::vector<int> left(n - multipliers, 0);          // unknowns that a multiplier waits for
    std::vector<bool> reached(n - multipliers, false);  // the order has come to it
    for (std::size_t k = multipliers; k < n; ++k)
      for (int i = columns[k]; i < columns[k + 1]; ++i) {
        const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(i)]);
        if (row >= multipliers) continue;
        tied[row].push_back(static_cast<int>(k));
        ++left[k - multipliers];
      }
    const auto is_due = [&](std::size_t k) { return reached[k - multipliers] && left[k - multipliers] == 0; };
    for (const int unknown : found) {
      const auto k = static_cast<std::size_t>(unknown);
      if (k >= multipliers) {
        reached[k - multipliers] = true;
        if (is_due(k)) order.push_back(unknown);
        continue;
      }
      order.push_back(unknown);
      for (const int m : tied[k]) {
        const auto waiting = static_cast<std::size_t>(m);
        --left[waiting - multipliers];
        if (is_due(waiting)) order.push_back(m);
      }
    }
    return order;
  }

  void compress(std::span<const KktPlace> places) {
    sorted.resize(places.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
      return places[a].column != places[b].column ? places[a].column < places[b].column
                                                  : places[a].row < places[b].row;
    });
    const KktPlace* last = nullptr;
    for (std::uint32_t k = 0; k < sorted.size(); ++k) {
      const KktPlace& p = places[sorted[k]];
      COSIMO_CHECK(p.row >= 0 && p.column >= 0 && static_cast<std::size_t>(p.row) < n &&
                       static_cast<std::size_t>(p.column) < n,
                   "a place outside of the matrix");
      if (last == nullptr || last->row != p.row || last->column != p.column) {
        rows.push_back(p.row);
        firsts.push_back(k);
        ++columns[static_cast<std::size_t>(p.column) + 1];
      }
      last = &p;
    }
    firsts.push_back(static_cast<std::uint32_t>(sorted.size()));
    std::partial_sum(columns.begin(), columns.end(), columns.begin());
    matrix.resize(rows.size());
  }

  void transpose() {
    row_firsts.assign(n + 1, 0);
    in_rows.resize(rows.size());
    for (const int row : rows) ++row_firsts[static_cast<std::size_t>(row) + 1];
    std::partial_sum(row_firsts.begin(), row_firsts.end(), row_firsts.begin());
    std::vector<std::uint32_t> next(row_firsts.begin(), row_firsts.end() - 1);
    for (std::uint32_t j = 0; j < n; ++j)
      for (int k = columns[j]; k < columns[j + 1]; ++k)
        in_rows[next[static_cast<std::size_t>(rows[static_cast<std::size_t>(k)])]++] = {
            j, static_cast<std::uint32_t>(k)};
  }

  /// In the order of the places, so that equal numbers give equal bits.
  void assemble(const Fellow& me) {
    const Range own = me.share(matrix.size(), 8);
    for (std::size_t k = own.first; k < own.last; ++k) {
      Scalar sum{};
      for (std::uint32_t p = firsts[k]; p < firsts[k + 1]; ++p) sum += values[sorted[p]];
      matrix[k] = sum;
    }
    me.meet();
  }
  bool is_finite() const {
    return std::all_of(matrix.begin(), matrix.end(), [](const Scalar& x) { return finite(x); });
  }

  /// out = b - A x; returns the largest part of it in |A| |x| + |b|, row by row. Fellows meet when it is
  /// done.
  double residual(const double* numbers, const std::vector<Scalar>& x, const Scalar* b,
                  std::vector<Scalar>& out, const Fellow& me) {
    const auto* const a = reinterpret_cast<const Scalar*>(numbers);
    double error = 0;
    const Range own = me.share(n);
    for (std::size_t i = own.first; i < own.last; ++i) {
      Scalar rest_of_row = b[i];
      double size = magnitude(b[i]);
      for (std::uint32_t k = row_firsts[i]; k < row_firsts[i + 1]; ++k) {
        const Scalar &number = a[in_rows[k].at], &factor = x[in_rows[k].column];
        rest_of_row -= product(number, factor);
        size += magnitude(number) * magnitude(factor);
      }
      out[i] = rest_of_row;
      const double part = magnitude(rest_of_row);
      const double ratio = part > 0 ? part / size : 0;
      error = std::isfinite(size) && std::isfinite(part) ? std::max(error, ratio)
                                                         : std::numeric_limits<double>::infinity();
    }
    worst[me.number].error = error;
    me.meet();
    for (std::size_t k = 0; k < me.count; ++k) error = std::max(error, worst[k].error);
    return error;
  }

  /// How many refinements solutions need; negative when two are not enough.
  int judge(const KktFactors& factors, const Fellow& me) {
    // Every column has a part in the right-hand side, whatever the unit of its unknown.
    const Range own = me.share(n);
    for (std::size_t j = own.first; j < own.last; ++j) {
      const auto first = static_cast<std::size_t>(columns[j]),
                 last = static_cast<std::size_t>(columns[j + 1]);
      double most = 0;
      for (std::size_t k = first; k < last; ++k) most = std::max(most, magnitude(matrix[k]));
      const double sign = (j + 2) / 3 % 2 == 0 ? 1 : -1;
      of_column[j] = most > 0 ? sign / most : 0;
    }
    me.meet();
    for (std::size_t i = own.first; i < own.last; ++i) {
      Scalar sum{};
      for (std::uint32_t k = row_firsts[i]; k < row_firsts[i + 1]; ++k)
        sum += of_column[in_rows[k].column] * matrix[in_rows[k].at];
      side[i] = wanted[i] = sum;
    }
    me.meet();
    blocks->solve(field, factors.blocks_, lanes, plain(wanted.data()), me);
    for (int refinements = 0; refinements <= most_refinements; ++refinements) {
      if (residual(plain(matrix.data()), wanted, side.data(), rest, me) <= accuracy) return refinements;
      refine(factors, me);
    }
    return -1;
  }

  void refine(const KktFactors& factors, const Fellow& me) {
    blocks->solve(field, factors.blocks_, lanes, plain(rest.data()), me);
    const Range own = me.share(n);
    for (std::size_t i = own.first; i < own.last; ++i) wanted[i] += rest[i];
    me.meet();
  }

  bool factor_blocks(KktFactors& out, const Fellow& me) {
    if (me.leads()) {
      if (out.blocks_.size() != blocks->storage(field)) out.blocks_.resize(blocks->storage(field));
      if (worst.size() < me.count) worst.resize(me.count);
    }
    me.meet();
    blocks->factor(field, plain(matrix.data()), out.blocks_, me);
    const int refinements = judge(out, me);
    if (me.leads()) {
      out.refinements_ = refinements;
      if (refinements > 0) out.matrix_.assign(plain(matrix.data()), plain(matrix.data() + matrix.size()));
    }
    me.meet();
    return refinements >= 0;
  }

  bool factor_by_klu(KktFactors& out) {
    if (!is_finite()) return false;
    analyse();
    klu_common common = klu_settings();
    constexpr auto klu = std::is_same_v<Scalar, double> ? klu_factor : klu_z_factor;
    out.reset(klu(columns.data(), rows.data(), plain(matrix.data()), symbolic.get(), &common));
    COSIMO_CHECK(out || common.status == KLU_SINGULAR,
                 "KLU factorisation, status " + std::to_string(common.status));
    if (!out || common.status != KLU_OK) return false;
    const auto* const pivots =
        static_cast<const Scalar*>(static_cast<const klu_numeric*>(out.numeric_)->Udiag);
    return std::all_of(pivots, pivots + n, [](const Scalar& p) { return finite(p); });
  }

  void solve_by_klu(const KktFactors& factors, std::span<Scalar> b) {
    analyse();
    klu_numeric view = *static_cast<const klu_numeric*>(factors.numeric_);
    view.Xwork = work.data();
    klu_common common = klu_settings();
    constexpr auto klu = std::is_same_v<Scalar, double> ? klu_solve : klu_z_solve;
    COSIMO_CHECK(klu(symbolic.get(), &view, static_cast<int>(n), 1, plain(b.data()), &common) == 1,
                 "KLU status " + std::to_string(common.status));
  }

  void solve_blocks(const KktFactors& factors, std::span<Scalar> b, const Fellow& me) {
    if (factors.refinements_ == 0) return blocks->solve(field, factors.blocks_, lanes, plain(b.data()), me);
    const Range own = me.share(n);
    for (std::size_t i = own.first; i < own.last; ++i) side[i] = wanted[i] = b[i];
    me.meet();
    blocks->solve(field, factors.blocks_, lanes, plain(wanted.data()), me);
    for (int k = 0; k < factors.refinements_; ++k) {
      residual(factors.matrix_.data(), wanted, side.data(), rest, me);
      refine(factors, me);
    }
    for (std::size_t i = own.first; i < own.last; ++i) b[i] = wanted[i];
    me.meet();
  }
};

template <class Scalar>
KktMatrix<Scalar>::KktMatrix(std::size_t size, std::span<const KktPlace> places, std::size_t multipliers,
                             const UnknownGroups& groups, double accuracy)
    : impl_(std::make_unique<Impl>(size, places, multipliers, groups, accuracy)) {}
template <class Scalar>
KktMatrix<Scalar>::KktMatrix(KktMatrix&&) noexcept = default;
template <class Scalar>
KktMatrix<Scalar>& KktMatrix<Scalar>::operator=(KktMatrix&&) noexcept = default;
template <class Scalar>
KktMatrix<Scalar>::~KktMatrix() = default;

template <class Scalar>
EliminationCount KktMatrix<Scalar>::count() const {
  impl_->analyse();
  return impl_->count;
}

template <class Scalar>
std::size_t KktMatrix<Scalar>::size() const {
  return impl_->n;
}

template <class Scalar>
const BlockLu* KktMatrix<Scalar>::blocks() const {
  return impl_->blocks ? &*impl_->blocks : nullptr;
}

template <class Scalar>
std::span<Scalar> KktMatrix<Scalar>::values() {
  return impl_->values;
}

template <class Scalar>
void KktMatrix<Scalar>::assemble(const Fellow& me) {
  impl_->assemble(me);
}

template <class Scalar>
Scalar& KktMatrix<Scalar>::diagonal(std::size_t i) {
  Impl& m = *impl_;
  const auto first = m.rows.begin() + m.columns[i], last = m.rows.begin() + m.columns[i + 1];
  const auto at = std::lower_bound(first, last, static_cast<int>(i));
  COSIMO_CHECK(at != last && *at == static_cast<int>(i), "a place on the diagonal");
  return m.matrix[static_cast<std::size_t>(at - m.rows.begin())];
}

template <class Scalar>
bool KktMatrix<Scalar>::factor_assembled(KktFactors& out, const Fellow& me) {
  Impl& m = *impl_;
  if (me.leads()) out.reset(nullptr);
  if (m.n == 0) return true;
  if (m.blocks && m.factor_blocks(out, me)) return true;
  if (me.leads()) m.by_klu = m.factor_by_klu(out);
  me.meet();
  return m.by_klu;
}

template <class Scalar>
void KktMatrix<Scalar>::solve(const KktFactors& factors, std::span<Scalar> b, const Fellow& me) {
  Impl& m = *impl_;
  COSIMO_CHECK(b.size() == m.n && (factors || m.n == 0), "a right-hand side and factors of this matrix");
  if (m.n == 0) return;
  if (factors.in_blocks()) return m.solve_blocks(factors, b, me);
  if (me.leads()) m.solve_by_klu(factors, b);
  me.meet();
}

template class KktMatrix<double>;
template class KktMatrix<std::complex<double>>;

UnknownGroups find_groups(std::size_t size, std::span<const KktPlace> places, std::size_t multipliers) {
  std::vector<std::vector<std::int32_t>> coupled(size);
  for (const KktPlace& p : places) {
    coupled[static_cast<std::size_t>(p.row)].push_back(p.column);
    coupled[static_cast<std::size_t>(p.column)].push_back(p.row);
  }
  UnknownGroups out;
  for (std::size_t i = 0; i < size; ++i) {
    const auto own = static_cast<std::int32_t>(i);
    auto& list = coupled[i];
    if (i < multipliers) list.push_back(own);
    if (i >= multipliers) std::erase(list, own);  // rows of a constraint are not coupled with each other
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    auto& groups = i < multipliers ? out.bodies : out.constraints;
    const bool first = i == 0 || i == multipliers;
    if (first || list != coupled[i - 1]) groups.emplace_back();
    groups.back().push_back(own);
  }
  return out;
}

}  // namespace cosimo
