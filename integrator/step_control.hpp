// Micro-step sizes of the one-step methods.
//
//   plan = plan_step(t, h, t_stop)       Listing 4.1: stretch or halve to meet the end
//   memory.accepted(...) / rejected(...) proportional-integral control of the error
//                                        (Gustafsson; Hairer, Norsett, Wanner I, Section IV.2)
//   initial_step(...)                    first step (the same, Section II.4)
//
// A step that was shortened only to meet an end must not spoil the step size the error allows.
#pragma once

#include "integrator/integrator.hpp"
#include "integrator/state.hpp"

namespace cosimo {

struct StepPlan {
  double h = 0;
  bool lands = false;  ///< the step ends at t_stop exactly
};

/// t < t_stop. The plan's h is t_stop - t when it lands.
StepPlan plan_step(double t, double h, double t_stop);

/// What the controller remembers; plain data, part of every snapshot.
struct StepMemory {
  double h = 0;  ///< wanted next; 0: not known yet
  double previous_error = 1e-4;
  bool after_rejection = false;

  /// A step of size `taken` with this error (<= 1) was accepted.
  void accepted(double taken, double error, int error_order);
  /// It was not; an infinite error means that there was no result at all.
  void rejected(double taken, double error, int error_order);
};

/// No step may be smaller at time t.
double minimum_step(double t);

/// A first step size such that an explicit Euler step and the change of the derivative over it are
/// small against the tolerances. One or a few evaluations within `limit` ahead, in `scratch`.
double initial_step(const System& system, const Point& from, const Tolerances& tolerances, int error_order,
                    double limit, State& scratch, Counters& counters);

}  // namespace cosimo
