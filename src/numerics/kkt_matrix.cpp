#include "numerics/kkt_matrix.hpp"

#include <amd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
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

// KLU stores complex numbers as pairs of doubles, as std::complex does.
template <class Scalar>
double* plain(Scalar* x) {
  return reinterpret_cast<double*>(x);
}

}  // namespace

KktFactors::KktFactors(KktFactors&& other) noexcept : numeric_(std::exchange(other.numeric_, nullptr)) {}

KktFactors& KktFactors::operator=(KktFactors&& other) noexcept {
  std::swap(numeric_, other.numeric_);
  return *this;
}

KktFactors::~KktFactors() {
  reset(nullptr);
}

void KktFactors::reset(void* numeric) {
  if (numeric_ != nullptr) FreeKluNumeric{}(static_cast<klu_numeric*>(numeric_));  // both kinds alike
  numeric_ = numeric;
}

template <class Scalar>
struct KktMatrix<Scalar>::Impl {
  std::size_t n = 0;
  std::vector<Scalar> values;      ///< per place, as the caller writes them
  std::vector<std::size_t> slots;  ///< per place: where in `matrix`
  std::vector<int> columns, rows;  ///< compressed columns, rows ascending
  std::vector<Scalar> matrix;
  std::vector<Scalar> work;  ///< of klu_solve, which would otherwise write into the factors
  KluSymbolic symbolic;
  EliminationCount count;

  Impl(std::size_t size, std::span<const KktPlace> places, std::size_t multipliers)
      : n(size), values(places.size()), slots(places.size()), columns(size + 1, 0), work(4 * size) {
    if (n == 0) return;
    compress(places);
    std::vector<int> order = elimination_order(multipliers);
    klu_common common = klu_settings();
    common.btf = 0;  // the order as it is
    symbolic.reset(klu_analyze_given(static_cast<int>(n), columns.data(), rows.data(), order.data(),
                                     order.data(), &common));
    COSIMO_CHECK(symbolic != nullptr, "KLU analysis, status " + std::to_string(common.status));
  }

  /// That of AMD (Amestoy, Davis, Duff 1996), with multipliers put off until all other unknowns of their
  /// columns are through.
  std::vector<int> elimination_order(std::size_t multipliers) {
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
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return places[a].column != places[b].column ? places[a].column < places[b].column
                                                  : places[a].row < places[b].row;
    });
    const KktPlace* last = nullptr;
    for (const std::size_t k : order) {
      const KktPlace& p = places[k];
      COSIMO_CHECK(p.row >= 0 && p.column >= 0 && static_cast<std::size_t>(p.row) < n &&
                       static_cast<std::size_t>(p.column) < n,
                   "a place outside of the matrix");
      if (last == nullptr || last->row != p.row || last->column != p.column) {
        rows.push_back(p.row);
        ++columns[static_cast<std::size_t>(p.column) + 1];
      }
      last = &p;
      slots[k] = rows.size() - 1;
    }
    std::partial_sum(columns.begin(), columns.end(), columns.begin());
    matrix.resize(rows.size());
  }

  /// In the order of the places, so that equal numbers give equal bits. False if a sum is not finite.
  bool assemble() {
    std::fill(matrix.begin(), matrix.end(), Scalar{});
    for (std::size_t k = 0; k < values.size(); ++k) matrix[slots[k]] += values[k];
    return std::all_of(matrix.begin(), matrix.end(), [](const Scalar& x) { return finite(x); });
  }
};

template <class Scalar>
KktMatrix<Scalar>::KktMatrix(std::size_t size, std::span<const KktPlace> places, std::size_t multipliers)
    : impl_(std::make_unique<Impl>(size, places, multipliers)) {}
template <class Scalar>
KktMatrix<Scalar>::KktMatrix(KktMatrix&&) noexcept = default;
template <class Scalar>
KktMatrix<Scalar>& KktMatrix<Scalar>::operator=(KktMatrix&&) noexcept = default;
template <class Scalar>
KktMatrix<Scalar>::~KktMatrix() = default;

template <class Scalar>
EliminationCount KktMatrix<Scalar>::count() const {
  return impl_->count;
}

template <class Scalar>
std::size_t KktMatrix<Scalar>::size() const {
  return impl_->n;
}

template <class Scalar>
std::span<Scalar> KktMatrix<Scalar>::values() {
  return impl_->values;
}

template <class Scalar>
bool KktMatrix<Scalar>::factor(KktFactors& out) {
  Impl& m = *impl_;
  out.reset(nullptr);
  if (m.n == 0 || !m.assemble()) return m.n == 0;
  klu_common common = klu_settings();
  constexpr auto klu = std::is_same_v<Scalar, double> ? klu_factor : klu_z_factor;
  out.reset(klu(m.columns.data(), m.rows.data(), plain(m.matrix.data()), m.symbolic.get(), &common));
  COSIMO_CHECK(out || common.status == KLU_SINGULAR,
               "KLU factorisation, status " + std::to_string(common.status));
  if (!out || common.status != KLU_OK) return false;
  const auto* const pivots = static_cast<const Scalar*>(static_cast<const klu_numeric*>(out.numeric_)->Udiag);
  return std::all_of(pivots, pivots + m.n, [](const Scalar& p) { return finite(p); });
}

template <class Scalar>
void KktMatrix<Scalar>::solve(const KktFactors& factors, std::span<Scalar> b) {
  Impl& m = *impl_;
  COSIMO_CHECK(b.size() == m.n && (factors || m.n == 0), "a right-hand side and factors of this matrix");
  if (m.n == 0) return;
  klu_numeric view = *static_cast<const klu_numeric*>(factors.numeric_);
  view.Xwork = m.work.data();
  klu_common common = klu_settings();
  constexpr auto klu = std::is_same_v<Scalar, double> ? klu_solve : klu_z_solve;
  COSIMO_CHECK(klu(m.symbolic.get(), &view, static_cast<int>(m.n), 1, plain(b.data()), &common) == 1,
               "KLU status " + std::to_string(common.status));
}

template class KktMatrix<double>;
template class KktMatrix<std::complex<double>>;

}  // namespace cosimo
