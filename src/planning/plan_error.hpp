// How wrong the motion of a run is, seen over a short stretch.
//
//   ShortMotion exact = short_motion(tight(uncut), {.end = t, ...});
//   ShortMotion cut = short_motion(scenario, {.end = t, ...});
//   MotionError e = motion_error(cut, exact);
//
// Measured as (5.1) of [K], over all recorded coordinates at once,
//
//   error = sqrt( sum_ij (ref_ij - z_ij)^2 / sum_ij (ref_ij - mean_j)^2 ),
//
// for positions and for velocities; the larger counts. (Per coordinate, as `cosimo compare` does it, a body
// that hardly moves in a short stretch would decide.)
#pragma once

#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "partition/part.hpp"

namespace cosimo {

struct ShortRun {
  double end = 0;
  double wall_s = 1;  ///< after which the run is stopped
  const std::atomic<bool>* interrupt = nullptr;
};

/// At equal steps of time from the start.
struct ShortMotion {
  std::vector<double> time, position, velocity;  ///< row-major
  std::size_t columns = 0;
  std::string trouble;  ///< why it did not come to the end; empty: it did, or its time was up
};

/// Throws Error when the scenario does not fit its model.
ShortMotion short_motion(const config::Scenario& scenario, const ShortRun& options);

struct MotionError {
  double error = -1;  ///< negative: not known, because nothing moved or nothing can be compared
  double growth = 0;  ///< error ~ t^growth, from the two halves of the stretch; within 0..1
  double until = 0;   ///< last time that both have
};
MotionError motion_error(const ShortMotion& motion, const ShortMotion& exact);

/// The same scenario with solver tolerances a hundred times tighter, down to what doubles allow.
config::Scenario tight(const config::Scenario& scenario);

/// Some bodies beside the cuts and some spread over the model, as `simulate.record=[...]`: the motions of
/// runs that are cut differently can be compared, and large models stay small.
std::string record_setting(const Interface& interface, std::size_t bodies);

}  // namespace cosimo
