// How far a body of a mechanism is from where it should be, as a small displacement and a change of velocity
// along the global axes: what copies are off their owners by, and what elements make of it.
//
//   Offset d = offsets.off_owner(body, copy);      // at the end of the step
//   double p = complete(d, H, most);               // it grew like t^p
//   offsets.weighted(body, d)                      // in units of the tolerance
#pragma once

#include <span>

#include "mechanics/space.hpp"
#include "model/model.hpp"
#include "network/body_states.hpp"
#include "numerics/tolerances.hpp"

namespace cosimo {

struct Offset {
  Vec6 x = Vec6::Zero();  ///< (dr, dtheta)
  Vec6 v = Vec6::Zero();  ///< (dv, dw)
  bool none() const { return x.isZero(0) && v.isZero(0); }
};

/// The power of t that an offset has grown with over H, displacement and rotation together, within 1 and
/// `most`. Where that is a limit, displacements or velocities are raised to fit it: an oscillating offset
/// that just passes through zero is as large as its other half says.
double complete(Offset& d, double H, double most);

class BodyOffsets {
 public:
  /// Everything must outlive it; of a mechanism only.
  BodyOffsets(const Model& model, const BodyStates& states, const Tolerances& tolerances)
      : model_(model), states_(states), tolerances_(tolerances) {}

  /// What a copy is off its owner's new state by. The quaternions of both descend from the same one in a
  /// small number of steps: their signs agree.
  Offset off_owner(BodyId body, BodyMotion copy) const;
  /// Root mean square over the coordinates of the body, each with atol + rtol times its larger magnitude at
  /// the two ends of the step.
  double weighted(BodyId body, const Offset& d) const;
  /// Change of velocity (dv, dw) by a sudden wrench (6 components) on the body alone, at its new state.
  /// Constraints only make it smaller.
  Vec6 velocity_of(BodyId body, const Vec6& impulse) const;

 private:
  BodyMotion owner(BodyId body) const;

  const Model& model_;
  const BodyStates& states_;
  Tolerances tolerances_;
};

}  // namespace cosimo
