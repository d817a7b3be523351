#include "results/column_matrix.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace cosimo {

namespace {

constexpr std::size_t rows_at_once = 32;
constexpr std::size_t first_rows = 64;

}  // namespace

void ColumnMatrix::append(std::span<const double> row) {
  COSIMO_CHECK(row.size() == columns_, "one number per column");
  waiting_rows_.insert(waiting_rows_.end(), row.begin(), row.end());
  if (++waiting_ == rows_at_once) spread();
}

void ColumnMatrix::spread() {
  if (settled_ + waiting_ > capacity_) move_to(std::max({first_rows, 2 * capacity_, settled_ + waiting_}));
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
  if (capacity_ > settled_) move_to(settled_);
  waiting_rows_.shrink_to_fit();
}

std::span<const double> ColumnMatrix::column(std::size_t index) const {
  COSIMO_CHECK(index < columns_, "no such column");
  return {numbers_.data() + index * capacity_, settled_};
}

}  // namespace cosimo
