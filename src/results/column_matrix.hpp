// A matrix that grows row by row and is kept column by column: the numbers of a column are side by side.
//
//   ColumnMatrix m(3);
//   m.append(row);                  any number of times
//   m.settle();                     from now on column() knows all rows
//   std::span<const double> x = m.column(0);
//
// Rows wait until there are some, so that writing does not jump from page to page with every number. A full
// matrix moves to one with room for twice as many rows, of which only what is written to takes memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/lazy_array.hpp"

namespace cosimo {

class ColumnMatrix {
 public:
  explicit ColumnMatrix(std::size_t columns = 0) : columns_(columns) {}

  std::size_t columns() const { return columns_; }
  std::size_t rows() const { return settled_ + waiting_; }

  void append(std::span<const double> row);
  /// Every row given so far is in its columns, and nothing takes more memory than it needs.
  void settle();

  /// Of the rows at the last settle(); valid until the next append().
  std::span<const double> column(std::size_t index) const;
  std::size_t bytes() const { return numbers_.size() * sizeof(double); }

 private:
  void move_to(std::size_t capacity);
  void spread();  ///< what waits goes to its columns

  std::size_t columns_ = 0, capacity_ = 0, settled_ = 0;
  LazyArray<double> numbers_;         ///< column i begins at i * capacity_
  std::vector<double> waiting_rows_;  ///< row-major
  std::size_t waiting_ = 0;
};

}  // namespace cosimo
