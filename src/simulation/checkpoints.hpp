// States of a run on disk, to go on from (results/checkpoint.hpp holds the file).
//
//   Checkpoints checkpoints(parts_of_the_run, folder, scenario_hash(scenario));
//   checkpoints.write(loop);                      between two macro steps
//   checkpoints.read(loop);                       on the other side, before the first step
//
// A file holds the blobs `output` (how far the results are), `run` (time loop, control, counters, what
// the scheme knows of the whole), `couplings` (what it knows of each), and one per subsystem (`part 1`: lane,
// solver memory, copies). None of them depends on how many ranks or threads wrote it. Rank 0 writes; it gets
// and hands out subsystem after subsystem, so that no rank holds more than a few of them besides its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/scenario.hpp"
#include "results/checkpoint.hpp"
#include "results/recorder.hpp"
#include "scheme/lanes.hpp"
#include "scheme/macro_control.hpp"
#include "scheme/scheme.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {

class Recording;
class TimeLoop;

/// Of everything that decides what a run computes: all sections of the scenario but `run`.
std::uint64_t scenario_hash(const config::Scenario& scenario);

/// How far the results were when the checkpoint was written.
ResultsPosition results_position(const CheckpointFile& file);

class Checkpoints {
 public:
  struct Run {
    const Assembly& assembly;
    LaneSet& lanes;
    Scheme& scheme;
    MacroControl& control;
    Recording& recording;
  };
  /// `folder` is that of rank 0, empty elsewhere.
  Checkpoints(const Run& run, std::filesystem::path folder, std::uint64_t scenario)
      : run_(run), folder_(std::move(folder)), scenario_(scenario) {}

  /// Collective. A disk that is full is the recording's failure from then on (Recording::failure()); in a run
  /// of its own an IoError. What was there before stays.
  void write(TimeLoop& loop);
  /// Collective; `file` on rank 0.
  void read(const CheckpointFile* file, TimeLoop& loop);

  /// The same without a file; on rank 0, empty elsewhere. Collective.
  Bytes save(TimeLoop& loop);
  void load(const Bytes& bytes, TimeLoop& loop);
  /// Throws Error where they are not a state of this scenario. On rank 0.
  void require(const Bytes& bytes) const;

 private:
  using Add = std::function<void(std::string_view name, const Bytes& bytes)>;
  using Blobs = std::vector<std::pair<std::string, Bytes>>;
  Blobs blobs_of(const Bytes& bytes) const;
  using Blob = std::function<Bytes(std::string_view name)>;
  void add_all(TimeLoop& loop, const Add& add);
  void take_all(TimeLoop& loop, const Blob& blob);
  Bytes run_bytes(TimeLoop& loop);
  Bytes all_couplings();
  Bytes part_bytes(std::size_t part);
  void load_couplings(const Bytes& bytes);

  Run run_;
  std::filesystem::path folder_;
  std::uint64_t scenario_;
};

}  // namespace cosimo
