// A formula of time with its first two derivatives, for motors; or one of its speed or its acceleration.
// Derivatives are exact but for rounding, in any units of time. On a breakpoint, and at zero where
// simulations begin, they are those from there on; at other kinks those of the formula (numerics/jet.hpp).
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "mechanics/integrated_formula.hpp"

#include "numerics/expression.hpp"

namespace cosimo {

class PrescribedMotion {
 public:
  /// `formula` has one variable, t. Breakpoints in any order; those of its curves come by themselves.
  PrescribedMotion(const Expression& formula, std::vector<double> breakpoints);
  /// The formula is that of the speed, or of the acceleration; `end` as of IntegratedFormula.
  PrescribedMotion(const Expression& formula, std::vector<double> breakpoints,
                   const IntegratedFormula::Start& start, double end);

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
  std::shared_ptr<const IntegratedFormula> integral_;  ///< null: the formula is the motion itself
  int times_ = 0;                                      ///< integrated
};

}  // namespace cosimo
