// A matrix that grows row by row and is kept column by column: the numbers of a column are side by side.
//
//   ColumnMatrix m(3, 1000);        columns, and rows where they are known beforehand
//   m.append(row);                  any number of times
//   m.settle();                     from now on column() knows all rows
//   std::span<const double> x = m.column(0);
//
// Rows wait until there are some, so that writing does not jump from page to page with every number. Room for
// rows that do not come takes no memory; a full matrix moves to one with room for twice as many.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/lazy_array.hpp"

namespace cosimo {

class ColumnMatrix {
 public:
  explicit ColumnMatrix(std::size_t columns = 0, std::size_t rows = 0);

  std::size_t columns() const { return columns_; }
  std::size_t rows() const { return settled_ + waiting_; }

  void append(std::span<const double> row);
  /// Every row given so far is in its columns, and nothing takes more memory than it needs.
  void settle();

  /// Of the rows at the last settle(); valid until the next append().
  std::span<const double> column(std::size_t index) const;
  std::size_t bytes() const { return settled_ * columns_ * sizeof(double); }

 private:
  void move_to(std::size_t capacity);
  void spread();  ///< what waits goes to its columns

  std::size_t columns_, expected_, rows_at_once_, capacity_ = 0, settled_ = 0;
  LazyArray<double> numbers_;         ///< column i begins at i * capacity_
  std::vector<double> waiting_rows_;  ///< row-major
  std::size_t waiting_ = 0;
};

}  // namespace cosimo
