// Other schemes at equal error, and other numbers of parts: see plan_trials.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "planning/plan_trials.hpp"

namespace cosimo {

namespace {

/// Tolerances that are tried, and errors that are aimed at without being asked.
constexpr double least_rtol = 1e-9, most_rtol = 1e-2, most_error = 1e-2, least_error = 1e-4;

/// An error this far from the target is worth another tolerance; the new one aims a little below.
constexpr double too_large = 1.5, too_small = 0.1, aim_below = 0.7, least_change = 1e-3, most_change = 100;

/// Fewest freedoms of a part in other numbers of parts, and how many such numbers.
constexpr double fewest_freedoms = 50;
constexpr std::size_t most_counts = 3;

std::string first_fault(const Error& error) {
  return error.faults().empty() ? error.what() : error.faults().front().problem;
}

/// This machine's cores, and eight and sixty-four times what there is, where parts stay large enough.
std::vector<std::int64_t> other_counts(std::int64_t proposed, std::int64_t machine, double freedoms) {
  std::vector<std::int64_t> counts;
  const auto add = [&](std::int64_t n) {
    const bool sensible = n >= 2 && static_cast<double>(n) * fewest_freedoms <= freedoms;
    if (sensible && n != proposed && std::find(counts.begin(), counts.end(), n) == counts.end() &&
        counts.size() < most_counts)
      counts.push_back(n);
  };
  add(machine);
  const auto most = static_cast<std::int64_t>(
      std::min<double>(most_predicted_cores, std::floor(freedoms / fewest_freedoms)));
  for (const std::int64_t factor : {8, 64}) add(std::min(most, factor * std::max(proposed, machine)));
  return counts;
}

}  // namespace

MotionError Trials::error_of(const config::Scenario& scenario) const {
  if (exact_.time.empty() || left() <= 0) return {};
  const ShortMotion motion = short_motion(
      scenario, {.end = error_until_, .wall_s = std::min(pilot_s_, left()), .interrupt = options_.interrupt});
  return motion_error(motion, exact_);
}

/// What is aimed at when nobody asks: what the file's settings do, as far as that is sensible, or where they
/// do not cut something usual; never less than what the solver alone does.
double Trials::aim(double own, double uncut) const {
  if (options_.error) return *options_.error;
  const double floor = std::max(0.0, 2 * uncut);
  const double wish = own >= 0 && cut_.couplings > 0 ? own : std::max(least_error, 10 * uncut);
  return std::max(floor, std::min(most_error, wish));
}

void Trials::measure_errors() {
  if (asked()) return;
  say("an accurate run to compare with");
  const double own_rate = cut_.measured() ? plan_.pilot.per_simulated_s : plan_.uncut.per_simulated_s;
  const double slowest = std::max(3 * plan_.uncut.per_simulated_s, own_rate), allowed = 0.5 * pilot_s_;
  error_until_ = cut_.measured() ? std::min(cut_.reached, uncut_.reached) : uncut_.reached;
  if (slowest > 0) error_until_ = std::min(error_until_, allowed / slowest);
  exact_ = short_motion(
      tight(with(proposal_.uncut, {record_})),
      {.end = error_until_, .wall_s = std::min(2 * pilot_s_, left()), .interrupt = options_.interrupt});
  plan_.error_until = exact_.time.empty() ? 0 : exact_.time.back();
  const auto keep = [&](std::size_t i, const config::Scenario& scenario) {
    const MotionError e = error_of(with(scenario, {record_}));
    plan_.schemes[i].error_seen = e.error;
    timed_[i].growth = e.growth;
    return e.error;
  };
  const double own = cut_.measured() ? keep(0, proposal_.scenario) : -1;
  const double uncut = plan_.schemes.size() > 1 ? keep(1, proposal_.uncut) : own;
  plan_.error_target = own >= 0 || uncut >= 0 ? aim(own, uncut) : 0;
}

Trials::Tuned Trials::tune(const SchemeIdea& idea) const {
  Tuned tuned{idea.rtol, 0, {}};
  const auto measure = [&](double rtol) {
    std::vector<std::string> settings = settings_for(idea, proposal_.scenario, rtol);
    settings.push_back(record_);
    return error_of(with(proposal_.scenario, std::move(settings)));
  };
  tuned.error = measure(tuned.rtol);
  const double target = plan_.error_target, seen = tuned.error.error;
  if (!(target > 0) || !(seen > 0) || (seen < too_large * target && seen > too_small * target)) return tuned;
  const double change = std::clamp(aim_below * target / seen, least_change, most_change);
  // Two digits are enough for a tolerance.
  const double wanted = std::clamp(tuned.rtol * change, least_rtol, most_rtol);
  const double rtol = std::stod(fmt::format("{:.1e}", wanted));
  const MotionError again = measure(rtol);
  if (!(again.error > 0)) return tuned;
  tuned.order = std::log(again.error / seen) / std::log(rtol / tuned.rtol);
  const bool loosened_too_far = rtol > tuned.rtol && again.error > too_large * target;
  if (loosened_too_far) return tuned;
  tuned.rtol = rtol;
  tuned.error = again;
  return tuned;
}

void Trials::try_scheme(const SchemeIdea& idea) {
  say("error of " + idea.name);
  const Tuned tuned = tune(idea);
  SchemeTrial trial;
  trial.name = idea.name;
  trial.parts = static_cast<std::int64_t>(plan_.parts.size());
  trial.settings = settings_for(idea, proposal_.scenario, tuned.rtol);
  trial.estimator = word_of(idea.estimator);
  trial.rtol = tuned.rtol;
  trial.reason = idea.reason;
  trial.error_seen = tuned.error.error;
  trial.error_order = tuned.order;
  const config::Scenario scenario = with(proposal_.scenario, trial.settings);
  const double until = cut_.measured() ? cut_.reached : uncut_.reached;
  const Pilot pilot = run(idea.name, scenario,
                          {.wall_s = std::min(pilot_s_, left()),
                           .end = until,
                           .threads = options_.threads,
                           .repetitions = 3,
                           .limit_s = left()});
  if (!pilot.measured()) {
    plan_.left_out.push_back({idea.name, "its pilot run failed: " +
                                             (pilot.reason.empty() ? "it made no progress" : pilot.reason)});
    return;
  }
  remember(plan_.schemes, trial,
           {.pilot = pilot, .stretch = steady_stretch(pilot, pilot.reached), .growth = tuned.error.growth});
  measure_machine(scenario, pilot);
}

void Trials::schemes() {
  if (cut_.measured()) measure_machine(proposal_.scenario, cut_);
  measure_errors();
  SchemeIdeas ideas = scheme_ideas(proposal_, plan_.schemes.front().name);
  plan_.left_out = std::move(ideas.left_out);
  for (const SchemeIdea& idea : ideas.worth) {
    if (asked()) return;
    if (left() <= 0) {
      plan_.left_out.push_back({idea.name, fmt::format("the {:g} s for pilot runs were used up", limit_)});
      continue;
    }
    try {
      try_scheme(idea);
    } catch (const Error& error) {
      plan_.left_out.push_back({idea.name, first_fault(error)});
    }
  }
}

void Trials::try_parts(const SchemeTrial& best, std::int64_t parts) {
  const Proposal other = propose(given_, parts);
  const config::Scenario scenario =
      best.settings.empty() ? other.scenario : with(other.scenario, best.settings);
  const double until = cut_.measured() ? cut_.reached : uncut_.reached;
  const Pilot pilot = run(fmt::format("{} parts", parts), scenario,
                          {.wall_s = std::min(pilot_s_, left()),
                           .end = until,
                           .threads = options_.threads,
                           .repetitions = 3,
                           .limit_s = left()});
  if (!pilot.measured() || pilot.couplings == 0) return;
  SchemeTrial trial = best;
  trial.parts = static_cast<std::int64_t>(pilot.subsystems);
  trial.reason = fmt::format("{} parts instead of {}", trial.parts, best.parts);
  std::vector<std::string> settings{record_};
  const MotionError error = error_of(with(scenario, std::move(settings)));
  trial.error_seen = error.error;
  remember(plan_.part_counts, trial,
           {.pilot = pilot, .stretch = steady_stretch(pilot, pilot.reached), .growth = error.growth});
}

void Trials::part_counts(std::size_t best) {
  double freedoms = 0;
  for (const PlannedPart& part : plan_.parts) freedoms += part.freedoms;
  const SchemeTrial scheme = plan_.schemes[best];
  for (const std::int64_t parts : other_counts(scheme.parts, plan_.machine_cores, freedoms)) {
    if (asked()) return;
    if (left() <= 0) {
      plan_.left_out.push_back({fmt::format("{} parts", parts), "the time for pilot runs was used up"});
      continue;
    }
    try {
      try_parts(scheme, parts);
    } catch (const Error& error) {
      plan_.left_out.push_back({fmt::format("{} parts", parts), first_fault(error)});
    }
  }
}

}  // namespace cosimo
