// Where to cut a model, why, how to couple it, and what to expect of the run (docs/cutting-a-model.md,
// docs/planning.md).
//
//   auto scenario = cosimo::Scenario::load("model.yaml");
//   auto plan = cosimo::plan(scenario, {.output_dir = "model.plan", .write = "model-cut.yaml"});
//   std::puts(cosimo::to_text(plan).c_str());
//
// The cuts of a number of parts follow from the model and the scenario's `partition:` alone (fix, forbid,
// add), found by the method `auto`. Everything else is measured: short pilot runs of the proposal as the file
// couples it, of the uncut model, of every other scheme worth trying and of other numbers of parts. What
// their macro steps cost is replayed for 1 to 1000 cores through the formulas of [K] Section 4
// (planning/plan_schedule.hpp, planning/plan_messages.hpp), and their motion is compared with an accurate
// one.
//
// A number of parts that the file gives is kept; left open, the plan chooses it. Scheme, estimator and
// tolerance are chosen in any case; those of the file stay unless others are clearly faster. This is the only
// place where Cosimo measures time to decide something, and it decides by writing a scenario file.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo {

/// What a plan is busy with.
struct PlanProgress {
  std::string doing;  ///< "pilot run: implicit imMD"
  double wall_s = 0, limit_s = 0;
};

struct PlanOptions {
  std::filesystem::path output_dir{};  ///< plan.svg and plan.json; created; empty: nothing is written
  /// New scenario file: the given one with the proposed cuts; empty: none. Never one of the files read.
  std::filesystem::path write{};
  int threads = 1;  ///< of the pilot runs; one by default, so that subsystems are timed undisturbed
  /// Wall time after which a pilot run is stopped. The first two, on which the plan rests, go on until what
  /// they promise has settled: at most four times as long, or for 2 s; the others then take what those
  /// needed, at most 2 s.
  double pilot_s = 2;
  const std::atomic<bool>* interrupt = nullptr;  ///< becomes true: stop the pilot runs
  /// Wall time of all pilot runs together, but for the first two; what then is left is not tried. 0: fifteen
  /// times pilot_s.
  double total_s = 0;
  /// Error (SchemeTrial::error_seen) at which schemes are compared; empty: what the file's settings make.
  std::optional<double> error{};
  std::optional<double> latency{};    ///< of a message between machines, seconds; empty: 3e-6
  std::optional<double> bandwidth{};  ///< between machines, bytes per second; empty: 1e10
  std::function<void(const PlanProgress&)> progress{};  ///< called when another pilot run begins
};

struct PlannedPart {
  std::int64_t bodies = 0;
  double freedoms = 0;
  double steps = 0;           ///< expected micro steps, relative to the bulk of the model
  double expected_share = 0;  ///< of the cost of all parts; they sum to 1
  double measured_share = 0;  ///< of the pilot run's solver time; 0: not measured
  std::int64_t cuts = 0;
};

struct PlannedCut {
  std::int64_t element = 0;  ///< number from 1
  std::string name;
  std::array<std::string, 2> bodies;
  std::array<std::int64_t, 2> parts{};  ///< numbers from 1
  double cost = 0;                      ///< relative to a typical element (partition/cut_cost.hpp)
  std::string reason;
};

/// Of the whole run to `simulate.end`, without writing results.
struct ExpectedTime {
  std::int64_t cores = 0;  ///< 0: unlimited
  double wall_s = 0;
  double speedup = 0;  ///< against the uncut model on one core
};

/// A short run with a clock.
struct PilotTime {
  bool ok = false;     ///< it came somewhere
  std::string reason;  ///< why not
  double reached = 0;  ///< simulated time
  double wall_s = 0;
  std::int64_t macro_steps = 0, rejected_steps = 0;
  double per_simulated_s = 0;  ///< wall seconds per unit of simulated time on one core, after the start phase
};

/// A number that is not certain: low <= value <= high.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

/// Where the wall time of a whole run goes ([K] Section 4.4), seconds.
struct ExpectedShare {
  double solve = 0, idle = 0;  ///< (4.5)
  double snapshot = 0;         ///< O_dump of (4.1)
  double interface = 0;        ///< O_cosim; the time loop included
  double messages = 0;         ///< O_mpi: between ranks, or handing work to threads
};

