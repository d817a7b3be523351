#include "studies/estimator_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/chains.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {
namespace {

/// Steps of other orders and sizes than asked for.
constexpr std::size_t start_phase = 20;
constexpr const char* solver = "{method: ida, rtol: 1.0e-12, atol_pos: 1.0e-12, atol_vel: 1.0e-10}";

std::string scenario(int model, const std::string& simulate, const std::string& control) {
  return fmt::format("{}partition: {{parts: 2}}\nsimulate: {{{}}}\ncontrol: {{order: 2, {}}}\nsolve: {}\n",
                     two_masses(model), simulate, control, solver);
}

/// Of the accepted steps: states at their ends, errors, forces.
struct Record {
  std::vector<double> t, x, v, u, pos, vel, estimate;  ///< x, v, pos, vel: two columns

  explicit Record(const Trial& trial) {
    const ResultFolder& results = trial.results();
    const StepHistory& steps = results.steps();
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps.accepted[i]) estimate.push_back(steps.error[i]);
    t = results.points();
    const std::size_t rows = t.size();
    u = results.coupling(0, rows, 0, 1);
    x = results.positions(1, rows, 0, 2);
    v = results.velocities(1, rows, 0, 2);
    pos = results.local_positions();
    vel = results.local_velocities();
  }
  std::size_t size() const { return t.size(); }
};

double extrapolated(const Record& r, std::size_t i) {
  double sum = 0;
  for (std::size_t a = i - 3; a < i; ++a) {
    double basis = 1;
    for (std::size_t b = i - 3; b < i; ++b)
      if (a != b) basis *= (r.t[i] - r.t[b]) / (r.t[a] - r.t[b]);
    sum += basis * r.u[a];
  }
  return sum;
}

/// Of the predicted coupling force, against the force at the local reference's states.
double force_error(const Record& r, int model, std::size_t i) {
  const double dx = r.x[2 * i + 1] - r.pos[2 * i + 1] - (r.x[2 * i] - r.pos[2 * i]),
               dv = r.v[2 * i + 1] - r.vel[2 * i + 1] - (r.v[2 * i] - r.vel[2 * i]);
  return std::fabs(extrapolated(r, i) - coupling_force(model, dx, dv));
}

/// (3.21) over both masses.
double norm(const std::vector<double>& error, const std::vector<double>& value, std::size_t i, double atol,
            double rtol) {
  const double a = error[2 * i] / (atol + rtol * std::fabs(value[2 * i])),
               b = error[2 * i + 1] / (atol + rtol * std::fabs(value[2 * i + 1]));
  return std::sqrt((a * a + b * b) / 2);
}

template <class Real>
ErrorCourse error_course(const Record& r, Real&& real) {
  ErrorCourse course;
  for (std::size_t i = start_phase; i < r.size(); ++i) {
    course.t.push_back(r.t[i]);
    course.estimated.push_back(r.estimate[i]);
    course.real.push_back(real(i));
  }
  return course;
}

FixedRun run_fixed(Lab& lab, const ModelRuns& m, std::size_t estimator) {
  const auto record = [&](const char* what, const char* weights) {
    return Record(lab.run(fmt::format("M{}-{}-fixed-{}", m.model, estimator_names[estimator], what),
                          scenario(m.model, fmt::format("end: {}, output: macro, local_error: true", m.end),
                                   fmt::format("step: {}, estimator: {}, rtol: 1.0e-30, {}", m.fixed_H,
                                               estimator_names[estimator], weights))));
  };
  FixedRun result;
  if (judges_forces(estimator)) {
    const Record r = record("force", "atol_u: 1");
    result.force = error_course(r, [&](std::size_t i) { return force_error(r, m.model, i); });
    return result;
  }
  const Record p = record("position", "atol_pos: 1, atol_vel: 1.0e30");
  result.position = error_course(p, [&](std::size_t i) { return norm(p.pos, p.x, i, 1, 0); });
  const Record v = record("velocity", "atol_pos: 1.0e30, atol_vel: 1");
  result.velocity = error_course(v, [&](std::size_t i) { return norm(v.vel, v.v, i, 1, 0); });
  return result;
}

std::string controlled(std::size_t estimator, double rtol) {
  return fmt::format(
      "estimator: {}, safety: 2, r_min: 0.75, r_max: 1.25, rtol: {:g}, atol_pos: {:g}, atol_vel: {:g}, "
      "atol_u: {:g}",
      estimator_names[estimator], rtol, 1e-3 * rtol, rtol, 1e3 * rtol);
}

