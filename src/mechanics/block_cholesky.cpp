#include "mechanics/block_cholesky.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>

#include "core/check.hpp"
#include "mechanics/constant_size.hpp"

namespace cosimo {

namespace {

void sort_unique(std::vector<std::size_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// order[k] = the block eliminated as number k: always one with the fewest neighbours left, of these the
/// first. A chain that is numbered along itself keeps its order.
std::vector<std::size_t> elimination_order(std::size_t n, std::span<const BlockPattern::Coupling> couplings) {
  std::vector<std::vector<std::size_t>> neighbours(n);
  for (const auto& [i, j] : couplings) {
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
  }
  std::set<std::pair<std::size_t, std::size_t>> waiting;  // by degree
  for (std::size_t i = 0; i < n; ++i) {
    sort_unique(neighbours[i]);
    waiting.emplace(neighbours[i].size(), i);
  }
  std::vector<std::size_t> order, merged;
  while (!waiting.empty()) {
    const std::size_t block = waiting.begin()->second;
    waiting.erase(waiting.begin());
    order.push_back(block);
    for (const std::size_t i : neighbours[block]) {  // they become neighbours of each other
      waiting.erase({neighbours[i].size(), i});
      merged.clear();
      std::set_union(neighbours[i].begin(), neighbours[i].end(), neighbours[block].begin(),
                     neighbours[block].end(), std::back_inserter(merged));
      std::erase_if(merged, [&](std::size_t j) { return j == i || j == block; });
      neighbours[i] = merged;
      waiting.emplace(merged.size(), i);
    }
  }
  return order;
}

/// For every column the rows below the diagonal of the factor, ascending, all numbered in the order.
std::vector<std::vector<std::size_t>> factor_structure(std::span<const BlockPattern::Coupling> couplings,
                                                       std::span<const std::size_t> position) {
  std::vector<std::vector<std::size_t>> below(position.size());
  for (const auto& [i, j] : couplings) {
    const auto [first, second] = std::minmax(position[i], position[j]);
    below[first].push_back(second);
  }
  for (auto& rows : below) {
    sort_unique(rows);
    if (rows.size() < 2) continue;
    auto& parent = below[rows.front()];
    parent.insert(parent.end(), rows.begin() + 1, rows.end());
  }
  return below;
}

/// x (3 - 2 x) / tau, smooth between 1 / tau and 0.
double reduced_inverse(double x, double tau) {
  return x * (3.0 - 2.0 * x) / tau;
}

/// The inverse of the pivot d of a row.
double inverse_pivot(double d, std::size_t row, const BlockPattern::Pivots& pivots) {
  const double tau = pivots.tau[row];
  if (!pivots.found.empty()) pivots.found[row] = tau > 0 ? d / tau : 1.0;
  if (!pivots.known.empty() && pivots.known[row] < 1) {
    const double x = std::max(pivots.known[row], 0.0), size = std::max(d, tau);
    return size > 0 ? x * reduced_inverse(x, size) : 0.0;
  }
  if (d >= tau && d > 0) return 1.0 / d;
  return tau > 0 ? reduced_inverse(std::max(d, 0.0) / tau, tau) : 0.0;
}

/// Replaces a symmetric block, given by its lower triangle, by its inverse.
template <std::size_t K>
void invert(double* A, std::size_t row, const BlockPattern::Pivots& pivots) {
  std::array<std::array<double, K>, K> L{};  // unit lower triangle, then its inverse
  std::array<double, K> inverse{};
  for (std::size_t j = 0; j < K; ++j) {
    for (std::size_t i = j; i < K; ++i) {
      double s = A[i * K + j];
      for (std::size_t m = 0; m < j; ++m) s -= L[i][m] * A[j * K + m];
      A[i * K + j] = s;  // L D
    }
    inverse[j] = inverse_pivot(A[j * K + j], row + j, pivots);
    for (std::size_t i = j + 1; i < K; ++i) L[i][j] = A[i * K + j] * inverse[j];
  }
  for (std::size_t j = 0; j < K; ++j) {
    for (std::size_t i = j + 1; i < K; ++i) {
      double s = -L[i][j];
      for (std::size_t m = j + 1; m < i; ++m) s -= L[i][m] * L[m][j];
      L[i][j] = s;
    }
  }
  for (std::size_t j = 0; j < K; ++j) {
    for (std::size_t i = j; i < K; ++i) {
      double s = i == j ? inverse[i] : inverse[i] * L[i][j];
      for (std::size_t m = i + 1; m < K; ++m) s += L[m][i] * inverse[m] * L[m][j];
      A[i * K + j] = A[j * K + i] = s;
    }
  }
}

/// C -= A B^T, A and B with K columns.
template <std::size_t K>
void subtract_product(const double* A, std::size_t rows, const double* B, std::size_t columns, double* C) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double s = 0;
      for (std::size_t m = 0; m < K; ++m) s += A[i * K + m] * B[j * K + m];
      C[i * columns + j] -= s;
    }
  }
}

}  // namespace

