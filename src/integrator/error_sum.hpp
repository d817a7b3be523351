// The weighted norm of a step's error, summed up piece by piece while the data is in cache. With n
// judged degrees of freedom J it is
//
//   error^2 = 1/(2n + m) (sum_{i in J} e_i^2 + sum_{i not in J} (e_i / 100)^2 + sum_{k < m} e_z,k^2),
//   e_i^2 = (err_q,i / w_q,i)^2 + (err_v,i / w_v,i)^2,
//   w = atol + rtol max(|y_old|, |y_new|)                     (3.21)-(3.23)
//
// where m first-order states, if there are any, have atol = rtol / 100 times their nominal value.
//
// Three sums, before, inside and behind the judged range, each in blocks of 512 degrees of freedom from the
// range's own beginning: a block has the eight interleaved partial sums of numerics/sums.hpp, and blocks are
// added in their order. So the bits do not depend on the pieces, nor on the thread that adds up a block.
//
//   ErrorSum sum(judged, size);
//   sum.add_until(front, squares);   // fronts ascend, the last one is `size`
//   sum.norm();
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "integrator/error_weights.hpp"
#include "integrator/stage_kernels.hpp"
#include "numerics/sums.hpp"

namespace cosimo {

/// What an error outside the judged range is divided by. Ordinary errors out there do not matter, but
/// without any weight a system at rest would grow its step beyond the stability limit of those
/// degrees of freedom. Far beyond it an instability grows by orders of magnitude within a few steps:
/// a hundredth of it is seen long before it reaches the judged ones. Close to the limit, where it
/// grows slowly, its errors are held at about a hundred times the tolerances.
inline constexpr double outside_divisor = 100;

class ErrorSum {
 public:
  /// `judged` is within the `size` degrees of freedom, and empty only where there are none.
  ErrorSum(Range judged, std::size_t size)
      : parts_{{{{0, judged.first}, {}}, {judged, {}}, {{judged.last, size}, {}}}} {}

  /// Goes on to `front`: everything before it is final. squares(range, sums) adds those of the errors there
  /// to the eight sums, beginning with the first of them (integrator/stage_kernels.hpp).
  template <class Squares>
  void add_until(std::size_t front, Squares squares) {
    for (Part& part : parts_) {
      const auto [first, last] = part.range;
      if (done_ < first || last <= done_) continue;
      // Whole groups of eight, so that every number meets its own partial sum.
      const std::size_t end = front >= last ? last : first + (front - first) / 8 * 8;
      add(part, {done_, end}, squares);
      done_ = end;
    }
  }
  void add_until(std::size_t front, const ErrorWeights& weights, const ErrorArrays& x) {
    add_until(front, [&](Range range, EightSums& sums) { add_error_squares(x, weights, range, sums); });
  }

  /// All first-order states, once; error(i) gives the error of one.
  template <class Error>
  void add_states(std::size_t count, const StateWeights& weights, const double* before, const double* after,
                  Error error) {
    states_ = static_cast<double>(count);
    state_sum_ = reproducible_sum(count, [&](std::size_t i) {
      const double x = error(i) / weights(i, larger(std::fabs(before[i]), std::fabs(after[i])));
      return x * x;
    });
  }

  double norm() const {
    const double outside = parts_[0].total() + parts_[2].total();
    const double sum = parts_[1].total() + outside / (outside_divisor * outside_divisor);
    return norm(sum + state_sum_, 2.0 * static_cast<double>(parts_[1].range.size()) + states_);
  }

  static constexpr std::size_t block = 512;
  /// Of the sum of `count` squares.
  static double norm(double sum, double count) {
    const double result = count > 0 ? std::sqrt(sum / count) : 0.0;
    return std::isfinite(result) ? result : std::numeric_limits<double>::infinity();
  }

 private:
  struct Part {
    Range range;
    EightSums sums;     ///< of the block that is not finished
    double blocks = 0;  ///< of those that are

    double total() const { return blocks + add_eight(sums.data()); }
  };

  template <class Squares>
  static void add(Part& part, Range range, Squares squares) {
    for (std::size_t first = range.first; first < range.last;) {
      const std::size_t done = (first - part.range.first) % block;
      const std::size_t count = std::min(range.last - first, block - done);
      squares({first, first + count}, part.sums);
      first += count;
      if (done + count < block) continue;
      part.blocks += add_eight(part.sums.data());
      part.sums = {};
    }
  }

  static double larger(double a, double b) { return a > b ? a : b; }

  std::array<Part, 3> parts_;  ///< before, inside and behind the judged range
  std::size_t done_ = 0;
  double states_ = 0, state_sum_ = 0;
};

/// The same norm where several threads add up blocks, each as soon as its errors are known. A step adds every
/// block once.
class ErrorBlocks {
 public:
  ErrorBlocks(Range judged, std::size_t size) : judged_(judged) {
    const std::array<Range, 3> parts{{{0, judged.first}, judged, {judged.last, size}}};
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (std::size_t first = parts[p].first; first < parts[p].last; first += ErrorSum::block)
        rows_.push_back({first, std::min(parts[p].last, first + ErrorSum::block)});
      end_[p] = rows_.size();
    }
    sums_.resize(rows_.size());
  }

  Range rows(std::size_t block) const { return rows_[block]; }
  std::size_t count() const { return rows_.size(); }
  /// The first one that ends behind a row.
  std::size_t block_behind(std::size_t row) const {
    const auto before = [](std::size_t i, const Range& rows) { return i < rows.last; };
    return static_cast<std::size_t>(std::upper_bound(rows_.begin(), rows_.end(), row, before) -
                                    rows_.begin());
  }
  /// The first one that begins there or later.
  std::size_t first_block(std::size_t row) const {
    const auto before = [](const Range& rows, std::size_t i) { return rows.first < i; };
    return static_cast<std::size_t>(std::lower_bound(rows_.begin(), rows_.end(), row, before) -
                                    rows_.begin());
  }

  template <class Squares>
  void add(std::size_t block, Squares squares) {
    EightSums sums{};
    squares(rows_[block], sums);
    sums_[block] = add_eight(sums.data());
  }
  double norm() const {
    const auto total = [&](std::size_t part) {
      double sum = 0;
      for (std::size_t b = part > 0 ? end_[part - 1] : 0; b < end_[part]; ++b) sum += sums_[b];
      return sum;
    };
    const double outside = total(0) + total(2);
    return ErrorSum::norm(total(1) + outside / (outside_divisor * outside_divisor),
                          2.0 * static_cast<double>(judged_.size()));
  }

 private:
  Range judged_;
  std::vector<Range> rows_;
  std::array<std::size_t, 3> end_{};  ///< of the blocks before, inside and behind the judged range
  std::vector<double> sums_;
};

/// The degrees of freedom that an option means: an empty range stands for all.
inline Range judged_range(Range option, std::size_t size) {
  COSIMO_CHECK(option.first <= option.last && option.last <= size, "degrees of freedom to be judged");
  return option.size() == 0 ? Range{0, size} : option;
}

}  // namespace cosimo