double base_rtol(std::size_t estimator) {
  return judges_forces(estimator) ? 1e-3 : 1e-5;
}

ControlledCourse run_course(Lab& lab, const ModelRuns& m, std::size_t estimator) {
  const double rtol = base_rtol(estimator);
  const Trial trial =
      lab.run(fmt::format("M{}-{}", m.model, estimator_names[estimator]),
              scenario(m.model, fmt::format("end: {}, output: macro, local_error: true", m.end),
                       controlled(estimator, rtol)));
  ControlledCourse result;
  result.steps = trial.results().steps();
  result.t = trial.results().time();
  result.x1 = position_of(trial, 1);
  result.v1 = velocity_of(trial, 1);
  const Record r(trial);
  result.u = r.u;
  result.weighted = error_course(r, [&](std::size_t i) {
    if (judges_forces(estimator)) return force_error(r, m.model, i) / (1e3 * rtol + rtol * std::fabs(r.u[i]));
    return std::max(norm(r.pos, r.x, i, 1e-3 * rtol, rtol), norm(r.vel, r.v, i, rtol, rtol));
  });
  return result;
}

ControlledRun run_controlled(Lab& lab, const ModelRuns& m, std::size_t estimator, double rtol,
                             const Trial& reference) {
  const Trial trial =
      lab.run(fmt::format("M{}-{}-{:g}", m.model, estimator_names[estimator], rtol),
              scenario(m.model, fmt::format("end: {}, output: 1.0e-4, local_error: true", m.end),
                       controlled(estimator, rtol)));
  const Report& report = trial.report();
  const Comparison global = Lab::error(trial, reference);
  return {.rtol = rtol,
          .steps = static_cast<double>(report.macro_steps),
          .rejected = static_cast<double>(report.rejected_steps),
          .mean_H = report.mean_H,
          .local_pos = report.local_error->position,
          .local_vel = report.local_error->velocity,
          .global_pos = global.position,
          .global_vel = global.velocity};
}

/// Calls f(estimated, real) for the steps with an error above a tenth of the largest.
template <class F>
void over_large(const ErrorCourse& course, F&& f) {
  const double most = *std::max_element(course.real.begin(), course.real.end());
  for (std::size_t i = 0; i < course.t.size(); ++i)
    if (course.real[i] >= 0.1 * most) f(course.estimated[i], course.real[i]);
}

}  // namespace

double ErrorCourse::good_share() const {
  double counted = 0, good = 0;
  over_large(*this, [&](double e, double r) {
    counted += 1;
    good += e >= 0.5 * r && e <= 2 * r ? 1 : 0;
  });
  return good / counted;
}

double ErrorCourse::underestimate() const {
  double worst = 0;
  over_large(*this, [&](double e, double r) { worst = std::max(worst, r / e); });
  return worst;
}

double ErrorCourse::median_ratio() const {
  std::vector<double> ratios;
  over_large(*this, [&](double e, double r) { ratios.push_back(e / r); });
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

const ControlledRun& ModelRuns::base(std::size_t estimator) const {
  const auto& runs = controlled.at(estimator);
  return *std::find_if(runs.begin(), runs.end(),
                       [&](const ControlledRun& r) { return r.rtol == base_rtol(estimator); });
}

ModelRuns run_model(Lab& lab, int model, const EstimatorPlan& plan) {
  ModelRuns m;
  m.model = model;
  m.end = plan.end;
  m.fixed_H = model == 3 ? 1e-4 : 5e-4;
  const Trial reference = lab.run(
      fmt::format("M{}-reference", model),
      fmt::format("{}simulate: {{end: {}, output: 1.0e-4}}\nsolve: {}\n", two_masses(model), m.end, solver));
  m.t = reference.results().time();
  m.x1 = position_of(reference, 1);
  m.v1 = velocity_of(reference, 1);
  const std::vector<double> x2 = position_of(reference, 2), v2 = velocity_of(reference, 2);
  for (std::size_t i = 0; i < m.t.size(); ++i)
    m.u.push_back(coupling_force(model, x2[i] - m.x1[i], v2[i] - m.v1[i]));
  for (std::size_t e = 0; e < estimator_names.size(); ++e) {
    m.fixed[e] = run_fixed(lab, m, e);
    m.courses[e] = run_course(lab, m, e);
    for (const double rtol : plan.rtols)
      m.controlled[e].push_back(run_controlled(lab, m, e, rtol, reference));
  }
  return m;
}

}  // namespace cosimo::studies
