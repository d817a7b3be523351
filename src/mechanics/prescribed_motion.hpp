// A formula of time with its first two derivatives, for motors.
//
// A polynomial through nine equidistant values around t (beside it where a breakpoint is near, so that none
// is ever between them) is differentiated with the weights of Fornberg (Math. Comp. 51 (1988) 699). Steps
// shrink until the polynomials through seven and through nine values agree to the rounding of the values, and
// two steps agree with each other; the step is then about a twentieth of the time in which the formula
// changes, whatever that is. With T that time, c' is found to about 1e-10 |c|/T and c'' to about 1e-10
// |c|/T^2; rounding errors of the formula itself (sin(omega t) after many turns) count a thousandfold.
// Formulas that change within less than a few microseconds are not resolved. Kinks that were not declared
// cost accuracy within the step beside them. Times before zero are never asked for from t >= 0 on: a formula
// such as t^2.5 has derivatives at zero.
#pragma once

#include <limits>
#include <vector>

#include "numerics/expression.hpp"

namespace cosimo {

class PrescribedMotion {
 public:
  /// `formula` has one variable, t. Breakpoints in any order.
  PrescribedMotion(const Expression& formula, std::vector<double> breakpoints);

  struct State {
    double value, rate, acceleration;
  };
  /// On a breakpoint the derivatives are those from there on.
  State at(double t) const;
  double value(double t) const;
  /// First one after t; infinity when there is none.
  double next_breakpoint(double t) const;

 private:
  Expression formula_;
  std::vector<double> breakpoints_;  ///< ascending
};

}  // namespace cosimo
