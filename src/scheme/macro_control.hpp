// What decides the next macro step after every attempt: H, and whatever else the scheme lets itself
// be told (order, layers). The time loop asks; the scheme never decides acceptance.
#pragma once

#include "control/controller.hpp"
#include "scheme/scheme.hpp"

namespace cosimo {

/// An attempted step as its control sees it.
struct StepOutcome {
  double t = 0;        ///< where the next attempt starts
  double H = 0;        ///< size of the step attempted
  double planned = 0;  ///< what the control had asked for; the step may have been shortened
  const Candidate& candidate;
};

class MacroControl {
 public:
  virtual ~MacroControl() = default;
  virtual Decision first() = 0;
  virtual Decision accepted(const StepOutcome& step) = 0;
  virtual Decision rejected(const StepOutcome& step) = 0;
  /// No usable result: a subsystem failed.
  virtual Decision failed(const StepOutcome& step) = 0;
  /// The run goes on from another state at t: what was learned before does not hold any more.
  virtual Decision restart(double t) = 0;
  /// What it remembers, for checkpoints; the same on all ranks.
  virtual void archive(Archive& a) = 0;
};

}  // namespace cosimo
