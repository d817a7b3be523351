// A formula of time with its first two derivatives, for motors.
// Derivatives are exact but for rounding, in any units of time. On a breakpoint, and at zero where
// simulations begin, they are those from there on; at other kinks those of the formula (numerics/jet.hpp).
#pragma once

#include <limits>
#include <vector>

#include "numerics/expression.hpp"

namespace cosimo {

class PrescribedMotion {
 public:
  /// `formula` has one variable, t. Breakpoints in any order; those of its curves come by themselves.
  PrescribedMotion(const Expression& formula, std::vector<double> breakpoints);

  struct State {
    double value, rate, acceleration;
  };
  State at(double t) const;
  double value(double t) const;
  /// First one after t; infinity when there is none.
  double next_breakpoint(double t) const { return breakpoints_.next(t); }

 private:
  Expression formula_;
  Timetable breakpoints_;
};

}  // namespace cosimo
