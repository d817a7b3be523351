#include "studies/interface_jacobian_rod.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cosimo::studies {
namespace rod {
namespace {

std::string scenario(int masses, const std::string& spring, double end, const std::string& jacobian) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: {0}, mass: {1}, spring: {{{2}}}, ends: [fixed, free],
          loads: [{{impulse: {{bodies: [{0}], amplitude: -5.0e5, start: 5.0e-7, duration: 5.0e-5, steepness: 1.0e-7}}}}]}}
simulate: {{end: {3}, output: {3}}}
partition: {{parts: {4}}}
couple: {{scheme: implicit, jacobian: {5}, max_iterations: 10}}
control: {{estimator: imMD, rtol: 1.0e-5, max_steps: 100000}}
solve: {{method: ida, rtol: 1.0e-8}}
)",
                     masses, mass / masses, spring, end, parts, jacobian);
}

std::string ratios(const EffortSweep& s, double (EffortSweep::*of)(std::size_t) const) {
  std::string text;
  for (std::size_t i = 0; i < s.values.size(); ++i)
    text += fmt::format("{}{:.2f}", i ? ", " : "", (s.*of)(i));
  return text;
}
}  // namespace

double damping(double ratio) {
  return 2 * ratio * std::sqrt(stiffness * mass);
}

std::string at_cuts(double cut, double next, double rest) {
  std::string blocks = fmt::format("{{count: 5, value: {}}}", rest);
  for (int i = 1; i < parts; ++i)
    blocks += fmt::format(", {{count: 1, value: {}}}, {{count: 1, value: {}}}, {{count: 3, value: {}}}", cut,
                          next, rest);
  return fmt::format("{{blocks: [{}, {{count: 1, value: {}}}]}}", blocks, rest);
}

Bench::Bench(Lab& lab, Finding& finding)
    : lab_(lab),
      finding_(finding),
      whole_(lab.scale() >= 0.2),
      end_(3e-5 * std::clamp(lab.scale(), 0.1, 6.0)) {}

EffortSweep Bench::sweep(const std::string& parameter, std::vector<double> values,
                         std::vector<std::string> jacobians, const Spring& spring,
                         const std::function<int(double)>& masses) {
  if (!whole_ && values.size() > 2) values = {values.front(), values[values.size() / 2]};
  EffortSweep result{parameter, values, jacobians, {}};
  for (const std::string& jacobian : jacobians) {
    std::vector<Effort>& efforts = result.efforts.emplace_back();
    for (const double value : values) {
      const int n = masses ? masses(value) : elements;
      const Trial trial = lab_.attempt(fmt::format("rod-{}-{:g}", parameter.substr(0, 3), value),
                                       scenario(n, spring(value), end_of(n), jacobian));
      efforts.push_back(effort_of(trial.report()));
    }
  }
  return result;
}

void Bench::judge(std::string published, std::string where, std::string ours, bool holds,
                  std::string reason) {
  finding_.statements.push_back(
      whole_ ? judged(std::move(published), std::move(where), std::move(ours), holds, std::move(reason))
             : not_shown(std::move(published), std::move(where), "this scale runs too few values"));
}

void Bench::judge_alike(const EffortSweep& s, std::string published, std::string where) {
  judge(std::move(published), std::move(where),
        fmt::format("steps of sap over those of fd {}, iterations {}", ratios(s, &EffortSweep::steps_ratio),
                    ratios(s, &EffortSweep::iterations_ratio)),
        s.largest_difference() <= 0.25, "a ratio is more than a quarter away from 1");
}

void Bench::show(const EffortSweep& s, const std::string& id, const std::string& title,
                 const std::string& where, bool draw) {
  if (draw) {
    finding_.figures.push_back(steps_figure(s, id + "-steps", title + ": macro steps", where));
    finding_.figures.push_back(
        iterations_figure(s, id + "-iterations", title + ": corrector iterations", where));
  }
  finding_.tables.push_back(effort_table(s, id, title + " (" + where + ")"));
}

}  // namespace rod

void study_rod(Lab& lab, Finding& finding) {
  rod::Bench bench(lab, finding);
  finding.settings.push_back(fmt::format(
      "Example 1: rod of Table A.3 in 20 subsystems, implicit, imMD, rtol 1e-5, at most 10 "
      "iterations; {:.2g} s (the "
      "document does not say how long). d_i is such that the damping ratio of an element is "
      "1e-3 per element of the "
      "rod: 0.1 for 100 masses, 1 for 1000; otherwise the growth of the ratio with n_K that "
      "the text speaks of is not "
      "to be had. IDA with rtol 1e-8: with the usual 1e-6 the estimate drowns in the solver's "
      "noise: 1000 masses took 2571 steps with fd and 332 with sap, which tells nothing about Jacobians.",
      bench.end()));
  rod::study_discretization(bench);
  rod::study_damping_ratio(bench);
  rod::study_series(bench);
  rod::study_couplings(bench);
  rod::study_neighbours(bench);
  rod::study_nonlinear(bench);
}

}  // namespace cosimo::studies
