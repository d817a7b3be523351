// What the time loop tells while it runs. Observers read, they never steer: what they ask for (to have
// everything on disk now) is granted between two steps, on all ranks alike.
#pragma once

#include <span>

#include "results/recorder.hpp"
#include "scheme/scheme.hpp"

namespace cosimo {

class Observer {
 public:
  virtual ~Observer() = default;
  /// Recorded states at one output time.
  virtual void output(double t, std::span<const double> position, std::span<const double> velocity) = 0;
  /// And the outputs of components (Assembly::outputs) at that time, where there are any.
  virtual void outputs(std::span<const double> /*values*/) {}
  /// An attempted macro step, accepted or not, and what it cost.
  virtual void step(const StepRow& row, const Scheme& scheme, const AttemptCost& cost) = 0;
  /// The state of an accepted macro point is complete: time reached, planned size and order.
  virtual void macro_point(double t, double H, int kappa) = 0;

  /// What the observer of one rank would like to be done on all.
  struct Wishes {
    bool flush = false;       ///< everything told so far on disk
    bool checkpoint = false;  ///< a state to go on from
    bool stop = false;        ///< nothing can be recorded any more
  };
  virtual Wishes wishes() { return {}; }
  virtual void flush() {}  ///< collective
};

}  // namespace cosimo
