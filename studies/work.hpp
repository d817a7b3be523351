// The work of a run, counted and measured, in the terms of [K] Section 4.
//
// Counted work is evaluations of the force of one body: the same in every repetition, on every machine. With
// a core per subsystem a run takes the time of its critical path, the sum over the macro steps of the busiest
// subsystem's work; what the critical path is longer than the busiest subsystem is idle (4.5):
//
//   W_L = evaluations of subsystem L x its bodies,   bound = sum W_L / critical path (Report::speedup_bound),
//   idle share = 1 - max W_L / critical path.
//
// The bound also counts linear algebra, in the currency of evaluations; both follow the micro steps closely.
#pragma once

#include "cosimo/report.hpp"

namespace cosimo::studies {

double counted_work(const Report& report);     ///< of all subsystems
double busiest_work(const Report& report);     ///< max W_L
double critical_work(const Report& report);    ///< with a core per subsystem
double idle_share(const Report& report);       ///< counted, of the critical path
double mean_micro_step(const Report& report);  ///< simulated time over kept micro steps of a subsystem
double micro_steps_per_macro_step(const Report& report);

/// Measured by a clock, as (4.5): with a core per subsystem.
struct SolverSeconds {
  double solve = 0;  ///< the busiest subsystem's
  double idle = 0;
};
SolverSeconds solver_seconds(const Report& report);

}  // namespace cosimo::studies
