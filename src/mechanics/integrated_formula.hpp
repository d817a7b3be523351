// The integral of a formula of time, or that of its integral: where a motor goes whose speed or acceleration
// is given.
//
// Its span is divided into panels in which a Gauss rule is exact but for rounding: at the instants where the
// formula may break, and in halves until the rule agrees with itself. What was gained up to the beginning of
// each is kept; within a panel the rest is integrated when asked. Nothing changes after construction.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "numerics/expression.hpp"

namespace cosimo {

class IntegratedFormula {
 public:
  /// Times integrated (1 or 2) from zero on, with this value there, and of two times with this rate.
  struct Start {
    int times = 1;
    double value = 0, rate = 0;
  };
  /// `formula` has one variable, t. `breaks`: instants where it may break. `end`: up to there it is fast.
  /// Throws Error where it takes more panels than anybody would wait for.
  IntegratedFormula(const Expression& formula, const Start& start, std::span<const double> breaks,
                    double end);

  double value(double t) const { return at(t)[0]; }
  /// Of two times: the integral of the formula itself.
  double rate(double t) const { return at(t)[1]; }
  std::size_t panels() const { return knots_.size() - 1; }

 private:
  using State = std::array<double, 2>;  ///< value and rate; of one time the rate is not used
  struct Knot {
    double t = 0;
    State state{};
  };

  State at(double t) const;
  /// The state at b, from that at a; no panel lies between.
  State onwards(const State& state, double a, double b) const;
  void measure_noise(double end);
  void divide(double a, double b, int depth);

  Expression formula_;
  int times_;
  std::vector<Knot> knots_;
  double width_ = 0;  ///< of the last panel
  double size_ = 0;   ///< integral of the absolute value so far
  double noise_ = 0;  ///< what rounding makes of a value of the formula
  std::size_t halvings_ = 0;
};

}  // namespace cosimo
