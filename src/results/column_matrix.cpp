#include "results/column_matrix.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace cosimo {

namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 20;  // numbers
constexpr std::size_t most_rows_waiting = 32;
constexpr std::size_t first_rows = 64;
constexpr std::size_t short_column = std::size_t{1} << 13;  // rows: longer ones are apart by many pages

}  // namespace

ColumnMatrix::ColumnMatrix(std::size_t columns, std::size_t rows)
    : columns_(columns),
      expected_(std::max(first_rows, rows)),
      rows_at_once_(
          std::clamp<std::size_t>(most_waiting / std::max<std::size_t>(1, columns), 1, most_rows_waiting)) {}

void ColumnMatrix::append(std::span<const double> row) {
  COSIMO_CHECK(row.size() == columns_, "one number per column");
  waiting_rows_.insert(waiting_rows_.end(), row.begin(), row.end());
  if (++waiting_ == rows_at_once_) spread();
}

void ColumnMatrix::spread() {
  if (settled_ + waiting_ > capacity_) move_to(std::max({expected_, 2 * capacity_, settled_ + waiting_}));
  for (std::size_t i = 0; i < columns_; ++i) {
    double* to = numbers_.data() + i * capacity_ + settled_;
    for (std::size_t row = 0; row < waiting_; ++row) to[row] = waiting_rows_[row * columns_ + i];
  }
  settled_ += waiting_;
  waiting_rows_.clear();
  waiting_ = 0;
}

void ColumnMatrix::move_to(std::size_t capacity) {
  LazyArray<double> wider(columns_ * capacity);
  for (std::size_t i = 0; i < columns_; ++i)
    std::copy_n(numbers_.data() + i * capacity_, settled_, wider.data() + i * capacity);
  numbers_ = std::move(wider);
  capacity_ = capacity;
}

void ColumnMatrix::settle() {
  spread();
  // The end of a long column that was never written to takes no memory.
  if (capacity_ > settled_ && capacity_ < short_column) move_to(settled_);
  waiting_rows_.shrink_to_fit();
}

std::span<const double> ColumnMatrix::column(std::size_t index) const {
  COSIMO_CHECK(index < columns_, "no such column");
  return {numbers_.data() + index * capacity_, settled_};
}

}  // namespace cosimo
