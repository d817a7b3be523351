// The convergence test (2.31)-(2.33) of the iterating schemes.
//
// ||delta^j|| is the weighted change between two iterates, R^j = ||delta^j|| / ||delta^{j-1}|| the rate, and
// what is left of the error about R / (1 - R) ||delta^j||: below tau the iteration has converged. The first
// iteration has no rate of its own: the last known one is carried over from the step before, never below
// 0.05, since a rate measured once says little about the next step. A rate of 1 and more is divergence,
// unless the changes have already sunk into the noise of the subsystem solvers, far below the tolerance.
#pragma once

#include "core/archive.hpp"

namespace cosimo {

class Convergence {
 public:
  explicit Convergence(double tau) : tau_(tau) {}

  void begin();  ///< a new macro step
  /// The weighted change of the next iterate. True when the iteration may end.
  bool converged(double change);
  int iterations() const { return iterations_; }
  double rate() const { return rate_; }  ///< last measured, or carried over
  bool slow() const;                     ///< a better Jacobian would help
  /// Two changes in a row grew, or one is not finite.
  bool diverges() const { return growing_ > 1; }

  void archive(Archive& a) { a(kept_rate_, rate_); }
  void keep() { kept_rate_ = rate_; }    ///< the step was accepted
  void forget() { rate_ = kept_rate_; }  ///< or not

 private:
  double tau_;
  double rate_ = 0.5, kept_rate_ = 0.5;
  double last_change_ = 0;
  int iterations_ = 0, growing_ = 0;
};

}  // namespace cosimo