BlockPattern::BlockPattern(std::span<const std::size_t> sizes, std::span<const Coupling> couplings) {
  const std::size_t n = sizes.size();
  std::vector<std::size_t> first_row(n);
  for (std::size_t i = 0; i < n; ++i) {
    COSIMO_CHECK(sizes[i] >= 1 && sizes[i] <= largest_block, "block of size " + std::to_string(sizes[i]));
    first_row[i] = rows_;
    rows_ += sizes[i];
  }
  const std::vector<std::size_t> order = elimination_order(n, couplings);
  position_.resize(n);
  for (std::size_t k = 0; k < n; ++k) position_[order[k]] = k;
  const auto structure = factor_structure(couplings, position_);

  diagonal_.resize(rows_);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t size = sizes[order[k]];
    Column column;
    column.row = static_cast<std::uint32_t>(first_row[order[k]]);
    column.size = static_cast<std::uint32_t>(size);
    column.first = static_cast<std::uint32_t>(below_.size());
    column.offset = storage_;
    for (std::size_t i = 0; i < size; ++i) diagonal_[column.row + i] = storage_ + i * (size + 1);
    storage_ += size * size;
    for (const std::size_t row : structure[k]) {
      below_.push_back({static_cast<std::uint32_t>(row), storage_});
      storage_ += sizes[order[row]] * size;
    }
    column.last = static_cast<std::uint32_t>(below_.size());
    columns_.push_back(column);
  }
}

BlockPattern::Place BlockPattern::place(std::size_t i, std::size_t j) const {
  if (i == j) return {columns_[position_[i]].offset, false};
  const auto [early, late] = std::minmax(position_[i], position_[j]);
  const Column& column = columns_[early];
  for (std::size_t p = column.first; p < column.last; ++p)
    if (below_[p].column == late) return {below_[p].offset, position_[i] == early};
  COSIMO_CHECK(false, "no block at " + std::to_string(i) + ", " + std::to_string(j));
  return {};
}

template <std::size_t K>
void BlockPattern::eliminate(const Column& column, double* values, const Pivots& pivots) const {
  double* const pivot = values + column.offset;
  invert<K>(pivot, column.row, pivots);
  for (std::size_t q = column.first; q < column.last; ++q) {
    const Column& target = columns_[below_[q].column];
    const double* const A = values + below_[q].offset;
    std::array<double, largest_block * K> scaled;  // A times the inverse pivot
    for (std::size_t i = 0; i < target.size; ++i) {
      for (std::size_t j = 0; j < K; ++j) {
        double s = 0;
        for (std::size_t m = 0; m < K; ++m) s += A[i * K + m] * pivot[m * K + j];
        scaled[i * K + j] = s;
      }
    }
    subtract_product<K>(A, target.size, scaled.data(), target.size, values + target.offset);
    std::size_t place = target.first;  // rows of both columns ascend, and the target has all of this one's
    for (std::size_t p = q + 1; p < column.last; ++p) {
      while (below_[place].column != below_[p].column) ++place;
      subtract_product<K>(values + below_[p].offset, columns_[below_[p].column].size, scaled.data(),
                          target.size, values + below_[place].offset);
    }
  }
}

void BlockPattern::factorise(std::span<double> values, const Pivots& pivots) const {
  for (const Column& column : columns_)
    with_rows(column.size, [&]<std::size_t K>() { eliminate<K>(column, values.data(), pivots); });
}

template <std::size_t K>
void BlockPattern::forward(const Column& column, const double* values, double* x) const {
  const double* const pivot = values + column.offset;
  std::array<double, K> y;
  for (std::size_t i = 0; i < K; ++i) {
    double s = 0;
    for (std::size_t m = 0; m < K; ++m) s += pivot[i * K + m] * x[column.row + m];
    y[i] = s;
  }
  for (std::size_t p = column.first; p < column.last; ++p) {
    const Column& target = columns_[below_[p].column];
    const double* const A = values + below_[p].offset;
    for (std::size_t i = 0; i < target.size; ++i) {
      double s = 0;
      for (std::size_t m = 0; m < K; ++m) s += A[i * K + m] * y[m];
      x[target.row + i] -= s;
    }
  }
  std::copy_n(y.data(), K, x + column.row);
}

template <std::size_t K>
void BlockPattern::backward(const Column& column, const double* values, double* x) const {
  std::array<double, K> y{};
  for (std::size_t p = column.first; p < column.last; ++p) {
    const Column& source = columns_[below_[p].column];
    const double* const A = values + below_[p].offset;
    for (std::size_t i = 0; i < source.size; ++i)
      for (std::size_t m = 0; m < K; ++m) y[m] += A[i * K + m] * x[source.row + i];
  }
  const double* const pivot = values + column.offset;
  for (std::size_t i = 0; i < K; ++i) {
    double s = 0;
    for (std::size_t m = 0; m < K; ++m) s += pivot[i * K + m] * y[m];
    x[column.row + i] -= s;
  }
}

void BlockPattern::solve(std::span<const double> values, std::span<double> x) const {
  for (const Column& column : columns_)
    with_rows(column.size, [&]<std::size_t K>() { forward<K>(column, values.data(), x.data()); });
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column)
    with_rows(column->size, [&]<std::size_t K>() { backward<K>(*column, values.data(), x.data()); });
}

}  // namespace cosimo
