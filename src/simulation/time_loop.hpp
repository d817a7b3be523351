// The macro time loop: plan a window, let the scheme attempt it, judge, accept or take
// back, tell the observer. This is the only place where a step is accepted. Every rank runs it, with the same
// decisions in the same order.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/macro_time.hpp"
#include "scheme/lanes.hpp"
#include "scheme/macro_control.hpp"
#include "scheme/scheme.hpp"
#include "simulation/assembly.hpp"
#include "simulation/local_reference.hpp"
#include "simulation/observer.hpp"

namespace cosimo {

class Checkpoints;

struct LoopOptions {
  double end = 0;
  bool open_end = false;             ///< advance() may go beyond it
  std::optional<double> output;      ///< step between output times; empty: every macro point
  std::optional<double> fixed_step;  ///< Listing 5.1 with this H
  bool even_steps = false;           ///< which all steps have, the first ones as well
  bool judge = false;                ///< the local error test decides (controlled run)
  bool meet_outputs = false;         ///< controlled steps end at output times that are near
  bool meet_all_outputs = false;     ///< and at all of them
  std::int64_t max_steps = 0;        ///< accepted macro steps; more is a failure
  int rollback_every = 0;            ///< tests: take every n-th step back and repeat it, past the controller
};

struct LoopResult {
  enum class Status { ok, failed, interrupted } status = Status::ok;
  double time = 0;  ///< last accepted point
  std::string reason, culprit;
};

class TimeLoop {
 public:
  TimeLoop(const Assembly& assembly, LaneSet& lanes, Scheme& scheme, MacroControl& control,
           const LoopOptions& options, Observer& observer, LocalReference* local,
           const std::atomic<bool>* interrupt);

  /// States to go on from are written when the observer wishes and when the run is interrupted.
  void use_checkpoints(Checkpoints& checkpoints) { checkpoints_ = &checkpoints; }
  /// From the beginning, or from where a checkpoint has put it, to the end.
  LoopResult run() { return advance(options_.end); }
  /// Another value for a coordinate, or for its rate, at the present instant: the run goes on from there as
  /// from an event. Collective; false when the state of the present instant is lost.
  [[nodiscard]] bool set(std::size_t coordinate, bool rate, double value);
  /// The course of an input from outside, from the present instant on. Collective; false as for set().
  [[nodiscard]] bool set_input(std::size_t input, const Polynomial& course);
  /// Goes on to this instant, which becomes a macro point; where it is the end, the steps are those of run().
  LoopResult advance(double until);
  /// The last accepted state becomes the last row, where nothing else is written after it. Collective.
  void final_output();

  /// What is recorded, as this rank fills it, at the present instant; the lanes must be there.
  void state(std::span<double> q, std::span<double> v) const;
  /// Outputs of components (Assembly::outputs) there.
  void outputs(std::span<double> values) const;
  std::int64_t steps() const { return accepted_; }
  double time() const { return t_; }
  /// Where it is between two steps, for checkpoints.
  void archive(Archive& a);

 private:
  struct Verdict {
    bool interrupt = false, checkpoint = false, stop = false;
  };
  LoopResult march();
  void begin();
  bool interrupted() const;
  Verdict vote();
  Window plan(const Decision& decision) const;
  double next_fixed() const;
  double output_time(std::int64_t k) const;
  void collect_outputs(const Window& window);
  void tell_outputs(double t);
  void record(const Window& window, const Candidate& candidate);
  bool measure_local_error(const Window& window);
  void take_full_state();
  bool repeat_for_test(const Attempt& attempt, Candidate& candidate);
  LoopResult failure(const Candidate& candidate) const;
  LoopResult step_too_small(const Candidate& candidate, double H) const;
  LoopResult stopped(LoopResult::Status status, std::string reason) const;
  std::string name(CouplingId coupling) const;
  std::string complaint(const Candidate& candidate) const;
  std::string approach_event(const Candidate& candidate);
  std::string fire(PartId culprit);
  double uncut_window() const;

  const Assembly& assembly_;
  LaneSet& lanes_;
  Scheme& scheme_;
  MacroControl& control_;
  LoopOptions options_;
  Observer& observer_;
  LocalReference* local_;
  const std::atomic<bool>* interrupt_;
  Checkpoints* checkpoints_ = nullptr;

  Decision decision_;   ///< the next step
  bool begun_ = false;  ///< the start lies behind
  double until_ = 0;    ///< where this advance() ends
  MacroTime time_;  ///< last accepted point; compensated, so that a million equal steps end where they should
  double t_ = 0;    ///< its value
  std::int64_t accepted_ = 0, attempts_ = 0, events_ = 0;
  struct Event {
    double time = 0;
    PartId culprit;
  };
  std::optional<Event> event_;  ///< where the next attempt ends
  int approaches_ = 0;          ///< attempts in a row that ended before an event
  std::int64_t next_output_ = 1;
  double last_output_ = 0;
  std::vector<double> output_times_, row_q_, row_v_, row_outputs_, full_q_, full_v_, full_memory_;
};

}  // namespace cosimo
