#include "planning/plan_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/traits.hpp"
#include "multibody/generate.hpp"
#include "parallel/shares.hpp"

namespace cosimo {

namespace {

/// Times from fewer macro steps of the cut model, or windows of the uncut one, are a guess.
constexpr std::int64_t few_steps = 10;

/// As long as this many pilot runs all of them together may take.
constexpr double pilots = 15;

/// The first two may take so many times what was asked for, and the usual time in any case, until what they
/// promise has settled.
constexpr double most_patience = 4;

constexpr const char* too_slow = "its first macro step takes longer than the time given";

PilotTime pilot_time(const Pilot& pilot, const Stretch& stretch) {
  PilotTime time;
  time.ok = pilot.measured();
  if (!time.ok) time.reason = pilot.reason.empty() ? too_slow : pilot.reason;
  time.reached = pilot.reached;
  time.wall_s = pilot.wall_s;
  for (const PilotCosts::Step& step : pilot.costs.steps)
    ++(step.accepted ? time.macro_steps : time.rejected_steps);
  if (time.ok) time.per_simulated_s = PilotTimes(pilot, {}).rate(stretch);
  return time;
}

/// A failed pilot run spoils the numbers, not the proposal.
void note(const char* which, const Pilot& pilot, CutPlan& plan) {
  if (pilot.measured()) return;
  const bool interrupted = pilot.status == LoopResult::Status::interrupted;
  if (plan.status == CutPlan::Status::ok)
    plan.status = interrupted ? CutPlan::Status::interrupted : CutPlan::Status::failed;
  plan.remarks.push_back(interrupted ? fmt::format("the pilot run {} was interrupted", which)
                                     : fmt::format("the pilot run {} failed: {}", which,
                                                   pilot.reason.empty() ? too_slow : pilot.reason));
}

void measure_shares(const Pilot& pilot, CutPlan& plan) {
  const std::vector<double>& solve = pilot.costs.solve;
  double total = 0;
  for (const double seconds : solve) total += seconds;
  if (!pilot.measured() || !(total > 0) || pilot.subsystems != plan.parts.size()) return;
  for (std::size_t i = 0; i < solve.size(); ++i)
    plan.parts[i % pilot.subsystems].measured_share += solve[i] / total;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double patience(const PlanOptions& options) {
  return std::max(PlanOptions{}.pilot_s, most_patience * options.pilot_s);
}

double recorded_columns(const Proposal& p) {
  const auto& simulate = p.scenario.simulate;
  if (traits_of(*p.model).output_from_all || simulate.record == config::Record::all)
    return static_cast<double>(p.model->coordinate_count());
  if (simulate.record == config::Record::coupling)
    return 2 * static_cast<double>(p.partition.interface.couplings.size());
  return static_cast<double>(simulate.record_bodies.size() + simulate.record_names.size());
}

}  // namespace

Trials::Trials(const config::Scenario& given, const Proposal& proposal, const PlanOptions& options,
               CutPlan& plan)
    : given_(given),
      proposal_(proposal),
      options_(options),
      plan_(plan),
      limit_(options.total_s > 0 ? options.total_s : pilots * options.pilot_s),
      pilot_s_(options.pilot_s),
      record_(record_setting(proposal.partition.interface, proposal.graph->bodies())) {
  plan_.pilots_limit_s = limit_;
  outlook_.end = proposal.scenario.simulate.end;
  outlook_.machine_cores = static_cast<std::size_t>(plan.machine_cores);
  outlook_.program_bytes = program_bytes();
  outlook_.model_bytes = proposal.model_bytes;
  outlook_.windowed = stretch_generator(given).has_value();
  outlook_.columns = recorded_columns(proposal);
  const auto& simulate = proposal.scenario.simulate;
  outlook_.rows = simulate.output ? simulate.end / *simulate.output : 0;
}

void Trials::say(const std::string& doing) const {
  if (options_.progress) options_.progress({doing, seconds_since(begin_), limit_});
}

config::Scenario Trials::with(const config::Scenario& base, std::vector<std::string> settings) const {
  return config::parse_scenario(base.effective, base.file, settings);
}

Pilot Trials::run(const std::string& what, const config::Scenario& scenario, PilotOptions options) {
  say("pilot run: " + what);
  options.interrupt = options_.interrupt;
  return run_pilot(scenario, options);
}

void Trials::first() {
  cut_ = run("as the file couples it", proposal_.scenario,
             {.wall_s = pilot_s_, .longest_s = patience(options_), .threads = options_.threads});
  plan_.scheme = cut_.scheme;
  plan_.remarks.insert(plan_.remarks.end(), cut_.choices.begin(), cut_.choices.end());
  measure_shares(cut_, plan_);
  note(plan_.parts.size() > 1 ? "of the proposal" : "of the uncut model", cut_, plan_);
  plan_.pilot = pilot_time(cut_, steady_stretch(cut_, cut_.reached));
  if (plan_.status == CutPlan::Status::interrupted) return;
  if (cut_.subsystems == 1) {  // the proposal is the uncut model, and was timed
    uncut_ = cut_;
    plan_.uncut = plan_.pilot;
    if (cut_.measured())
      plan_.uncut_wall_s = PilotTimes(cut_, {}).expected(steady_stretch(cut_, cut_.reached), outlook_.end);
  } else {
    compare_uncut();
  }
  take_more_time();
  measure_team();
  remember_first();
}

/// What a team on all cores makes of the uncut model, over the same stretch.
void Trials::measure_team() {
  const auto cores = static_cast<std::size_t>(plan_.machine_cores);
  if (!uncut_.measured() || cores < 2 || options_.threads > 1 || asked() ||
      proposal_.model->coordinate_count() < 2 * worth_a_thread)
    return;
  const Pilot team = run("uncut, on all cores", proposal_.uncut,
                         {.wall_s = std::min(pilot_s_, 0.5 * left()),
                          .end = uncut_.reached,
                          .threads = static_cast<int>(cores),
                          .limit_s = left()});
  if (!team.measured() || team.members < 2) return;
  const double until = std::min(team.reached, uncut_.reached);
  const double alone = PilotTimes(uncut_, {}).rate(steady_stretch(uncut_, until));
  const double together = PilotTimes(team, {}).rate(steady_stretch(team, until));
  if (!(alone > 0 && together > 0)) return;
  uncut_.shared = shared_by_team(alone / together, team.members);
  uncut_.members = team.members;
  if (cut_.subsystems == 1) cut_ = uncut_;
}

/// What the first two needed the others need as well.
void Trials::take_more_time() {
  double needed = 0;
  bool settled = true;
  for (const Pilot* pilot : {&cut_, &uncut_}) {
    if (!pilot->measured()) continue;
    needed = std::max(needed, pilot->repetitions.front());
    settled = settled && pilot->settled;
  }
  if (needed <= 1.1 * pilot_s_) return;
  plan_.remarks.push_back(
      settled ? fmt::format("after {:g} s predictions still changed: pilot runs took up to {:.2g} s",
                            pilot_s_, needed)
              : fmt::format(
                    "predictions still changed after {:.2g} s: take the times as a guess, or give a longer "
                    "--pilot",
                    needed));
  pilot_s_ = std::min(needed, std::max(PlanOptions{}.pilot_s, pilot_s_));
  if (!(options_.total_s > 0)) limit_ = pilots * pilot_s_;
  plan_.pilots_limit_s = limit_;
}

/// As far as the cut run came. Where that is too far even for one of its windows, a hundredth.
void Trials::compare_uncut() {
  PilotOptions how{
      .wall_s = pilot_s_, .longest_s = patience(options_), .end = cut_.measured() ? cut_.reached : 0};
  uncut_ = run("uncut", proposal_.uncut, how);
  if (uncut_.status == LoopResult::Status::ok && !(uncut_.reached > 0)) {
    how.end = (cut_.measured() ? cut_.reached : outlook_.end) / 100;
    uncut_ = run("uncut, a shorter stretch", proposal_.uncut, how);
  }
  note("of the uncut model", uncut_, plan_);
  plan_.uncut = pilot_time(uncut_, steady_stretch(uncut_, uncut_.reached));
  if (!uncut_.measured()) return;
  plan_.uncut_wall_s = PilotTimes(uncut_, {}).expected(steady_stretch(uncut_, uncut_.reached), outlook_.end);
  if (!cut_.measured()) return;
  expect_uncut();
  if (std::min(plan_.pilot.macro_steps, plan_.uncut.macro_steps) < few_steps &&
      (cut_.reached < outlook_.end || uncut_.reached < outlook_.end))
    plan_.remarks.emplace_back(
        "the pilot runs did not get far: take the times as a guess, and look at a longer run");
}

/// What a step costs changes with the motion: where the uncut run came less far, both are compared over the
/// stretch that both saw, and the longer one tells how it goes on.
void Trials::expect_uncut() {
  if (uncut_.reached > 0.99 * cut_.reached) return;
  const double until = std::min(cut_.reached, uncut_.reached);
  const double ours = PilotTimes(cut_, {}).rate(steady_stretch(cut_, until));
  const double theirs = PilotTimes(uncut_, {}).rate(steady_stretch(uncut_, until));
  const Stretch whole = steady_stretch(cut_, cut_.reached);
  if (ours > 0 && theirs > 0)
    plan_.uncut_wall_s = PilotTimes(cut_, {}).expected(whole, outlook_.end) * theirs / ours;
}

void Trials::remember_first() {
  SchemeTrial own;
  own.name = cut_.label;
  own.of_file = true;
  own.parts = static_cast<std::int64_t>(cut_.subsystems);
  own.estimator = word_of(cut_.estimator);
  own.rtol = cut_.rtol;
  own.reason = "as the file says";
  remember(plan_.schemes, own, {.pilot = cut_, .stretch = steady_stretch(cut_, cut_.reached)});
  if (cut_.subsystems == 1) return;
  plan_.pilot.per_simulated_s = plan_.schemes.front().pilot.per_simulated_s;
  SchemeTrial whole;
  whole.name = "uncut";
  whole.estimator = word_of(Estimator::none);
  whole.reason = "what all others are compared with";
  whole.settings = {"partition=none"};
  remember(plan_.schemes, whole, {.pilot = uncut_, .stretch = steady_stretch(uncut_, uncut_.reached)});
}

SchemeTrial& Trials::remember(std::vector<SchemeTrial>& list, SchemeTrial trial, Timed timed) {
  trial.pilot = pilot_time(timed.pilot, timed.stretch);
  trial.ok = timed.pilot.measured();
  if (!trial.ok) trial.reason = trial.pilot.reason;
  trial.passes = timed.pilot.mean_passes();
  timed.confidence = judge(timed.pilot, timed.stretch, outlook_.end);
  timed_.push_back(std::move(timed));
  list.push_back(std::move(trial));
  return list.back();
}

bool Trials::worth_more() const {
  return plan_.parts.size() > 1 && !proposal_.partition.interface.couplings.empty() && uncut_.measured() &&
         plan_.status != CutPlan::Status::interrupted && !asked();
}

/// The same steps on all cores: what handing over costs, and how much cores slow each other down.
void Trials::measure_machine(const config::Scenario& scenario, const Pilot& alone) {
  if (machine_known_ || plan_.machine_cores < 2 || alone.subsystems < 2 || options_.threads > 1) return;
  machine_known_ = true;
  const Pilot busy = run("on all cores", scenario,
                         {.wall_s = std::min(pilot_s_, 0.5 * left()),
                          .end = alone.reached,
                          .threads = static_cast<int>(plan_.machine_cores),
                          .limit_s = left()});
  if (!busy.measured()) return;
  const std::size_t common = std::min(busy.costs.steps.size(), alone.costs.steps.size());
  std::vector<double> passes;
  for (std::size_t i = 0; i < common; ++i)
    passes.push_back(busy.costs.steps[i].hand_over / busy.costs.steps[i].passes);
  MessageCosts& found = plan_.messages;
  found.hand_over = median(std::move(passes));
  // What the replay on these cores would have to be slowed down by to take as long as the best run did.
  const double reached = std::min(busy.reached, alone.reached);
  const PilotTimes replay(alone, {.cores = static_cast<std::size_t>(plan_.machine_cores),
                                  .hand_over = std::max(0.0, found.hand_over)});
  const ExpectedShare share = replay.shares({0, reached}, reached);
  const double integration = share.solve + share.idle;
  const double taken = *std::min_element(busy.repetitions.begin(), busy.repetitions.end());
  const double others = replay.expected({0, reached}, reached) - integration;
  if (integration > 0) found.slowdown = std::clamp((taken - others) / integration, 0.8, 4.0);
}

void Trials::predict() {
  outlook_.uncut_wall_s = plan_.uncut_wall_s;
  outlook_.messages = plan_.messages;
  const std::size_t schemes = plan_.schemes.size();
  for (std::size_t i = 0; i < timed_.size(); ++i) {
    SchemeTrial& trial = i < schemes ? plan_.schemes[i] : plan_.part_counts[i - schemes];
    const Timed& timed = timed_[i];
    if (!trial.ok) continue;
    trial.predictions = cosimo::predict(timed.pilot, timed.stretch, timed.confidence, outlook_);
    trial.error = error_to_end(trial.error_seen, timed.growth, plan_.error_until, outlook_.end);
  }
  if (cut_.measured() && uncut_.measured() && cut_.subsystems > 1) expect_times();
  plan_.pilots_wall_s = seconds_since(begin_);
}

/// On threads of one machine, whatever number of cores it has.
void Trials::expect_times() {
  plan_.times.clear();
  std::vector<std::size_t> counts = core_counts(plan_.parts.size(), outlook_.machine_cores);
  counts.push_back(unlimited_cores);
  for (const std::size_t cores : counts) {
    Platform platform{.cores = cores};
    platform.slowdown = slowdown_on(outlook_, cores == unlimited_cores ? outlook_.machine_cores : cores);
    if (plan_.messages.hand_over > 0) platform.hand_over = plan_.messages.hand_over;
    const double wall = PilotTimes(cut_, platform).expected(timed_.front().stretch, outlook_.end);
    plan_.times.push_back({static_cast<std::int64_t>(cores), wall, plan_.uncut_wall_s / wall});
  }
}

}  // namespace cosimo
