#include "studies/micro_steps_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "studies/study.hpp"

namespace cosimo::studies {
namespace {

constexpr std::int64_t load_parts = 10;

/// Version and model: Table 4.2.
std::string chain(const Lab& lab, std::int64_t masses, const std::string& loads = "") {
  return fmt::format(
      R"(cosimo: 1
model:
  chain:
    masses: {}
    mass: 5.0e-2
    spring: {{c: 2.5e9, d: 2.5e2, C: 1.0e17, D: 1.0e-1}}
    initial: {{x: {{uniform: [-1.0e-4, 1.0e-4]}}, v: {{uniform: [-1.0, 1.0]}}}}
    seed: {}
{})",
      masses, lab.seed(), loads);
}

std::string settings(double end, std::int64_t parts, double H, int kappa, const char* record = "[1]") {
  return fmt::format(
      R"(simulate: {{end: {}, output: {}, record: {}}}
partition: {{parts: {}}}
couple: {{scheme: explicit, decomposition: force-force}}
control: {{step: {}, order: {}, estimator: none}}
solve: {{method: ida, linear: klu, rtol: 1.0e-6, stop: {{limit: 1}}}}
)",
      end, end / 20, record, parts, H, kappa);
}

void run_stops(Lab& lab, MicroStepsTrials& trials) {
  trials.stop_H = 2e-7;
  const std::string model = chain(lab, 30);
  const Trial reference =
      lab.run("stops-reference",
              model + fmt::format("simulate: {{end: {}, output: {}}}\nsolve: {{method: rk, rtol: 1.0e-11}}\n",
                                  trials.end, trials.end / 20));
  const std::string text = model + settings(trials.end, 2, trials.stop_H, 2, "all");
  for (const auto& [name, stop] :
       {std::pair{"limited", "{limit: 1}"}, {"exact", "exact"}, {"adjusted", "adjusted"}}) {
    const Trial trial =
        lab.run(std::string("stop-") + name, text, std::vector{std::string("solve.stop=") + stop});
    trials.stops.push_back({.name = name,
                            .report = trial.report(),
                            .timing = trial.results().timing(),
                            .error = Lab::error(trial, reference).position});
  }
}

void run_sweep(Lab& lab, MicroStepsTrials& trials) {
  constexpr std::int64_t parts = 4;
  const std::string model = chain(lab, 400);
  const double end = trials.end / 2;
  for (const double H : {2e-8, 4e-8, 8e-8, 1.5e-7, 3e-7, 6e-7, 1e-6}) {
    const std::string text = model + settings(end, parts, H, 1);
    SweepTrial point{.H = H};
    const auto steps = [](const Trial& trial) {
      return trial.ok() ? static_cast<double>(trial.report().micro_steps_total) / parts : gap;
    };
    point.explicit_steps = steps(lab.attempt(fmt::format("sweep-{:.0e}", H), text));
    point.implicit_steps =
        steps(lab.attempt(fmt::format("sweep-implicit-{:.0e}", H), text,
                          std::vector<std::string>{"couple.scheme=implicit", "solve.stop=adjusted"}));
    trials.sweep.push_back(point);
  }
}

/// All bodies of subsystems 4 and 8 that start well away from the wall at x = 0: (2.12) would be infinite for
/// most bodies on the other side.
std::vector<std::int64_t> contact_bodies(Lab& lab, std::int64_t masses) {
  const Trial start = lab.run("start", chain(lab, masses) + "simulate: {end: 1.0e-12, output: 1.0e-12}\n");
  const std::vector<double> x = start.results().positions(0, 1, 0, static_cast<std::size_t>(masses));
  std::vector<std::int64_t> bodies;
  for (const std::int64_t part : {4, 8})
    for (std::int64_t body = (part - 1) * masses / load_parts; body < part * masses / load_parts; ++body)
      if (x[static_cast<std::size_t>(body)] < -2e-5) bodies.push_back(body + 1);
  return bodies;
}

std::array<LoadTrial, 3> run_loads(Lab& lab, const std::string& name, const std::string& model, double end) {
  std::array<LoadTrial, 3> loads;
  const std::array<double, 3> sizes{1e-6, 5e-7, 1e-7};
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Trial trial =
        lab.run(fmt::format("{}-{:.0e}", name, sizes[i]), model + settings(end, load_parts, sizes[i], 1));
    loads[i] = {.H = sizes[i], .report = trial.report(), .timing = trial.results().timing()};
  }
  return loads;
}

}  // namespace

double micro_steps_from(double begin, const TimingHistory& timing) {
  double steps = 0, attempts = 0;
  if (timing.micro_steps.empty()) return gap;
  for (std::size_t row = 0; row < timing.t.size(); ++row) {
    if (timing.t[row] < begin) continue;
    for (std::size_t s = 0; s < timing.subsystems; ++s)
      steps += timing.micro_steps[row * timing.subsystems + s];
    attempts += static_cast<double>(timing.count[row]) * static_cast<double>(timing.subsystems);
  }
  return attempts > 0 ? steps / attempts : gap;
}

MicroStepsTrials run_micro_steps(Lab& lab) {
  MicroStepsTrials trials;
  trials.masses = std::clamp<std::int64_t>(lab.scaled(400) * load_parts, 200, 20'000);
  trials.end = 1e-3 * std::clamp(lab.scale(), 0.05, 1.0);
  run_stops(lab, trials);
  run_sweep(lab, trials);
  trials.contact_bodies = contact_bodies(lab, trials.masses);
  trials.homogeneous = run_loads(lab, "homogeneous", chain(lab, trials.masses), trials.end);
  const std::string contacts =
      fmt::format("    loads: [{{contact: {{bodies: [{}], A: -1.0e-2, B: 1.0e7}}}}]\n",
                  fmt::join(trials.contact_bodies, ", "));
  trials.heterogeneous = run_loads(lab, "heterogeneous", chain(lab, trials.masses, contacts), trials.end);
  return trials;
}

}  // namespace cosimo::studies
