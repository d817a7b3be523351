// A square sparse matrix with a fixed pattern, factorised and solved by KLU.
//
//   SparseLu lu(n, entries);          // pattern: (row, column) pairs, duplicates allowed and summed
//   lu.values()[k] = ...;             // value of entries[k]
//   if (!lu.factor()) ...             // symbolic analysis is done once, in the constructor
//   lu.solve(b);                      // in place
//
// The bits of a solution depend on the values alone, not on earlier factorisations. solve() uses work space
// inside the factors: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cosimo {

class SparseLu {
 public:
  struct Entry {
    std::int32_t row = 0, column = 0;
  };
  /// Every row and column must have an entry.
  SparseLu(std::size_t size, std::span<const Entry> entries);
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  std::size_t size() const;
  std::span<double> values();  ///< one per entry, in the order given
  /// False if the matrix is singular or holds a number that is not finite; the old factors are then kept.
  [[nodiscard]] bool factor();
  bool factored() const;
  void solve(std::span<double> b) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
