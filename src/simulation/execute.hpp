// A run from a scenario to a report: the composition root behind cosimo::run() and cosimo::Simulation.
//
//   Engine engine(scenario, options);
//   engine.advance(0.5);                 // any number of times
//   Report report = engine.finish();
//
// On several ranks everything is collective.
#pragma once

#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "config/scenario.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/result_memory.hpp"
#include "cosimo/rows.hpp"
#include "simulation/assembly.hpp"
#include "simulation/checkpoints.hpp"
#include "simulation/output_folder.hpp"
#include "simulation/recording.hpp"
#include "simulation/session.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo {

class Engine {
 public:
  /// Builds everything and claims the output folder; goes on from a checkpoint where the options say so. The
  /// scenario must outlive it.
  Engine(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks = {},
         RowListener* listener = nullptr);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const LoopResult& advance(double until);
  /// Files are closed and the report is written: nothing can be asked of the engine any more.
  Report finish();
  /// Results are kept there, too; before the first advance(). With one process alone.
  void keep(ResultMemory& memory);

  const Assembly& assembly() const { return *assembly_; }
  double time() const { return loop_->time(); }
  /// The collected coordinates (Assembly::collected) where the run is, on all ranks.
  void state(std::span<double> position, std::span<double> velocity);
  /// Outputs of components (Assembly::outputs) there.
  void outputs(std::span<double> values) const { loop_->outputs(values); }
  /// Another value for a coordinate of the model, or for its rate.
  void set(std::size_t coordinate, bool rate, double value);
  void set_input(std::size_t input, const Polynomial& course);
  Bytes save();
  void restore(const Bytes& bytes);

 private:
  /// What a run goes on from, as rank 0 has found it.
  struct Origin {
    std::optional<CheckpointFile> file;       ///< on rank 0
    std::optional<ResultsPosition> position;  ///< on rank 0
    std::optional<double> time;               ///< on all ranks; empty: from the beginning
  };
  Origin find_origin() const;
  std::uint64_t run_hash() const;
  void make_session();
  void close_results();
  Report tell();

  const config::Scenario& scenario_;
  const RunOptions options_;
  const TestHooks hooks_;
  std::chrono::steady_clock::time_point begin_;
  std::time_t started_ = std::time(nullptr);
  double cpu_begin_;
  std::unique_ptr<Exchange> none_;
  Exchange& exchange_;
  std::filesystem::path written_;  ///< rank 0 alone writes
  std::unique_ptr<const Assembly> assembly_;
  std::optional<Recording> recording_;
  std::optional<OutputFolder> folder_;
  std::optional<Session> session_;
  std::optional<TimeLoop> loop_;
  std::optional<Checkpoints> checkpoints_;
  std::optional<double> resumed_from_;
  LoopResult result_;
  bool unwritable_ = false;  ///< the disk has failed
};

/// What a run wants of its folder.
Claim claim_of(const config::Scenario& scenario, const ResultsLayout& layout, const RunOptions& options);

/// All of it.
Report execute(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks = {},
               RowListener* listener = nullptr);

}  // namespace cosimo
