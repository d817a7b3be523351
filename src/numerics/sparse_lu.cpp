// Every factorisation pivots anew instead of repeating the pivots of an earlier one (klu_refactor): the bits
// of a solution then depend on the values alone, not on what was factorised before them.
#include "numerics/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/check.hpp"
#include "numerics/klu_handles.hpp"
#include "numerics/second_order_solvers.hpp"

namespace cosimo {

struct SparseLu::Impl {
  std::size_t n = 0;
  std::vector<double> values;      ///< per entry, as the caller writes them
  std::vector<std::size_t> slots;  ///< per entry: its place in `matrix`
  std::vector<int> columns, rows;  ///< compressed columns, rows ascending
  std::vector<double> matrix;
  std::vector<double> row_size, column_size;
  KluSymbolic symbolic;
  KluNumeric numeric;

  Impl(std::size_t size, std::span<const Entry> entries);
  void compress(std::span<const Entry> entries);
  bool assemble();
  bool usable(const klu_numeric& factors);
};

SparseLu::Impl::Impl(std::size_t size, std::span<const Entry> entries)
    : n(size),
      values(entries.size()),
      slots(entries.size()),
      columns(size + 1, 0),
      row_size(size),
      column_size(size) {
  if (n == 0) return;
  compress(entries);
  klu_common common = klu_settings();
  symbolic.reset(klu_analyze(static_cast<int>(n), columns.data(), rows.data(), &common));
  COSIMO_CHECK(symbolic != nullptr, "KLU analysis, status " + std::to_string(common.status));
}

void SparseLu::Impl::compress(std::span<const Entry> entries) {
  std::vector<char> has_row(n, 0);
  for (const Entry& e : entries) {
    const bool inside = e.row >= 0 && e.column >= 0 && static_cast<std::size_t>(e.row) < n &&
                        static_cast<std::size_t>(e.column) < n;
    COSIMO_CHECK(inside, "entry (" + std::to_string(e.row) + ", " + std::to_string(e.column) +
                             ") of a matrix of size " + std::to_string(n));
    has_row[static_cast<std::size_t>(e.row)] = 1;
  }
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return entries[a].column != entries[b].column ? entries[a].column < entries[b].column
                                                  : entries[a].row < entries[b].row;
  });
  const Entry* last = nullptr;
  for (const std::size_t k : order) {
    const Entry& e = entries[k];
    if (last == nullptr || last->row != e.row || last->column != e.column) {
      rows.push_back(e.row);
      ++columns[static_cast<std::size_t>(e.column) + 1];
    }
    last = &e;
    slots[k] = rows.size() - 1;
  }
  for (std::size_t i = 0; i < n; ++i)
    COSIMO_CHECK(has_row[i] != 0 && columns[i + 1] > 0, "row or column " + std::to_string(i) + " is empty");
  std::partial_sum(columns.begin(), columns.end(), columns.begin());
  matrix.resize(rows.size());
}

/// Sums the entries into the matrix, in the order they were given. False if a sum is not finite.
bool SparseLu::Impl::assemble() {
  std::fill(matrix.begin(), matrix.end(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) matrix[slots[k]] += values[k];
  return std::all_of(matrix.begin(), matrix.end(), [](double a) { return std::isfinite(a); });
}

/// KLU divides every row by its largest entry. A pivot is then judged against the largest entry of its
/// column: where variables have different units, a whole column may be small without being singular.
bool SparseLu::Impl::usable(const klu_numeric& factors) {
  std::fill(row_size.begin(), row_size.end(), 0.0);
  std::fill(column_size.begin(), column_size.end(), 0.0);
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    double& size = row_size[static_cast<std::size_t>(rows[k])];
    size = std::max(size, std::abs(matrix[k]));
  }
  for (std::size_t j = 0; j < n; ++j)
    for (auto k = static_cast<std::size_t>(columns[j]); k < static_cast<std::size_t>(columns[j + 1]); ++k)
      column_size[j] =
          std::max(column_size[j], std::abs(matrix[k]) / row_size[static_cast<std::size_t>(rows[k])]);

  const auto* const pivots = static_cast<const double*>(factors.Udiag);
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = static_cast<std::size_t>(symbolic->Q[i]);
    if (!usable_pivot(pivots[i], 1.0 / pivots[i], column_size[column])) return false;
  }
  return true;
}

SparseLu::SparseLu(std::size_t size, std::span<const Entry> entries)
    : impl_(std::make_unique<Impl>(size, entries)) {}
SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

std::size_t SparseLu::size() const {
  return impl_->n;
}

std::span<double> SparseLu::values() {
  return impl_->values;
}

bool SparseLu::factor() {
  Impl& m = *impl_;
  if (m.n == 0) return true;
  if (!m.assemble()) return false;
  klu_common common = klu_settings();
  KluNumeric fresh(klu_factor(m.columns.data(), m.rows.data(), m.matrix.data(), m.symbolic.get(), &common));
  COSIMO_CHECK(fresh != nullptr || common.status == KLU_SINGULAR,
               "KLU factorisation, status " + std::to_string(common.status));
  if (fresh == nullptr || !m.usable(*fresh)) return false;
  m.numeric = std::move(fresh);
  return true;
}

bool SparseLu::factored() const {
  return impl_->n == 0 || impl_->numeric != nullptr;
}

void SparseLu::solve(std::span<double> b) const {
  const Impl& m = *impl_;
  COSIMO_CHECK(factored(), "solving without factors");
  COSIMO_CHECK(b.size() == m.n, "a right-hand side of another size");
  if (m.n == 0) return;
  klu_common common = klu_settings();
  COSIMO_CHECK(klu_solve(m.symbolic.get(), m.numeric.get(), static_cast<int>(m.n), 1, b.data(), &common) == 1,
               "KLU status " + std::to_string(common.status));
}

}  // namespace cosimo
