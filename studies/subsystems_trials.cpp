#include "studies/subsystems_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "studies/study.hpp"

namespace cosimo::studies {
namespace {

constexpr double full_end = 3e-3;

std::string scenario(Lab& lab, std::int64_t masses, bool contacts, double end) {
  return fmt::format(
      R"(cosimo: 1
model: # N, mm, s
  chain:
    masses: {}
    mass: 5.0e-5
    spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}}
    seed: {}
    loads:
      - harmonic: {{bodies: all, amplitude: {{uniform: [0, 1.0e3]}}, omega: {{uniform: [1.0e3, 3.0e3]}}, sign: random}}
{}simulate: {{end: {}, output: {}, record: [1]}}
solve: {{method: ida, linear: klu, rtol: 1.0e-6}}
)",
      masses, lab.seed(),
      contacts ? "      - contact: {bodies: {fraction: 0.003}, A: -1.0e-2, B: 2.5e3}\n" : "", end, end / 10);
}

std::vector<std::string> explicit_scheme(std::int64_t parts) {
  return {fmt::format("partition={{parts: {}}}", parts), "couple.scheme=explicit",
          "couple.decomposition=force-force"};
}

std::vector<std::string> with(std::vector<std::string> settings, std::initializer_list<const char*> more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

std::vector<std::string> controlled(std::int64_t parts) {
  return with(explicit_scheme(parts), {"control.estimator=exCV", "control.rtol=1e-4", "control.atol_u=1"});
}

/// Mean micro step of the subsystems in the macro steps from `begin` on.
double micro_step_from(double begin, const Trial& trial) {
  const TimingHistory& timing = trial.results().timing();
  const auto first = std::lower_bound(timing.t.begin(), timing.t.end(), begin);
  if (timing.micro_steps.empty() || first == timing.t.end()) return gap;
  const auto row = static_cast<std::size_t>(first - timing.t.begin());
  const double steps =
      std::accumulate(timing.micro_steps.begin() + static_cast<std::ptrdiff_t>(row * timing.subsystems),
                      timing.micro_steps.end(), 0.0);
  return (trial.report().t_end - *first) * static_cast<double>(timing.subsystems) / steps;
}

DividedTrial run_divided(Lab& lab, const std::string& label, const std::string& text, std::int64_t parts) {
  DividedTrial divided;
  divided.parts = parts;
  {
    const Trial trial = lab.run(fmt::format("{}-{}-exCV", label, parts), text, controlled(parts));
    divided.controlled = trial.report();
    divided.steps = trial.results().steps();
    divided.late_micro_step_controlled = micro_step_from(trial.report().t_end / 2, trial);
  }
  const Trial trial = lab.run(
      fmt::format("{}-{}-ex2H", label, parts), text,
      with(explicit_scheme(parts), {"control.step=1e-6", "control.order=2", "control.estimator=none"}));
  divided.fixed = trial.report();
  divided.late_micro_step_fixed = micro_step_from(trial.report().t_end / 2, trial);
  return divided;
}

SizedTrials run_sized(Lab& lab, const SubsystemsPlan& plan, std::size_t size, bool contacts) {
  SizedTrials trials{.masses = plan.sizes[size], .contacts = contacts, .uncut = {}, .divided = {}};
  const std::string text = scenario(lab, trials.masses, contacts, plan.end);
  const std::string label = fmt::format("{}{}", trials.masses, contacts ? "-contacts" : "");
  trials.uncut = lab.run(label + "-uncut", text).report();
  for (const std::int64_t parts : plan.parts[size])
    trials.divided.push_back(run_divided(lab, label, text, parts));
  return trials;
}

}  // namespace

SubsystemsPlan::SubsystemsPlan(double scale) {
  // Sizes that a scale of 1 can bear, growing to the published 1e5, 1e6 and 1e7 at a scale of 1000.
  constexpr std::array<double, 3> base{500, 1600, 5000}, published{1e5, 1e6, 1e7}, least{120, 240, 480};
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double exponent = std::log(published[i] / base[i]) / std::log(1000.0);
    sizes.push_back(
        static_cast<std::int64_t>(std::llround(std::max(least[i], base[i] * std::pow(scale, exponent)))));
    std::vector<std::int64_t> counts;
    for (const std::int64_t n : {3, 10, 30, 100, 383, 1007})
      if (sizes.back() / n >= 100 || counts.size() < 2) counts.push_back(n);
    parts.push_back(std::move(counts));
  }
  end = full_end * std::clamp(std::sqrt(scale), 0.2, 1.0);
}

SubsystemsTrials run_subsystems(Lab& lab) {
  SubsystemsTrials trials{.plan = SubsystemsPlan(lab.scale()), .plain = {}, .contacts = {}, .tight = {}};
  const SubsystemsPlan& plan = trials.plan;
  for (std::size_t i = 0; i < plan.sizes.size(); ++i) trials.plain.push_back(run_sized(lab, plan, i, false));
  for (std::size_t i = 0; i < plan.sizes.size(); ++i)
    trials.contacts.push_back(run_sized(lab, plan, i, true));
  trials.tight = lab.run("tight", scenario(lab, plan.sizes.back(), false, plan.end),
                         with(explicit_scheme(plan.parts.back().front()),
                              {"control.estimator=exCV", "control.rtol=1e-6", "control.atol_u=1e-2"}))
                     .report();
  return trials;
}

}  // namespace cosimo::studies
