// Directions through the steps of an explicit Runge-Kutta method: its stages, differentiated.
//
// The derivative of stage s is what the same tableau makes of the variational equation with the tangent at
// that stage's state. The tangent is evaluated at the two ends of the step instead and taken as linear in
// between, as the effect of the input is. Only the rows that a direction can have come to are touched: each
// of the stages that count carries it one reach further.
#pragma once

#include "integrator/stepper.hpp"
#include "integrator/variation.hpp"

namespace cosimo {

template <class Pair>
class RkDirections {
 public:
  explicit RkDirections(const System& system) : system_(system), begin_(system), end_(system) {}

  void carry(const AcceptedStep& step, DirectionSet& set);

 private:
  void carry_one(const AcceptedStep& step, const Polynomial& shape, Direction& direction);

  const System& system_;
  LocalTangent begin_, end_;
  std::uint64_t end_is_ = 0;  ///< instant of the set that end_ belongs to
};

}  // namespace cosimo
