// Runs of the study `subsystems`: the chain of [K] 5.6 in several sizes, with and without contacts, uncut and
// divided, the macro step controlled (exCV) or fixed (ex2H).
#pragma once

#include <string>
#include <vector>

#include "studies/lab.hpp"

namespace cosimo::studies {

/// How far this scale goes.
struct SubsystemsPlan {
  explicit SubsystemsPlan(double scale);
  bool settles() const { return end > 2e-3; }  ///< the start from rest has died away by then

  std::vector<std::int64_t> sizes;               ///< n_K, ascending
  std::vector<std::vector<std::int64_t>> parts;  ///< n_s for each size, ascending
  double end = 0;                                ///< simulated time
};

/// One division of one model.
struct DividedTrial {
  std::int64_t parts = 1;
  Report controlled;  ///< exCV, rtol 1e-4, atol_u 1
  Report fixed;       ///< H = 1e-6, kappa = 2
  StepHistory steps;  ///< of the controlled run
  /// In the second half of the simulated time, when the start has died away: mean over the subsystems.
  double late_micro_step_controlled = 0, late_micro_step_fixed = 0;
};

/// One model: a size, with or without contacts.
struct SizedTrials {
  std::int64_t masses = 0;
  bool contacts = false;
  Report uncut;
  std::vector<DividedTrial> divided;
  const DividedTrial& finest() const { return divided.back(); }
};

struct SubsystemsTrials {
  SubsystemsPlan plan;
  std::vector<SizedTrials> plain, contacts;  ///< as plan.sizes
  Report tight;  ///< the largest plain model in its fewest parts, exCV with a hundredth of the tolerance
};

SubsystemsTrials run_subsystems(Lab& lab);

}  // namespace cosimo::studies
