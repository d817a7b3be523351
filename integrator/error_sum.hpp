// The weighted norm of a step's error over the n judged degrees of freedom, summed up piece by
// piece while the data is in cache:
//
//   error^2 = 1/(2n) sum_i (err_q,i / w_q,i)^2 + (err_v,i / w_v,i)^2,
//   w = atol + rtol max(|y_old|, |y_new|)                     (3.21)-(3.23)
//
// The sum is that of numerics/sums.hpp: eight interleaved partial sums, counted from the first
// judged degree of freedom, so that its bits do not depend on the pieces. The others may have any
// error, but a state that is not finite is never a good one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "integrator/stepper.hpp"

namespace cosimo {

class ErrorSum {
 public:
  struct Values {
    const double* q;
    const double* v;
  };

  explicit ErrorSum(Range judged) : judged_(judged) {}

  /// Goes on to `front`: everything before it is final. error(i) gives both errors.
  template <class Error>
  void add_until(std::size_t front, const Tolerances& tolerances, Values before, Values after, Error error) {
    if (done_ < judged_.first) require_finite(std::min(front, judged_.first), after);
    if (judged_.first <= done_ && done_ < judged_.last) {
      // Whole groups of eight, so that every number meets its own partial sum.
      const std::size_t last =
          front >= judged_.last ? judged_.last : judged_.first + (front - judged_.first) / 8 * 8;
      add({done_, last}, tolerances, before, after, error);
    }
    if (judged_.last <= done_ && done_ < front) require_finite(front, after);
  }

  double norm() const {
    const auto& s = sums_;
    const double sum = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    const double result = std::sqrt(sum / (2.0 * static_cast<double>(judged_.size())));
    return std::isfinite(result) ? result : std::numeric_limits<double>::infinity();
  }

 private:
  template <class Error>
  void add(Range range, const Tolerances& tolerances, Values before, Values after, Error error) {
    constexpr std::size_t piece = 256;
    alignas(64) double terms[piece];
    for (std::size_t first = range.first; first < range.last; first += piece) {
      const std::size_t count = std::min(piece, range.last - first);
      square(count, first, tolerances, before, after, error, terms);
      accumulate(terms, count);
    }
    done_ = range.last;
  }

  /// Adds nothing, or something that is not a number.
  void require_finite(std::size_t last, Values after) {
    std::array<double, 8> s{};
    std::size_t i = done_;
    for (; i + 8 <= last; i += 8)
      for (std::size_t j = 0; j < 8; ++j) s[j] += 0.0 * after.q[i + j] + 0.0 * after.v[i + j];
    for (; i < last; ++i) s[0] += 0.0 * after.q[i] + 0.0 * after.v[i];
    for (std::size_t j = 0; j < 8; ++j) sums_[j] += s[j];
    done_ = last;
  }

  template <class Error>
  static void square(std::size_t count, std::size_t first, const Tolerances& tol, Values before, Values after,
                     Error error, double* terms) {
    const double rtol = tol.rtol, atol_q = tol.atol_pos, atol_v = tol.atol_vel;
#pragma GCC ivdep
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = first + k;
      const Motion e = error(i);
      const double w_q = atol_q + rtol * larger(std::fabs(before.q[i]), std::fabs(after.q[i]));
      const double w_v = atol_v + rtol * larger(std::fabs(before.v[i]), std::fabs(after.v[i]));
      const double inverse = 1.0 / (w_q * w_v);  // one division for both
      const double x = e.q * (w_v * inverse), y = e.v * (w_q * inverse);
      terms[k] = x * x + y * y;
    }
  }

  static double larger(double a, double b) {
    return a > b ? a : b;
  }

  void accumulate(const double* terms, std::size_t count) {
    std::array<double, 8> s = sums_;
    std::size_t k = 0;
    for (; k + 8 <= count; k += 8)
      for (std::size_t j = 0; j < 8; ++j) s[j] += terms[k + j];
    for (std::size_t j = 0; k < count; ++k, ++j) s[j] += terms[k];
    sums_ = s;
  }

  Range judged_;
  std::array<double, 8> sums_{};
  std::size_t done_ = 0;
};

/// The degrees of freedom that an option means: an empty range stands for all.
inline Range judged_range(Range option, std::size_t size) {
  COSIMO_CHECK(option.first <= option.last && option.last <= size, "degrees of freedom to be judged");
  return option.size() == 0 ? Range{0, size} : option;
}

}  // namespace cosimo
