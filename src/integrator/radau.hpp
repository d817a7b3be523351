// Radau IIA of order 5 for systems with constraints: stiffly accurate and L-stable, so that stiff springs
// and dampers do not limit its steps (Hairer, Wanner II, Sections IV.8 and VII.4).
//
// The equations are solved in their form of index 2. Unknown at the stages i = 1..3 are the accelerations of
// the freedoms alpha_i and the multipliers lambda_i; the rest follows from them,
//
//   A_i = lift(Q_i, V_i, alpha_i),   V_i = v_0 + h sum_j a_ij A_j,   Q_i = q_0 + h sum_j a_ij V_j,
//   M alpha_i - f + J^T lambda_i = 0  and  J w + g_t = 0  at  t_0 + c_i h, Q_i, V_i.
//
// First-order states, where there are any, have their rates z'_i unknown as well, Z_i = z_0 + h sum_j a_ij
// z'_j.
//
// The last stage is the end of the step. Positions and velocities converge with order 5; the drift of the
// positions is taken away by a projection (integrator/end_projection.hpp). Simplified Newton iterations with
// the linearisation at the beginning of the step, decoupled by the eigenvectors of the method into one real
// and one complex system of the size of the equations themselves (numerics/kkt_solver.hpp).
//
// Nothing but states goes from one step to the next: every step linearises anew, and begins its iteration
// from the motion between the last two states (Point::previous), or from its first accelerations where there
// is none. A snapshot is therefore a reference to two states.
#pragma once

#include <memory>

#include "integrator/constrained_system.hpp"
#include "integrator/stepper.hpp"

namespace cosimo {

/// `judged`, `linear` and `team` as in IntegratorOptions.
std::unique_ptr<Stepper> make_radau_stepper(const ConstrainedSystem& system, const Tolerances& tolerances,
                                            Range judged = {}, Linear linear = Linear::automatic,
                                            Team* team = nullptr);

}  // namespace cosimo
