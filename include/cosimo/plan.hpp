// Where to cut a model, why, and what it gains (docs/cutting.md).
//
//   auto scenario = cosimo::Scenario::load("model.yaml");
//   auto plan = cosimo::plan(scenario, {.output_dir = "model.plan", .write = "model-cut.yaml"});
//   std::puts(cosimo::to_text(plan).c_str());
//
// The cuts follow from the model and the scenario's `partition:` alone (parts, fix, forbid, add), found by
// the method `auto`. Two short pilot runs, of the proposal and of the uncut model, are timed; everything
// measured is an expectation about time and never changes what is proposed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo {

struct PlanOptions {
  std::filesystem::path output_dir{};  ///< plan.svg and plan.json; created; empty: nothing is written
  /// New scenario file: the given one with the proposed cuts; empty: none. Never one of the files read.
  std::filesystem::path write{};
  int threads = 1;     ///< of the pilot runs; one by default, so that subsystems are timed undisturbed
  double pilot_s = 2;  ///< wall time after which a pilot run is stopped
  const std::atomic<bool>* interrupt = nullptr;  ///< becomes true: stop the pilot runs
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
  std::string scenario;              ///< text of the new scenario file
};

/// Throws Error when the scenario, or what it says about cuts, is wrong.
CutPlan plan(const Scenario& scenario, const PlanOptions& options = {});

/// For people: parts, cuts with their reasons, times, the recommendation. Long lists are shortened.
std::string to_text(const CutPlan& plan);
std::string to_json(const CutPlan& plan);

}  // namespace cosimo
