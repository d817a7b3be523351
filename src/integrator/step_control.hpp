// Micro-step sizes of the one-step methods.
//
//   plan = plan_step(t, h, t_stop)       Listing 4.1: stretch or halve to meet the end
//   memory.accepted(...) / rejected(...) proportional-integral control of the error
//                                        (Gustafsson; Hairer, Norsett, Wanner I, Section IV.2),
//                                        or predictive (the same, II, Section IV.8)
//   initial_step(...)                    first step (the same, Section II.4)
//
// A step that was shortened only to meet an end must not spoil the step size the error allows.
#pragma once

#include <limits>

#include "integrator/integrator.hpp"
#include "integrator/state.hpp"

namespace cosimo {

class Team;

struct StepPlan {
  double h = 0;
  double end = 0;  ///< t + h; t_stop exactly when the step leads there
};

/// t < t_stop. The step is never stretched beyond `longest`.
StepPlan plan_step(double t, double h, double t_stop,
                   double longest = std::numeric_limits<double>::infinity());

/// How the next step size follows from the errors of the last two steps.
enum class Control {
  smoothing,  ///< proportional-integral: for explicit methods, whose errors swing near the stability limit
  predictive  ///< goes on with the trend of error and step size: for implicit methods
};

/// What the controller remembers; plain data, part of every snapshot.
struct StepMemory {
  double h = 0;  ///< wanted next; 0: not known yet
  double previous_error = 1e-4;
  double previous_step = 0;  ///< that had it; 0: none
  bool after_rejection = false;
  /// Equal steps of this size would have about the error that the control settles at; averaged over the
  /// last steps. 0: not known yet.
  double steady = 0;

  /// Size of equal steps that suit the error, after a step of size `taken`. Errors near the limit of
  /// stability grow faster than the order of the method says, so it goes up in small steps once it is about
  /// right.
  double equal_steps(double taken) const;

  /// A step of size `taken` with this error (<= 1) was accepted. Taken below `evidence` times h, it was
  /// shortened to meet an end, and does not argue for a smaller h.
  void accepted(double taken, double error, int error_order, double evidence = 1,
                Control control = Control::smoothing);
  /// It was not; an infinite error means that there was no result at all.
  void rejected(double taken, double error, int error_order);
  /// Its error was good, but it must not be longer than this.
  void shortened(double longest);

  void archive(Archive& a) { a(h, previous_error, previous_step, after_rejection, steady); }

 private:
  double growth(double taken, double error, int error_order, Control control) const;
};

/// The step at which the control would settle, when a step of size h has this error; 0 when it has none.
double suitable_step(double h, double error, int error_order);

/// No step may be smaller at time t on the way to t_end: a smaller one would not move the clock, or would
/// have to be repeated without end.
double minimum_step(double t, double t_end);

/// A first step size such that an explicit Euler step and the change of the derivative over it are
/// small against the tolerances, in the norm over the degrees of freedom `judged`. One or a few
/// evaluations within `limit` ahead, in `scratch`. `team`: as in Circles::bound().
double initial_step(const System& system, const Point& from, const Tolerances& tolerances, Range judged,
                    int error_order, double limit, State& scratch, Counters& counters, Team* team = nullptr);

}  // namespace cosimo
