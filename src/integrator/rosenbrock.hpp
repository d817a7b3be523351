// Rosenbrock-Wanner method RODAS 4(3) for M v' = f(t, q, v), q' = v: one matrix and six linear
// solves per step, no iteration, L-stable. With g = h gamma, the positions eliminated, stage s is
//
//   (M + g C + g^2 K) W_s = g M (a(t + c_s h, Q_s, V_s) + sum_j C_sj/h W_j + d_s h a_t) - g^2 K r_s
//
// (rodas.hpp for Q_s, V_s and r_s). The matrix is exact and belongs to the start of the step.
#pragma once

#include <memory>

#include "integrator/stepper.hpp"

namespace cosimo {

/// `judged` as in IntegratorOptions. Systems with first-order states or memory get
/// make_whole_rosenbrock_stepper(), which has one linear solver. With a team its members share all but the
/// elimination and the solutions.
std::unique_ptr<Stepper> make_rosenbrock_stepper(const System& system, const Tolerances& tolerances,
                                                 Linear linear, Range judged = {}, Team* team = nullptr);
std::unique_ptr<Stepper> make_whole_rosenbrock_stepper(const System& system, const Tolerances& tolerances,
                                                       Range judged = {});

/// The solver for (M + g C + g^2 K) that an option asks for.
std::unique_ptr<SecondOrderSolver> make_linear_solver(const TangentPattern& pattern, Linear linear);

}  // namespace cosimo
