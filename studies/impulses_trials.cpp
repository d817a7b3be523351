#include "studies/impulses_trials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace cosimo::studies {

ImpulseExtent::ImpulseExtent(double scale) {
  const double root = std::cbrt(scale);
  parts = std::clamp<std::int64_t>(std::llround(5 * root), 3, 100);
  per_part = std::clamp<std::int64_t>(2 * std::llround(10 * root), 12, 1000);
  end = std::clamp(0.01 * root, 1.5e-3, 1.0);
  if (scale >= 0.3) return;
  small = true;
  end = 2.5e-4;
  brief = 1.3e-4;
  tolerances = {1e-4, 1e-6};
  estimators = {"exMD", "imMD"};
}

std::vector<double> pulse_starts(double end) {
  std::vector<double> starts{1e-4};
  for (int i = 1; i < 10 && 0.1 * i < end; ++i) starts.push_back(0.1 * i);
  return starts;
}

std::vector<std::int64_t> ImpulseChain::loaded() const {
  std::vector<std::int64_t> bodies;
  const std::int64_t before = extended ? end_part : 0;
  for (std::int64_t i = 1; i < parts; ++i)
    for (const std::int64_t side : {0, 1}) bodies.push_back(before + i * per_part + side);
  return bodies;
}

std::vector<std::int64_t> ImpulseChain::cuts() const {
  // Element i joins body i-1 to body i.
  const std::int64_t before = extended ? end_part : 0;
  std::vector<std::int64_t> elements;
  if (extended) elements.push_back(end_part + 1);
  if (repartitioned)
    for (std::int64_t i = 0; i < parts; ++i) elements.push_back(before + i * per_part + per_part / 2 + 1);
  else
    for (std::int64_t i = 1; i < parts; ++i) elements.push_back(before + i * per_part + 1);
  if (extended) elements.push_back(masses() - end_part + 1);
  return elements;
}

std::string ImpulseChain::text(std::uint64_t seed) const {
  std::string D = "5.0e-5";
  if (coupling_damping != 5e-5) {
    D = fmt::format("{{blocks: [{{count: {}, value: 5.0e-5}}", per_part);
    for (std::int64_t i = 1; i < parts; ++i)
      D += fmt::format(", {{count: 1, value: {:.17g}}}, {{count: {}, value: 5.0e-5}}", coupling_damping,
                       i + 1 < parts ? per_part - 1 : per_part);
    D += "]}";
  }
  std::string loads = fmt::format(
      "      - impulse: {{bodies: [{}], sign: alternating, amplitude: 1.0e6, start: [{}], duration: 1.0e-3, "
      "steepness: 1.0e-6}}\n",
      fmt::join(loaded(), ", "), fmt::join(pulse_starts(1), ", "));
  if (contacts) {
    const std::int64_t last = masses() - end_part;
    loads += fmt::format("      - contact: {{bodies: [3, 5, 7, {}, {}, {}], A: -1.0e-2, B: 5.0e5}}\n",
                         last + 19, last + 21, last + 24);
  }
  return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: {}
    mass: 5.0e-5
    spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: {}}}
    initial: {{x: {}, v: {{uniform: [-100, 100]}}}}
    seed: {}
    loads:
{})",
                     masses(), D, extended ? "0" : "{uniform: [-1.0e-2, 1.0e-2]}", seed, loads);
}

std::string ImpulseChain::partition() const {
  return fmt::format("partition: {{method: manual, cuts: [{}]}}\n", fmt::join(cuts(), ", "));
}

ImpulseBench::ImpulseBench(Lab& lab, ImpulseChain chain, double end)
    : lab_(&lab),
      chain_(chain),
      end_(end),
      model_(chain.text(lab.seed())),
      reference_(lab.run("reference", model_ + simulate() + "solve: {method: auto, rtol: 1.0e-10}\n")) {}

std::string ImpulseBench::simulate() const {
  return fmt::format("simulate: {{end: {:.17g}, output: {:.17g}, record: [{}]}}\n", end_, end_ / 300,
                     fmt::join(chain_.loaded(), ", "));
}

Trial ImpulseBench::trial(const std::string& estimator, double rtol,
                          const std::vector<std::string>& overrides) const {
  return lab_->run(fmt::format("{}-{:.0e}", estimator, rtol),
                   model_ + simulate() + chain_.partition() + controlled(estimator, rtol), overrides);
}

Cost ImpulseBench::measured(const Trial& trial, const std::string& estimator, double rtol) const {
  Cost cost = cost_of(trial, estimator, rtol);
  cost.error = Lab::error(trial, reference_).both;
  return cost;
}

Cost ImpulseBench::cost(const std::string& estimator, double rtol,
                        const std::vector<std::string>& overrides) const {
  return measured(trial(estimator, rtol, overrides), estimator, rtol);
}

Cost ImpulseBench::fixed(const std::string& scheme, double H, int kappa) const {
  const Trial trial =
      lab_->run(fmt::format("fixed-{}", scheme),
                model_ + simulate() + chain_.partition() +
                    fmt::format("couple: {{scheme: {}}}\ncontrol: {{step: {:.17g}, order: {}}}\nsolve: "
                                "{{method: ida, rtol: 1.0e-6, "
                                "atol_pos: 1.0e-9, atol_vel: 1.0e-6}}\n",
                                scheme == "implicit" ? "implicit, jacobian: fd" : scheme, H, kappa));
  return measured(trial, "fixed step, " + scheme, 0);
}

Cost ImpulseBench::uncut() const {
  return measured(lab_->run("uncut", model_ + simulate() + "solve: {method: ida}\n"), "uncut", 0);
}

StepRange step_range(const Trial& trial, double from, double to) {
  const StepHistory& steps = trial.results().steps();
  StepRange range;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps.accepted[i] || steps.t[i] < from || steps.t[i] >= to) continue;
    range.lowest = std::min(range.lowest, steps.kappa[i]);
    sizes.push_back(steps.H[i]);
  }
  if (sizes.empty()) return range;
  std::sort(sizes.begin(), sizes.end());
  range.shortest = sizes.front();
  range.median = sizes[sizes.size() / 2];
  return range;
}

Course step_course(const Trial& trial, std::string name, bool degree) {
  constexpr std::size_t most = 600;
  const StepHistory& steps = trial.results().steps();
  std::vector<double> t, y;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps.accepted[i]) continue;
    t.push_back(steps.t[i]);
    y.push_back(degree ? steps.kappa[i] : steps.H[i]);
  }
  Course course{.name = std::move(name), .style = Course::Style::steps};
  const std::size_t group = std::max<std::size_t>(1, 2 * t.size() / most);
  for (std::size_t i = 0; i < t.size(); i += group) {
    const auto first = y.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last = y.begin() + static_cast<std::ptrdiff_t>(std::min(i + group, y.size()));
    auto [low, high] = std::minmax_element(first, last);
    if (high < low) std::swap(low, high);
    const auto add = [&](auto point) {
      course.x.push_back(t[static_cast<std::size_t>(point - y.begin())]);
      course.y.push_back(*point);
    };
    add(low);
    if (low != high) add(high);
  }
  return course;
}

}  // namespace cosimo::studies
