// What is known of the motion within a step: samples and traces for the caller, and what switches there.
#include <algorithm>
#include <cmath>
#include <functional>

#include "integrator/one_step.hpp"

namespace cosimo {

/// Fills the samples up to the end of an accepted step.
void OneStepIntegrator::emit(const Point& from, const State& to, double h, const Sampling& samples,
                             std::size_t& row) {
  const auto times = samples.times;
  if (row < times.size() && times[row] < to.t && !samples.dofs.empty()) {
    const auto [low, high] = std::minmax_element(samples.dofs.begin(), samples.dofs.end());
    const Range dofs{static_cast<std::size_t>(*low), static_cast<std::size_t>(*high) + 1};
    const bool resolved = dense_.prepare(from, to, h, dofs);
    memory_.counters.evaluations += 2;
    for (; row < times.size() && times[row] < to.t; ++row)
      interpolate_row((times[row] - from.t) / h, resolved, samples, row);
  }
  for (; row < times.size() && times[row] <= to.t; ++row) copy_row(to, samples, row);
}

void OneStepIntegrator::copy_row(const State& state, const Sampling& samples, std::size_t row) const {
  const std::size_t columns = samples.dofs.size();
  for (std::size_t k = 0; k < columns; ++k) {
    const auto dof = static_cast<std::size_t>(samples.dofs[k]);
    samples.position[row * columns + k] = state.q[dof];
    samples.velocity[row * columns + k] = state.v[dof];
  }
}

void OneStepIntegrator::trace_row(Trace* trace) const {
  if (trace == nullptr) return;
  const State& state = *memory_.state;
  trace->t.push_back(state.t);
  for (const std::int32_t dof : trace->dofs) {
    const auto i = static_cast<std::size_t>(dof);
    trace->q.push_back(state.q[i]);
    trace->v.push_back(state.v[i]);
    trace->a.push_back(first_[i]);
  }
}

/// Where a step is much longer than the fastest motion, accelerations are noise times stiffness and
/// useless for interpolation. The method's own extension then differs from ours by more than the
/// tolerance, and is the one to trust.
void OneStepIntegrator::interpolate_row(double theta, bool resolved, const Sampling& samples,
                                        std::size_t row) const {
  const std::size_t columns = samples.dofs.size();
  const Tolerances& tol = options_.tolerances;
  bool use_stages = !resolved && stepper().stage_interpolant(theta, 0).has_value();
  for (const std::int32_t i : samples.dofs) {
    const auto dof = static_cast<std::size_t>(i);
    if (use_stages) break;
    const auto safe = stepper().stage_interpolant(theta, dof);
    if (!safe) break;
    const Motion m = dense_.at(theta, dof);
    use_stages = !(std::fabs(m.q - safe->q) <= tol.atol_pos + tol.rtol * std::fabs(safe->q) &&
                   std::fabs(m.v - safe->v) <= tol.atol_vel + tol.rtol * std::fabs(safe->v));
  }
  for (std::size_t k = 0; k < columns; ++k) {
    const auto dof = static_cast<std::size_t>(samples.dofs[k]);
    const Motion m = use_stages ? *stepper().stage_interpolant(theta, dof)
                     : resolved ? dense_.at(theta, dof)
                                : dense_.hermite(theta, dof);
    samples.position[row * columns + k] = m.q;
    samples.velocity[row * columns + k] = m.v;
  }
}

/// How much of an attempted step may be taken for the switches that it passes.
double OneStepIntegrator::watched_share(const Point& from, const State& to, double h) {
  if (watch_.idle() || h <= minimum_step(from.t)) return 1;
  dense_.take(from, to, h);
  const auto motion = [&](double theta, double* q, double* v) {
    for (const std::int32_t dof : watch_.dofs()) {
      const auto i = static_cast<std::size_t>(dof);
      const auto own = theta > 0 && theta < 1 ? stepper().stage_interpolant(theta, i) : std::nullopt;
      const Motion m = own ? *own : dense_.hermite(theta, i);
      q[i] = m.q;
      v[i] = m.v;
    }
  };
  return watch_.longest(from.t, h, std::cref(motion));
}

}  // namespace cosimo
