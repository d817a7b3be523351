// How a run ended: a plain value, printed briefly, fully, or as JSON (summary.json).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cosimo {

/// Where the wall time went (Section 4.4), seconds on the critical path: of the rank that solved longest.
struct TimeShare {
  double solve = 0;      ///< (4.5) T_solv, per thread: the busiest thread's total
  double idle = 0;       ///< (4.5) T_idle, per thread: waiting for the slowest in each step
  double snapshot = 0;   ///< save and restore of solver memory
  double interface = 0;  ///< prediction, coupling, estimation, control
  double transport = 0;  ///< hand-over between threads, messages between ranks and waiting for them
  double output = 0;     ///< recording
};

struct SubsystemReport {
  std::int64_t bodies = 0;
  std::string method;            ///< in use at the end
  std::int64_t micro_steps = 0;  ///< accepted and kept
  std::int64_t rejected_micro_steps = 0;
  std::int64_t evaluations = 0;
  std::int64_t factorizations = 0;
  std::int64_t method_switches = 0;
  std::int64_t stiff_steps = 0;
  std::int64_t merson_steps = 0;
  double seconds = 0;     ///< measured in the solver
  double idle = 0;        ///< (4.5): what the slowest subsystem of each step needed longer
  std::int64_t rank = 0;  ///< that runs it
};

/// A section of the macro step (core/section.hpp): what all threads go through, each with its own share.
struct SectionReport {
  std::string name, meaning;
  std::vector<double> work, waiting;  ///< seconds of every thread, rank after rank
};

/// What one rank spent its time with.
struct RankReport {
  std::string host;
  std::int64_t threads = 1, subsystems = 0;
  double memory_mb = 0;  ///< at most
  TimeShare time;
  std::vector<SectionReport> sections;  ///< of its threads
};

struct Report {
  std::string status = "ok";  ///< ok | failed | interrupted
  struct Outcome {
    std::string reason;
    double time = 0;      ///< reached
    std::string culprit;  ///< subsystem or coupling to blame
  } outcome;
  double wall_s = 0, cpu_s = 0, t_end = 0;  ///< wall and cpu time of this process; resumed runs: since then
  bool resumable = false;                   ///< an interrupted run left a checkpoint
  std::string command;                      ///< that made it, without places of this machine; or nothing
  std::string started;                      ///< "2026-01-31 09:30 UTC"
  std::optional<double> resumed_from;       ///< simulated time of the checkpoint that the run went on from
  std::int64_t macro_steps = 0;             ///< accepted
  std::int64_t rejected_steps = 0;
  std::int64_t corrector_iterations = 0, corrector_failures = 0;
  std::int64_t micro_steps_total = 0, micro_steps_max = 0;
  double mean_H = 0;
  std::map<int, double> order_share;  ///< kappa -> share of simulated time
  std::string scheme, decomposition, estimator;
  std::string
      details;  ///< of the coupling, in words: sequence, update, predictor, Jacobian; empty: the plainest
  std::vector<std::string> choices;  ///< what `auto` decided, in words
  std::vector<std::string> advice;   ///< to a run that struggled: what held it back, and keys to try
  /// Of lengths, and of angles where the model has any.
  struct Sizes {
    double position = 0, velocity = 0, angle = 0, angular_velocity = 0;
  };
  /// Absolute tolerances at the end of the run, given or found by `auto`, and the largest displacements and
  /// velocities that they follow.
  struct Tolerances {
    Sizes solve, control, motion;
  } tolerances;
  /// Of numbers in results by quantity: "length", "force", "velocity", ...; empty: nobody said.
  std::vector<std::pair<std::string, std::string>> units;
  /// Of a column of results over the output times: extremes and root mean square.
  struct Measure {
    std::string set;     ///< "position", "velocity", or the name of a table
    std::string column;  ///< as in results.h5
    double least = 0, greatest = 0, rms = 0;
  };
  std::vector<Measure> measures;  ///< of sets with few named columns; none after a resumed run
  int layers = 0;                 ///< most layers of copies behind any cut; 0 without overlap
  /// The cut or signal that decided most: whose error had most steps rejected, or was largest.
  struct Blame {
    std::int64_t element = 0;         ///< 0: a signal, or nothing is coupled
    std::int64_t bodies[2] = {0, 0};  ///< that it joins; 0: none
    std::string name;                 ///< "element 7 between bodies 6 and 7", or "pid.out -> cart.force"
    std::int64_t rejected_steps = 0;  ///< in which it had the largest error
    double largest_error = 0;         ///< in accepted steps, in units of the tolerance
  } blame;
  double speedup_bound = 1;  ///< counted solver work over the critical path
  TimeShare time;
  std::vector<SubsystemReport> subsystems;
  std::vector<RankReport> rank_reports;
  std::vector<SectionReport> sections;
  struct LocalError {
    double position = 0, velocity = 0;  ///< NRMSE (5.2) of the coupling bodies against local references
  };
  /// How far an initial state was moved to fit the joints: the body that was shifted most.
  struct Shift {
    std::string quantity;  ///< position | orientation | velocity | angular_velocity
    std::string body;
    double amount = 0;
  };
  std::vector<Shift> assembly;            ///< empty: it fitted, up to rounding
  std::optional<LocalError> local_error;  ///< with `simulate: {local_error: true}`
  std::int64_t parts = 1, threads = 1, ranks = 1;
  std::int64_t bodies = 0;
  std::string version;
  std::string output_dir;
};

std::string to_json(const Report& report);   ///< the text of summary.json
std::string to_table(const Report& report);  ///< for people

}  // namespace cosimo
