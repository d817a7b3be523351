// The time reached after very many steps, without the drift of a plain sum.
//
// Neumaier's variant of Kahan's compensated summation: what an addition rounds off
// is kept in a second number. After any number of steps the error of value() is one
// rounding of the exact sum (plus terms of second order), so that macro points of
// different lanes and repeated runs agree and the end of the run is met.
//
//   MacroTime time(0.0);
//   time.advance(H);            // accepted step
//   const MacroTime mark = time;  // a plain value: copy to save, assign to restore
#pragma once

#include <cmath>

#include "core/archive.hpp"

namespace cosimo {

class MacroTime {
 public:
  constexpr MacroTime() = default;
  constexpr explicit MacroTime(double t) : sum_(t) {}

  double value() const { return sum_ + lost_; }
  /// Forgets the past: the time is t exactly.
  void set(double t) {
    sum_ = t;
    lost_ = 0;
  }
  void advance(double h) {
    const double next = sum_ + h;
    lost_ += std::abs(sum_) >= std::abs(h) ? (sum_ - next) + h : (h - next) + sum_;
    sum_ = next;
  }
  /// Where advance(h) would lead.
  double after(double h) const {
    MacroTime later = *this;
    later.advance(h);
    return later.value();
  }
  bool operator==(const MacroTime&) const = default;
  void archive(Archive& a) { a(sum_, lost_); }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace cosimo
