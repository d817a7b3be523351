// A pilot run: the beginning of a scenario, timed step by step and stopped in time.
//
//   Pilot cut = run_pilot(scenario, {.wall_s = 2});
//   Pilot uncut = run_pilot(without_cuts, {.wall_s = 2, .end = cut.reached});
//   Stretch s = steady_stretch(cut, std::min(cut.reached, uncut.reached));
//   PilotTimes(cut, {.cores = 4}).expected(s, end)      // seconds for the whole run on four cores
//
// It ends at `end`, at a macro point after `wall_s`, or, when one step takes longer than that again, inside
// it. Where what it promises of the whole run still changes after `wall_s` (planning/plan_settling.hpp) it
// goes on, at most for `longest_s`. A run that is over long before is repeated: it does the same to the last
// bit, so that of every piece the shortest time counts, the one in which nothing else disturbed the machine.
// Recording results is left out.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "cosimo/plan.hpp"
#include "planning/plan_schedule.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo {

struct PilotOptions {
  double wall_s = 2;
  double longest_s = 0;  ///< until the promise has settled; less than `wall_s`: it is taken as it is
  double end = 0;        ///< simulated time to stop at; 0: the scenario's
  int threads = 1;
  const std::atomic<bool>* interrupt = nullptr;
  int repetitions = 5;                                       ///< at most, of a short run
  double limit_s = std::numeric_limits<double>::infinity();  ///< of everything, building the model included
};

/// What the attempted macro steps of a run cost, in seconds.
struct PilotCosts {
  struct Step {
    double t = 0, H = 0;
    bool accepted = false;
    double beside = 0, serial = 0, hand_over = 0;  ///< as in StepCost (plan_schedule.hpp)
    double snapshot = 0;
    double rest = 0;    ///< of the time loop: control, sampling; done by one thread
    double passes = 1;  ///< integrations of the window
  };
  std::vector<Step> steps;
  std::vector<double> solve;  ///< [step * subsystems + subsystem]
  std::vector<double> work;   ///< likewise, counted; 0: not known

  /// The shorter time of every piece. `other` is the same run again, perhaps not as far.
  void take_shorter(const PilotCosts& other, std::size_t subsystems);
  /// Pieces that take far longer than their counted work should, take what it should.
  void follow_work(std::size_t subsystems);
  void stretch(double factor);  ///< all but handing over
};

struct Pilot {
  LoopResult::Status status = LoopResult::Status::ok;  ///< a run that was stopped in time is ok
  std::string reason;                                  ///< why it failed
  double reached = 0;                                  ///< last macro point
  double wall_s = 0;                                   ///< of all repetitions
  bool settled = true;                                 ///< more time would not promise much else
  std::size_t subsystems = 1;
  std::size_t couplings = 0;              ///< 0: it was run uncut
  std::size_t variables = 0;              ///< of the couplings
  std::vector<int> stages;                ///< Gauss-Seidel: of every subsystem
  std::string scheme;                     ///< "explicit, overlap"; "none"
  std::string label;                      ///< the same shorter: "overlap exOV"
  Estimator estimator = Estimator::none;  ///< none: uncut, or a fixed step
  double rtol = 0;                        ///< of the macro step; 0 without error control
  bool overlap = false, newton = false;
  double layers = 0;                 ///< of copies, in the last step
  double next_edge = 0;              ///< first instant after `reached` at which a load sets in or lets go
  double held_bytes = 0;             ///< at most: model, subsystems, lanes, snapshots
  std::size_t members = 1;           ///< of the team that shared its steps, uncut
  double shared = 0;                 ///< uncut: share of its time that a team divides among its members
  std::vector<double> repetitions;   ///< wall seconds of every repetition that came as far as the first
  std::vector<std::string> choices;  ///< what `auto` decided
  PilotCosts costs;

  bool measured() const { return status == LoopResult::Status::ok && reached > 0; }
  double mean_passes() const;
};

/// Throws Error when the scenario does not fit its model.
Pilot run_pilot(const config::Scenario& scenario, const PilotOptions& options);

/// From one macro point to another.
struct Stretch {
  double begin = 0, end = 0;
};

/// Up to `until`, without the first quarter of it: the start phase of a coupling takes many tiny steps. All
/// up to `until` when too few steps are left, all there is when even those are few.
Stretch steady_stretch(const Pilot& pilot, double until);

/// What a pilot run is replayed on.
struct Platform {
  std::size_t cores = 1;    ///< threads, or ranks of one thread; unlimited_cores
  bool ranks = false;       ///< they tell each other what threads can see
  double slowdown = 1;      ///< of every core's work while all of them work
  double hand_over = -1;    ///< of one pass to the threads; negative: as recorded
  MessageCosts messages{};  ///< between ranks
};

/// The same run on any number of cores.
class PilotTimes {
 public:
  PilotTimes(const Pilot& pilot, const Platform& platform);

  /// Seconds per unit of simulated time.
  double rate(const Stretch& stretch) const;
  /// The whole run to `end`: what came before the stretch, and the rest at its rate.
  double expected(const Stretch& stretch, double end) const;
  /// The same by the parts of Section 4.4.
  ExpectedShare shares(const Stretch& stretch, double end) const;

 private:
  template <class PerStep>
  double extrapolate(const Stretch& stretch, double end, PerStep per_step) const;
  double sum(const Stretch& stretch) const;
  double busiest(const Stretch& stretch, double end) const;

  const Pilot& pilot_;
  Platform platform_;
  std::vector<ExpectedShare> pieces_;  ///< per step; `solve` with idle time
  std::vector<double> seconds_;        ///< per step: their sum
};

}  // namespace cosimo