/// The whole run to `simulate.end` on so many cores, without writing results.
struct Prediction {
  std::int64_t cores = 1;
  std::int64_t ranks = 1,
               threads = 1;  ///< per rank: on more cores than this machine has, ranks of one thread
  Estimate wall_s;
  double speedup = 1;  ///< against the uncut model on one core
  ExpectedShare time;
  double memory_mb = 0;  ///< of the rank that needs most
};

/// One way to run the model, tried for a short time.
struct SchemeTrial {
  std::string name;      ///< "explicit exCV", "overlap exOV", "uncut"
  bool of_file = false;  ///< the settings of the file, unchanged
  std::int64_t parts = 1;
  std::vector<std::string> settings;  ///< as for --set; none: the file's
  std::string estimator;              ///< "none": uncut or a fixed step
  double rtol = 0;                    ///< control.rtol; 0: none
  bool ok = false;
  std::string reason;  ///< why it was tried; not ok: why it failed
  PilotTime pilot;
  double passes = 1;                    ///< integrations of a macro step, 1 + n_cor of (4.3)
  double error_seen = -1;               ///< of the motion up to CutPlan::error_until; negative: not known
  double error_order = 0;               ///< error ~ rtol^order, between two tolerances; 0: not known
  Estimate error;                       ///< of the whole run; all zero: not known
  std::vector<Prediction> predictions;  ///< 1, 2, 4, ..., 1000 cores
};

struct LeftOut {
  std::string name, reason;
};

/// Measured here, or said about the network.
struct MessageCosts {
  double latency = 0, bandwidth = 0;            ///< used between ranks: seconds, bytes per second
  double latency_here = 0, bandwidth_here = 0;  ///< measured between two threads: nothing can be faster
  double hand_over = 0;                         ///< of a batch of work to the threads of the pool, seconds
  double slowdown = 1;                          ///< of one core's work while all cores of this machine work
};

/// How far the predictions can be trusted.
struct Confidence {
  std::string level = "none";  ///< good | fair | guess | none
  double coverage = 0;         ///< share of the run that the pilot saw
  double spread = 0;           ///< between repeated pilot runs, relative
  double drift = 0;            ///< of the cost per simulated time, last third against first, relative
  bool edges_beyond = false;   ///< loads set in or let go after the pilot's end
  std::string text;            ///< one sentence
};

struct Recommendation {
  std::string scheme;  ///< SchemeTrial::name
  std::int64_t parts = 1;
  std::string estimator;
  double rtol = 0;
  std::vector<std::string> settings;  ///< as for --set, that make it of the file; with partition
  std::string reason;
};

struct CutPlan {
  enum class Status { ok, failed, interrupted } status = Status::ok;  ///< of the pilot runs

  std::string model;   ///< in a line
  std::string scheme;  ///< of the pilot run: "explicit, overlap"; "none": it was run uncut
  std::vector<PlannedPart> parts;
  std::vector<PlannedCut> cuts;
  PilotTime pilot, uncut;
  double uncut_wall_s = 0;          ///< expected for the whole run
  std::vector<ExpectedTime> times;  ///< 1, 2, 4, ... cores, then unlimited; empty: not measured
  std::int64_t machine_cores = 0;
  bool worth_cutting = false;
  std::string recommendation;        ///< one sentence
  std::vector<std::string> remarks;  ///< choices of `auto`, failed pilot runs, what to look at
  std::string scenario;              ///< text of the new scenario file: what `recommended` says

  std::vector<SchemeTrial> schemes;      ///< the proposal as the file couples it, the uncut model, others
  std::vector<SchemeTrial> part_counts;  ///< other numbers of parts, with the recommended scheme
  std::vector<LeftOut> left_out;
  double error_target = 0;  ///< at which schemes are compared; 0: none could be measured
  double error_until = 0;   ///< simulated time over which motions were compared
  MessageCosts messages;
  Recommendation recommended;
  Confidence confidence;
  double pilots_wall_s = 0, pilots_limit_s = 0;
};

/// Throws Error when the scenario, or what it says about cuts, is wrong.
CutPlan plan(const Scenario& scenario, const PlanOptions& options = {});

/// For people: parts, cuts with their reasons, times, the recommendation. Long lists are shortened.
std::string to_text(const CutPlan& plan);
std::string to_json(const CutPlan& plan);

}  // namespace cosimo
