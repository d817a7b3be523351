#include "studies/safety_trials.hpp"

#include <fmt/format.h>

#include <cmath>

#include "studies/chains.hpp"

namespace cosimo::studies {
namespace {

/// Micro steps in sequence when every subsystem has a core: of the slowest subsystem of every attempted macro
/// step, with all repetitions. timing.h5 tells those of the last integration of an attempt; an iterating
/// scheme integrates once more for each iteration, taken to cost the same.
double critical_path(const TimingHistory& timing, const StepHistory& steps) {
  if (timing.micro_steps.size() != timing.t.size() * timing.subsystems)
    throw LabFailure("timing.h5 does not tell micro steps");
  double total = 0;
  std::size_t attempt = 0;
  for (std::size_t row = 0; row < timing.t.size(); ++row) {
    const auto first = timing.micro_steps.begin() + static_cast<std::ptrdiff_t>(row * timing.subsystems);
    const double slowest = *std::max_element(first, first + static_cast<std::ptrdiff_t>(timing.subsystems));
    const auto attempts = static_cast<std::size_t>(timing.count[row]);
    double integrations = 0;
    for (const std::size_t end = std::min(attempt + attempts, steps.size()); attempt < end; ++attempt)
      integrations += 1 + steps.iterations[attempt];
    total += slowest * integrations / static_cast<double>(attempts);
  }
  return total;
}

SafetyRun run_once(Lab& lab, const SafetyModel& model, const std::string& estimator, double rtol,
                   double safety, bool local) {
  const std::string text = fmt::format(
      "{}partition: {{parts: {}}}\nsimulate: {{end: {:.17g}, output: {:.17g}, record: coupling, local_error: "
      "{}}}\ncontrol: {{estimator: {}, order: 2, dead_zone: false, safety: {}, rtol: {:g}, atol_pos: {:g}, "
      "atol_vel: {:g}}}\nsolve: {{method: {}}}\n",
      safety_chain(model.masses, lab.seed()), model.parts, model.end, model.end / 10, local, estimator,
      safety, rtol, 1e-4 * rtol, rtol, model.solver);
  const Trial trial =
      lab.run(fmt::format("{}-{}-rtol{:g}-safety{}", model.masses, estimator, rtol, safety), text);
  const Report& r = trial.report();
  SafetyRun result{.safety = safety,
                   .accepted = static_cast<double>(r.macro_steps),
                   .failed = static_cast<double>(r.rejected_steps),
                   .cpu_s = r.cpu_s};
  if (r.local_error) result.local_error = std::hypot(r.local_error->position, r.local_error->velocity);
  result.iterations = static_cast<double>(r.corrector_iterations) / (result.accepted + result.failed);
  result.work = critical_path(trial.results().timing(), trial.results().steps());
  return result;
}

std::string label(const SafetySeries& s) {
  return fmt::format("{} rtol {:g}", s.estimator, s.rtol);
}

}  // namespace

SafetySeries run_series(Lab& lab, const SafetyModel& model, const std::string& estimator, double rtol,
                        const std::vector<double>& safeties, bool local) {
  SafetySeries series{.estimator = estimator, .rtol = rtol};
  for (const double safety : safeties)
    series.runs.push_back(run_once(lab, model, estimator, rtol, safety, local));
  return series;
}

Figure over_safety(Figure figure, const std::vector<SafetySeries>& all,
                   const std::function<double(const SafetyRun&)>& value) {
  figure.x = {.label = "safety factor"};
  for (const SafetySeries& s : all) {
    Course course{.name = label(s)};
    for (const SafetyRun& r : s.runs) {
      if (std::isnan(value(r))) continue;
      course.x.push_back(r.safety);
      course.y.push_back(value(r));
    }
    if (!course.x.empty()) figure.courses.push_back(std::move(course));
  }
  return figure;
}

}  // namespace cosimo::studies
