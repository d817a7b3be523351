// A coupling scheme as a linear recurrence, z_{N+1} = A z_N, from macro point to macro point.
//
// When all subsystems are LinearOscillators, a macro step of fixed size and order is a linear map of
//
//   z = (states of all masses; the scheme's histories of coupling variables, accelerations, ...)
//
// provided that the number of iterations does not depend on the values (tolerances of zero, and go_on). Its
// matrix is found by taking the step itself from every unit vector: attempt() and accept() of the real scheme
// on real lanes. Nothing of a scheme is derived a second time here, so that whatever the scheme does, the
// matrix is its own. The scheme is stable at this step size when the spectral radius of A is at most 1
// (Appendix C).
//
//   Recurrence recurrence(lanes, scheme, H, kappa);
//   const double rho = spectral_radius(recurrence.matrix(), recurrence.size());
//
// Histories that follow from the states (consistent updates) are still among z. That adds eigenvalues of
// zero and no others: whatever they say at T_N, at T_{N+1} they agree with the states.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scheme/classic.hpp"
#include "scheme/lanes.hpp"

namespace cosimo {

class Recurrence {
 public:
  /// All subsystems must be oscillators that are linear and exact (subsystem/linear_oscillator.hpp), and the
  /// scheme must work on them.
  Recurrence(LaneSet& lanes, ClassicScheme& scheme, double H, int kappa);

  std::size_t size() const { return 2 * lanes_.size() + scheme_.memory_size(points_); }
  /// One macro step from z, in place. False when the scheme could not take it: a linear system without
  /// solution, or numbers out of range.
  [[nodiscard]] bool step(std::span<double> z);
  /// A, column after column; a step that could not be taken leaves a column of infinities.
  std::vector<double> matrix();

 private:
  LaneSet& lanes_;
  ClassicScheme& scheme_;
  double H_;
  int kappa_;
  std::size_t points_;  ///< of the histories
};

}  // namespace cosimo
