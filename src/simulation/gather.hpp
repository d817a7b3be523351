// Rows of numbers whose columns are spread over the ranks, brought together on the rank that writes.
//
//   RowGather rows(exchange, own_columns, columns, 2);   two numbers per column: positions and velocities
//   rows.push(q, v);                                     any number of times, on every rank
//   rows.drain([](row, first, a, b) {});                 collective: on rank 0 every row, in blocks of
//                                                        columns from the left
//
// Rows are collected before they travel, so that a macro step sends none of its own. A wide row comes in the
// blocks of its ranks when these stand side by side, and is never held as a whole; otherwise it comes in one
// block.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "parallel/exchange.hpp"

namespace cosimo {

class RowGather {
 public:
  /// `own`: the columns of this rank, ascending. `blocks`: wide rows may come in blocks. Collective.
  RowGather(Exchange& exchange, std::vector<std::size_t> own, std::size_t columns, std::size_t fields,
            bool blocks = true);

  /// One row: what this rank has of it.
  void push(std::span<const double> a, std::span<const double> b = {});
  std::size_t rows() const { return rows_; }
  /// Enough for a message; the same on all ranks.
  bool full() const;

  /// Columns from `first` on, of the first field and of the second.
  using Visit = std::function<void(std::size_t row, std::size_t first, std::span<const double> a,
                                   std::span<const double> b)>;
  void drain(const Visit& visit);

 private:
  struct Share {
    std::vector<std::size_t> columns;
    bool block = false;  ///< they stand side by side
  };
  std::size_t width() const {
    return fields_ * shares_[static_cast<std::size_t>(exchange_.rank())].columns.size();
  }
  void drain_blocks(const Visit& visit);
  void drain_whole(const Visit& visit);
  void visit_rows(Range rows, const Visit& visit);

  Exchange& exchange_;
  std::vector<Share> shares_;  ///< on rank 0 of every rank; elsewhere the own one in its place
  std::size_t columns_, fields_, rows_ = 0;
  std::vector<std::size_t> order_;  ///< ranks from the left, when every share is a block; otherwise empty
  std::vector<double> own_;         ///< rows not yet drained
};

}  // namespace cosimo
