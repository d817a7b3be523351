// A pilot run replayed on other cores, see plan_pilot.hpp.
#include <algorithm>
#include <numeric>

#include "planning/plan_messages.hpp"
#include "planning/plan_pilot.hpp"

namespace cosimo {

namespace {

/// Numbers that a pass tells a neighbour: two per coupling variable, or the states of the copies.
double numbers_told(const Pilot& pilot) {
  return pilot.overlap ? 2 * std::max(1.0, pilot.layers) : 2;
}

}  // namespace

PilotTimes::PilotTimes(const Pilot& pilot, const Platform& platform) : pilot_(pilot), platform_(platform) {
  const auto& steps = pilot.costs.steps;
  const std::size_t cores = platform.cores;
  // Each rank works on its own couplings, unless a Jacobian joins them all.
  const double share = platform.ranks && !pilot.newton ? largest_share(pilot.subsystems, cores) : 1;
  StepSchedule schedule(pilot.stages);
  pieces_.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const PilotCosts::Step& step = steps[i];
    const std::span<const double> solve(pilot.costs.solve.data() + i * pilot.subsystems, pilot.subsystems);
    ExpectedShare piece;
    piece.solve = platform.slowdown * schedule.solve_seconds({.solve = solve, .beside = step.beside}, cores);
    piece.snapshot = step.snapshot * largest_share(pilot.subsystems, cores);
    piece.interface = step.serial * share + step.rest;
    if (platform.ranks)
      piece.messages =
          step_talk({.overlap = pilot.overlap,
                     .whole = pilot.newton,
                     .passes = step.passes,
                     .subsystems = static_cast<double>(pilot.subsystems),
                     .variables = static_cast<double>(pilot.variables),
                     .numbers = numbers_told(pilot)},
                    platform.messages, std::min(std::max<std::size_t>(1, cores), pilot.subsystems));
    else if (cores != 1)
      piece.messages = platform.hand_over < 0 ? step.hand_over : step.passes * platform.hand_over;
    seconds_.push_back(piece.solve + piece.snapshot + piece.interface + piece.messages);
    pieces_.push_back(piece);
  }
}

template <class PerStep>
double PilotTimes::extrapolate(const Stretch& stretch, double end, PerStep per_step) const {
  double before = 0, within = 0;
  for (std::size_t i = 0; i < seconds_.size(); ++i) {
    const double t = pilot_.costs.steps[i].t;
    if (t < stretch.begin) before += per_step(i);
    if (t >= stretch.begin && t < stretch.end) within += per_step(i);
  }
  const double length = stretch.end - stretch.begin;
  return length > 0 ? before + within / length * (end - stretch.begin) : before;
}

double PilotTimes::sum(const Stretch& stretch) const {
  double result = 0;
  for (std::size_t i = 0; i < seconds_.size(); ++i) {
    const double t = pilot_.costs.steps[i].t;
    if (t >= stretch.begin && t < stretch.end) result += seconds_[i];
  }
  return result;
}

double PilotTimes::rate(const Stretch& stretch) const {
  return stretch.end > stretch.begin ? sum(stretch) / (stretch.end - stretch.begin) : 0;
}

double PilotTimes::expected(const Stretch& stretch, double end) const {
  return extrapolate(stretch, end, [&](std::size_t i) { return seconds_[i]; });
}

/// T_solv of (4.5): the subsystem that is busiest over the whole run; on fewer cores than subsystems at least
/// an equal share of all.
double PilotTimes::busiest(const Stretch& stretch, double end) const {
  double most = 0;
  double all = extrapolate(stretch, end, [&](std::size_t i) { return pilot_.costs.steps[i].beside; });
  const std::size_t n = pilot_.subsystems;
  for (std::size_t s = 0; s < n; ++s) {
    const double one =
        extrapolate(stretch, end, [&](std::size_t i) { return pilot_.costs.solve[i * n + s]; });
    most = std::max(most, one);
    all += one;
  }
  if (platform_.cores == unlimited_cores) return platform_.slowdown * most;
  return platform_.slowdown * std::max(most, all / static_cast<double>(platform_.cores));
}

ExpectedShare PilotTimes::shares(const Stretch& stretch, double end) const {
  const auto part = [&](double ExpectedShare::*which) {
    return extrapolate(stretch, end, [&](std::size_t i) { return pieces_[i].*which; });
  };
  ExpectedShare all;
  const double slowest = part(&ExpectedShare::solve);
  all.solve = std::min(slowest, busiest(stretch, end));
  all.idle = slowest - all.solve;
  all.snapshot = part(&ExpectedShare::snapshot);
  all.interface = part(&ExpectedShare::interface);
  all.messages = part(&ExpectedShare::messages);
  return all;
}

}  // namespace cosimo
