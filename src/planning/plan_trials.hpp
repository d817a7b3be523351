// Everything of a plan that is tried out: the proposal as the file couples it, the uncut model, other
// schemes at about the same error, other numbers of parts.
//
//   Trials trials(given, proposal, options, plan);
//   trials.first();                    the two runs that the plan rests on: plan.pilot, uncut, times
//   if (trials.worth_more()) {
//     trials.schemes();                plan.schemes, left_out, messages
//     trials.part_counts(best);        plan.part_counts, with the scheme of plan.schemes[best]
//   }
//   trials.predict();                  times and memory of all of them
//
// Equal error. Over a stretch that an accurate uncut run can go in a second, the motion of every scheme is
// compared with that run's. Where a scheme's error is far from the target its tolerance is changed once, by
// error ~ rtol, and measured again; only then it is timed.
#pragma once

#include <vector>

#include "cosimo/plan.hpp"
#include "planning/plan_error.hpp"
#include "planning/plan_pilot.hpp"
#include "planning/plan_predict.hpp"
#include "planning/plan_proposal.hpp"
#include "planning/plan_schemes.hpp"
#include "planning/plan_watch.hpp"

namespace cosimo {

class Trials {
 public:
  /// All must outlive it.
  Trials(const config::Scenario& given, const Proposal& proposal, const PlanOptions& options, CutPlan& plan);

  void first();
  /// There is something to compare with, and time.
  bool worth_more() const;
  void schemes();
  void part_counts(std::size_t best);
  void predict();
  /// Of a trial in plan.schemes, or behind them in plan.part_counts.
  const Confidence& confidence(std::size_t trial) const { return timed_[trial].confidence; }

 private:
  struct Timed {
    Pilot pilot{};
    Stretch stretch{};
    Confidence confidence{};
    double growth = 0;  ///< of the error
  };
  struct Tuned {
    double rtol = 0, order = 0;
    MotionError error;
  };

  Pilot run(const std::string& what, const config::Scenario& scenario, PilotOptions options);
  void compare_uncut();
  void measure_team();
  void take_more_time();
  void expect_uncut();
  void expect_times();
  void remember_first();
  void measure_machine(const config::Scenario& scenario, const Pilot& alone);
  void measure_errors();
  double aim(double own, double uncut) const;
  MotionError error_of(const config::Scenario& scenario) const;
  Tuned tune(const SchemeIdea& idea) const;
  void try_scheme(const SchemeIdea& idea);
  void try_parts(const SchemeTrial& best, std::int64_t parts);
  SchemeTrial& remember(std::vector<SchemeTrial>& list, SchemeTrial trial, Timed timed);
  config::Scenario with(const config::Scenario& base, std::vector<std::string> settings) const;
  void say(const std::string& doing) const;
  bool asked() const { return options_.interrupt != nullptr && options_.interrupt->load(); }
  double left() const { return limit_ - seconds_since(begin_); }

  const config::Scenario& given_;
  const Proposal& proposal_;
  const PlanOptions& options_;
  CutPlan& plan_;
  Outlook outlook_;
  const PlanClock::time_point begin_ = PlanClock::now();
  double limit_ = 0;
  double pilot_s_ = 0;  ///< of one pilot run: as asked for, or as long as the first ones needed
  Pilot cut_, uncut_;
  std::string record_;  ///< setting of the bodies whose motions are compared
  ShortMotion exact_;
  double error_until_ = 0;
  bool machine_known_ = false;
  std::vector<Timed> timed_;  ///< of plan.schemes, then of plan.part_counts
};

}  // namespace cosimo
