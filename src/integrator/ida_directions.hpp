// Directions (integrator/integrator.hpp) through the steps of IDA: a history of each, advanced by the formula
// of every step that IDA has made.
//
//   begin(wanted)                   all histories zero: what was does not depend on the inputs to come
//   restart(t, y)                   where IDA begins anew: the direction and its slope
//   step(formula, t, y, matrix)     after a step to (t, y); returns the number of back-substitutions
//   finish(interpolation)           the wanted entries, as IDA interpolates the solution
//
// A direction s obeys s_q' = s_v, M s_v' = -K s_q - C s_v + e shape, which is linear: with the predicted s
// and s' the correction c solves
//
//   [ cj I     -I            ]
//   [ M^-1 K   cj I + M^-1 C ] c = -residual.
//
// IDA's own factorised matrix does it, scaled by 2 / (1 + cj ratio) as in IDA where it belongs to another cj,
// and again while the residual with the present tangent is not small enough. As with the one-step methods a
// direction is held where it is not negligible.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "integrator/ida_linear.hpp"
#include "integrator/ida_memory.hpp"
#include "integrator/integrator.hpp"
#include "integrator/slab.hpp"
#include "integrator/variation.hpp"

namespace cosimo {

class IdaDirections {
 public:
  explicit IdaDirections(const System& system) : system_(system), tangent_(system) {}

  void begin(Directions* wanted);
  bool wanted() const { return wanted_ != nullptr && !histories_.empty(); }
  void restart(double t, StateView y);
  std::int64_t step(const StepFormula& formula, double t, StateView y, NewtonMatrix& matrix);
  void finish(const Interpolation& at);

 private:
  static constexpr std::size_t rows = 6;
  /// Positions and velocities, all degrees of freedom of each.
  struct Row {
    double* q = nullptr;
    double* v = nullptr;
  };
  struct History {
    std::array<Row, rows> phi;
    Range range;  ///< all others are zero
  };
  /// Where the tangent is evaluated and the input acts.
  struct Place {
    double t;
    StateView y;
    InputEffect effect;
  };

  void allocate(std::size_t inputs);
  Place place(std::size_t input, double t, StateView y) const;
  void residual(const Place& place, Range range);
  int correct(const Place& place, const StepFormula& formula, NewtonMatrix& matrix, Range& range);
  double residual_size(double cj, Range range) const;
  void clear_work(Range range);

  const System& system_;
  Directions* wanted_ = nullptr;
  std::vector<History> histories_;
  bool fresh_ = false;    ///< row 1 is the slope: the size of the first step is not known beforehand
  LocalTangent tangent_;  ///< at the end of the step
  Slab storage_;
  // Work arrays, zero but for the rows in use: the predicted values, what they leave of the equation, the
  // correction and its last change.
  Row s_, rate_, residual_, correction_, change_;
  double* force_ = nullptr;
};

}  // namespace cosimo
