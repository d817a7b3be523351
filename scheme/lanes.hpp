// The lanes of all subsystems, as one parallel batch: save once per macro point, run
// actual and comparison lanes as independent tasks, collect outputs and samples.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coupling/force_laws.hpp"
#include "parallel/pool.hpp"
#include "scheme/scheme.hpp"
#include "subsystem/subsystem.hpp"

namespace cosimo {

/// Which coordinates of a subsystem are recorded, and in which columns of the output.
struct Recorded {
  std::vector<std::int32_t> dofs;
  std::vector<std::size_t> columns;
};

class LaneSet {
 public:
  /// `comparison`: every subsystem with ports gets a second lane. `repeatable`: steps may be
  /// taken back, so solver memory is saved at every macro point.
  LaneSet(std::span<const std::unique_ptr<Subsystem>> subsystems, std::span<const Recorded> recorded,
          Pool& pool, bool comparison, bool repeatable);

  /// Subsystems advance in stages, one after the other, those of a stage in parallel: `stage` holds the
  /// number of each, from 0. Without comparison lanes only.
  void advance_in_stages(std::span<const int> stage);

  /// Advance all lanes over the window. `actual` and `compare` hold one polynomial per coupling
  /// variable; an empty `compare` leaves the comparison lanes out.
  void advance(const Window& window, std::span<const Polynomial> actual, std::span<const Polynomial> compare,
               std::span<const double> output_times);

  /// First subsystem (in order) whose lane did not reach the end; -1: none. `result` is its story.
  PartId failed(StepResult& result) const;
  /// States of the coupling bodies at the end: of the actual or of the comparison lanes.
  void gather(bool comparison, CutStates& y) const;

  void commit();   ///< keep the step just done
  void discard();  ///< go back to the last commit

  /// Recorded states of the last advance(): row `k` of the output times.
  void sample(std::size_t k, std::span<double> position, std::span<double> velocity) const;
  /// Puts the lanes back to the last commit now, after a discard(); false if that is not possible.
  bool rewind();
  /// The recorded coordinates at the point where the lanes stand.
  void recorded_state(std::span<double> position, std::span<double> velocity) const;
  /// All owned states at the last committed point, in body order.
  void state(std::span<double> q, std::span<double> v) const;

  std::size_t size() const { return slots_.size(); }
  const Lane& lane(std::size_t i) const { return *slots_[i].actual; }
  Lane& lane(std::size_t i) { return *slots_[i].actual; }
  std::span<const double> solve_seconds() const { return solve_seconds_; }
  /// Work of the last advance() per subsystem, counted (evaluations times bodies), not measured.
  std::span<const double> work() const { return work_; }
  std::span<const double> thread_seconds() const { return thread_seconds_; }
  double snapshot_seconds() const { return snapshot_seconds_; }
  double transport_seconds() const { return transport_seconds_; }

 private:
  /// What goes into a lane's step and comes out of it; written by the task that runs it.
  struct Side {
    explicit Side(std::size_t ports = 0) : inputs(ports), outputs(ports) {}
    std::vector<Polynomial> inputs;
    std::vector<PortState> outputs;
    StepResult result;
  };
  struct Slot {
    const Subsystem* subsystem = nullptr;
    const Recorded* recorded = nullptr;
    std::unique_ptr<Lane> actual, compare;
    std::unique_ptr<Snapshot> memory;
    Side actual_side, compare_side;
    std::vector<double> sample_q, sample_v;
    double kept_work = 0, reached_work = 0;  ///< counted since the start: at the last commit, and now
  };
  void save_all();
  void run_task(std::size_t i);
  void run_stages();

  std::vector<Slot> slots_;
  std::vector<std::size_t> compared_;             ///< slots that have a comparison lane
  std::vector<std::size_t> copied_;               ///< slots whose memory is worth a task to save
  std::vector<std::vector<std::size_t>> stages_;  ///< empty: all at once
  Pool& pool_;
  bool repeatable_;
  bool comparing_ = false;
  bool go_back_ = false;  ///< actual lanes must restore before the next advance
  Window window_;
  std::span<const double> output_times_;
  std::span<const Polynomial> actual_, compare_;  ///< of the advance() under way
  std::vector<double> solve_seconds_, thread_seconds_, work_, stage_seconds_;
  double snapshot_seconds_ = 0, transport_seconds_ = 0;
};

/// Whether a lane did not reach the end of the step; the candidate then tells which, where and why.
bool blame_failed_lane(const LaneSet& lanes, Candidate& candidate);

}  // namespace cosimo
