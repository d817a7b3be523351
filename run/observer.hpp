// What the time loop tells while it runs. Observers read, they never steer.
#pragma once

#include <span>

#include "record/recorder.hpp"
#include "scheme/scheme.hpp"

namespace cosimo {

class Observer {
 public:
  virtual ~Observer() = default;
  /// Recorded states at one output time.
  virtual void output(double t, std::span<const double> position, std::span<const double> velocity) = 0;
  /// An attempted macro step, accepted or not, and what it cost.
  virtual void step(const StepRow& row, const Scheme& scheme, const AttemptCost& cost) = 0;
  /// The state of an accepted macro point is complete: time reached, planned size and order.
  virtual void macro_point(double t, double H, int kappa) = 0;
};

}  // namespace cosimo
