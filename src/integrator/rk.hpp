// Explicit Runge-Kutta for q' = v, v' = a(t, q, v): Dormand-Prince 5(4), and Merson 4(3) for motion that
// swings.
//
// All stages run as one wave over the degrees of freedom. An acceleration depends on
// neighbours within the system's reach r only, so stage s may follow stage s-1 at a distance of
// 2 r: a window of a few hundred degrees of freedom goes through all stages while it is in the
// first-level cache, and every array passes through memory once per step. The states of all stages
// share the arrays of the new state: behind the last stage's front stands the result. Systems
// whose reach is long are done stage by stage. With a team (parallel/team.hpp) every member takes its own
// degrees of freedom through the stages. All ways give the same bits.
#pragma once

#include <memory>

#include "integrator/stepper.hpp"

namespace cosimo {

/// `judged` as in IntegratorOptions. Systems with first-order states or memory get those of make_whole_*().
/// With a team its members share the step of a system that allows it.
std::unique_ptr<Stepper> make_rk_stepper(const System& system, const Tolerances& tolerances,
                                         Range judged = {}, Team* team = nullptr);
std::unique_ptr<Stepper> make_merson_stepper(const System& system, const Tolerances& tolerances,
                                             Range judged = {}, Team* team = nullptr);
std::unique_ptr<Stepper> make_whole_rk_stepper(const System& system, const Tolerances& tolerances,
                                               Range judged = {});
std::unique_ptr<Stepper> make_whole_merson_stepper(const System& system, const Tolerances& tolerances,
                                                   Range judged = {});

}  // namespace cosimo
