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
//   sum.add_until(front, ...);   // fronts ascend, the last one is `size`
//   sum.norm();
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "integrator/stepper.hpp"
#include "numerics/sums.hpp"

namespace cosimo {

/// Tolerances as one step uses them, coordinate by coordinate.
class ErrorWeights {
 public:
  ErrorWeights(const Tolerances& tolerances, std::span<const std::uint8_t> angles)
      : rtol_(tolerances.rtol), absolute_(tolerances.absolute()), angles_(angles) {}

  double rtol() const { return rtol_; }
  /// All coordinates are lengths.
  bool alike() const { return angles_.empty(); }
  const MotionSize& absolute(std::size_t i) const { return absolute_.of(!alike() && angles_[i] != 0); }
  double q(std::size_t i, double at) const { return absolute(i).position + rtol_ * std::fabs(at); }
  double v(std::size_t i, double at) const { return absolute(i).velocity + rtol_ * std::fabs(at); }
  const MotionSizes& absolute() const { return absolute_; }

 private:
  double rtol_;
  MotionSizes absolute_;
  std::span<const std::uint8_t> angles_;
};

/// The same for first-order states. `nominals` as in System.
class StateWeights {
 public:
  StateWeights(const Tolerances& tolerances, std::span<const double> nominals)
      : rtol_(tolerances.rtol), nominals_(nominals) {}
  double nominal(std::size_t i) const { return nominals_.empty() ? 1.0 : nominals_[i]; }
  double operator()(std::size_t i, double at) const { return rtol_ * (0.01 * nominal(i) + std::fabs(at)); }

 private:
  double rtol_;
  std::span<const double> nominals_;
};

/// What an error outside the judged range is divided by. Ordinary errors out there do not matter, but
/// without any weight a system at rest would grow its step beyond the stability limit of those
/// degrees of freedom. Far beyond it an instability grows by orders of magnitude within a few steps:
/// a hundredth of it is seen long before it reaches the judged ones. Close to the limit, where it
/// grows slowly, its errors are held at about a hundred times the tolerances.
inline constexpr double outside_divisor = 100;

class ErrorSum {
 public:
  struct Values {
    const double* q;
    const double* v;
  };

  /// `judged` is within the `size` degrees of freedom, and empty only where there are none.
  ErrorSum(Range judged, std::size_t size)
      : parts_{{{{0, judged.first}, {}}, {judged, {}}, {{judged.last, size}, {}}}} {}

  /// Goes on to `front`: everything before it is final. error(i) gives both errors.
  template <class Error>
  void add_until(std::size_t front, const ErrorWeights& weights, Values before, Values after, Error error) {
    for (Part& part : parts_) {
      const auto [first, last] = part.range;
      if (done_ < first || last <= done_) continue;
      // Whole groups of eight, so that every number meets its own partial sum.
      const std::size_t end = front >= last ? last : first + (front - first) / 8 * 8;
      add(part, {done_, end}, weights, before, after, error);
      done_ = end;
    }
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
  /// The sum over one block of degrees of freedom that are all judged, or the last of them.
  template <class Error>
  static double block_sum(Range range, const ErrorWeights& weights, Values before, Values after,
                          Error error) {
    Part part{range, {}};
    add(part, range, weights, before, after, error);
    return part.total();
  }
  /// Of the sum of `count` squares.
  static double norm(double sum, double count) {
    const double result = count > 0 ? std::sqrt(sum / count) : 0.0;
    return std::isfinite(result) ? result : std::numeric_limits<double>::infinity();
  }

 private:
  using Sums = std::array<double, 8>;

  struct Part {
    Range range;
    Sums sums;          ///< of the block that is not finished
    double blocks = 0;  ///< of those that are

    double total() const { return blocks + ErrorSum::total(sums); }
  };

  template <class Error>
  static void add(Part& part, Range range, const ErrorWeights& weights, Values before, Values after,
                  Error error) {
    constexpr std::size_t piece = block / 2;
    alignas(64) double terms[piece];
    for (std::size_t first = range.first; first < range.last;) {
      const std::size_t done = (first - part.range.first) % block;
      const std::size_t count = std::min({piece, range.last - first, block - done});
      if (weights.alike())
        square(
            count, first, weights.rtol(), before, after, error,
            [atol = weights.absolute().length](std::size_t) { return atol; }, terms);
      else
        square(
            count, first, weights.rtol(), before, after, error,
            [&weights](std::size_t i) { return weights.absolute(i); }, terms);
      accumulate(terms, count, part.sums);
      first += count;
      if (done + count < block) continue;
      part.blocks += total(part.sums);
      part.sums = {};
    }
  }

  template <class Error, class Absolute>
  static void square(std::size_t count, std::size_t first, double rtol, Values before, Values after,
                     Error error, Absolute absolute, double* terms) {
#pragma GCC ivdep
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = first + k;
      const Motion e = error(i);
      const MotionSize atol = absolute(i);
      const double w_q = atol.position + rtol * larger(std::fabs(before.q[i]), std::fabs(after.q[i]));
      const double w_v = atol.velocity + rtol * larger(std::fabs(before.v[i]), std::fabs(after.v[i]));
      // One division for both. The product is a number as long as states are below largest_state.
      const double inverse = 1.0 / (w_q * w_v);
      const double x = e.q * (w_v * inverse), y = e.v * (w_q * inverse);
      terms[k] = x * x + y * y;
    }
  }

  static double larger(double a, double b) {
    return a > b ? a : b;
  }

  static void accumulate(const double* terms, std::size_t count, Sums& sums) {
    Sums s = sums;
    std::size_t k = 0;
    for (; k + 8 <= count; k += 8)
      for (std::size_t j = 0; j < 8; ++j) s[j] += terms[k + j];
    for (std::size_t j = 0; k < count; ++k, ++j) s[j] += terms[k];
    sums = s;
  }

  static double total(const Sums& s) {
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }

  std::array<Part, 3> parts_;  ///< before, inside and behind the judged range
  std::size_t done_ = 0;
  double states_ = 0, state_sum_ = 0;
};

/// The degrees of freedom that an option means: an empty range stands for all.
inline Range judged_range(Range option, std::size_t size) {
  COSIMO_CHECK(option.first <= option.last && option.last <= size, "degrees of freedom to be judged");
  return option.size() == 0 ? Range{0, size} : option;
}

}  // namespace cosimo
