// The state that a mechanism starts from: on its constraints, and at rest on its springs if wanted.
//
//   assemble(placed);            projects positions and velocities onto the constraints
//   require_assembled(placed);   the alternative: refuses what does not lie on them
//   settle(placed);              static equilibrium: forces and reactions balance at zero velocity
//
// Equilibrium is found by Newton's method with pseudo-time: (mu M + K) x + J^T lambda = f, J x = -g, mu
// falling with the residual. Where nothing holds a body (a vehicle along the road) mu M keeps the matrix
// regular, and the body stays where it is. The initial velocities are kept: a vehicle stands on its springs
// and drives.
#pragma once

#include "mechanics/builder.hpp"

namespace cosimo {

/// Throws Error (field `model.joints`, the worst joint named) when there is no state on the constraints
/// nearby.
void assemble(PlacedMechanism& placed);

/// Throws Error (field `model.joints`, the joint named) when positions or velocities contradict a constraint.
void require_assembled(const PlacedMechanism& placed);

/// The constraint whose sides are farthest apart.
struct OpenJoint {
  const Constraint* constraint = nullptr;  ///< null: there is none
  double gap = 0;
};
OpenJoint most_open_joint(const PlacedMechanism& placed);

/// Throws Error (field `model.start.equilibrium`) when none is found; `placed` must be assembled.
void settle(PlacedMechanism& placed);

}  // namespace cosimo
