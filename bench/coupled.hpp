// One run inside this process, told more closely than the public report does: how often subsystems were
// integrated and Jacobians computed. The recorded motion stays in memory. Timed is the time loop alone,
// without setting up and without files.
#pragma once

#include <cstdint>
#include <string>

#include "bench/models.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

struct CoupledRun {
  std::string trouble;  ///< why the end was not reached; empty: it was
  double seconds = 0;
  std::int64_t macro_steps = 0, rejected_steps = 0;  ///< accepted ones, and the others
  std::int64_t iterations = 0, corrector_failures = 0;
  std::int64_t integrations = 0;  ///< of one subsystem over one macro step, all lanes, repeated ones included
  std::int64_t jacobians = 0;
  Trajectory trajectory;  ///< at all output times but the first

  bool finished() const { return trouble.empty(); }
};

/// Gives up at control.max_steps or after about `limit` seconds.
CoupledRun run_coupled(const std::string& text, const Setting& setting, double limit);

/// The setting of an uncut run so accurate that others are compared with it.
Setting tight_uncut(const char* method);

/// NRMSE (5.2), positions and velocities together.
double nrmse_5_2(const Trajectory& a, const Trajectory& reference);

}  // namespace cosimo::bench
