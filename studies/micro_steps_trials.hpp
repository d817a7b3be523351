// Runs of the study `micro-steps`: the chain of [K] Table 4.2 with fixed macro steps.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "studies/lab.hpp"

namespace cosimo::studies {

/// How `ida` meets the end of a macro step (4.3), Figure 4.4.
struct StopTrial {
  std::string name;  ///< "limited", "exact", "adjusted"
  Report report;
  TimingHistory timing;
  double error = 0;  ///< NRMSE (5.2) of all positions against a tight uncut run
};

/// One macro step size of Figure 4.6.
struct SweepTrial {
  double H = 0;
  double explicit_steps = 0, implicit_steps = 0;  ///< micro steps of a subsystem
};

/// One macro step size of Figures 4.7 to 4.10.
struct LoadTrial {
  double H = 0;
  Report report;
  TimingHistory timing;
};

struct MicroStepsTrials {
  std::int64_t masses = 0;  ///< of the model of Table 4.2
  double end = 0;
  bool published_length() const { return end >= 1e-3; }

  std::vector<StopTrial> stops;
  double stop_H = 0;
  std::vector<SweepTrial> sweep;                        ///< ascending H
  std::array<LoadTrial, 3> homogeneous, heterogeneous;  ///< H = 1e-6, 5e-7, 1e-7
  std::vector<std::int64_t> contact_bodies;             ///< of the heterogeneous model
};

MicroStepsTrials run_micro_steps(Lab& lab);

/// Mean over subsystems and macro steps from `begin` on; NaN: not recorded.
double micro_steps_from(double begin, const TimingHistory& timing);

}  // namespace cosimo::studies
