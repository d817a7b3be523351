// What is known of the motion within a step: samples and traces for the caller, and what switches there.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "integrator/error_sum.hpp"
#include "integrator/one_step.hpp"

namespace cosimo {

/// Fills the samples of an accepted step: up to its end, or until an event inside.
void OneStepIntegrator::emit(const Point& from, const State& to, double h, const Sampling& samples,
                             std::size_t& row, double until) {
  const auto times = samples.times;
  const auto inside = [&] { return row < times.size() && times[row] < to.t && times[row] <= until; };
  if (inside() && !(samples.dofs.empty() && samples.states.empty())) {
    Range dofs{0, system_.size()};
    if (!projection_ && !samples.dofs.empty()) {
      const auto [low, high] = std::minmax_element(samples.dofs.begin(), samples.dofs.end());
      dofs = {static_cast<std::size_t>(*low), static_cast<std::size_t>(*high) + 1};
    }
    const bool resolved = resolve(from, to, h, dofs);
    for (; inside(); ++row) {
      const double theta = (times[row] - from.t) / h;
      if (projection_)
        projected_row(times[row], theta, resolved, samples, row);
      else
        interpolate_row(theta, resolved, samples, row);
      memory_row(from.s, samples, row);
    }
  }
  if (until < to.t) return;
  for (; row < times.size() && times[row] <= to.t; ++row) {
    copy_row(to, samples, row);
    memory_row(from.s, samples, row);
  }
}

/// Makes the dense output of a step ready. False: hermite() alone.
bool OneStepIntegrator::resolve(const Point& from, const State& to, double h, Range dofs) {
  dense_.take(from, to, h);
  if (!stepper().traits().inner_accelerations) return false;
  memory_.counters.evaluations += dense_.evaluations();
  return dense_.prepare(from, to, h, dofs, team());
}

/// motion(dof) for every wanted degree of freedom.
template <class F>
void OneStepIntegrator::fill_row(const Sampling& samples, std::size_t row, F motion) const {
  const std::size_t columns = samples.dofs.size();
  double *const q = samples.position.data() + row * columns, *const v =
                                                                 samples.velocity.data() + row * columns;
  auto work = [&](Share& mine) {
    for (std::size_t k = mine.rows.first; k < mine.rows.last; ++k) {
      const Motion m = motion(static_cast<std::size_t>(samples.dofs[k]));
      q[k] = m.q;
      v[k] = m.v;
    }
  };
  in_shares(team(), columns, work);
}

void OneStepIntegrator::copy_row(const State& state, const Sampling& samples, std::size_t row) const {
  fill_row(samples, row, [&](std::size_t dof) { return Motion{state.q[dof], state.v[dof]}; });
  for (std::size_t k = 0; k < samples.states.size(); ++k)
    if (const auto i = static_cast<std::size_t>(samples.states[k]); i < extent_.z)
      samples.state[row * samples.states.size() + k] = state.z[i];
}

void OneStepIntegrator::memory_row(const double* s, const Sampling& samples, std::size_t row) const {
  for (std::size_t k = 0; k < samples.states.size(); ++k)
    if (const auto i = static_cast<std::size_t>(samples.states[k]); i >= extent_.z)
      samples.state[row * samples.states.size() + k] = s[i - extent_.z];
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

/// Interpolated as a whole and brought onto the constraints: near singular positions, where accelerations
/// leave a constraint alone for a moment, velocities between the steps would show it.
void OneStepIntegrator::projected_row(double t, double theta, bool resolved, const Sampling& samples,
                                      std::size_t row) {
  StateRef scratch = pool_.spare();
  scratch.edit().t = t;
  state_inside(theta, resolved, scratch.edit());
  copy_row(*scratch, samples, row);
}

void OneStepIntegrator::know_all() {
  const auto number = [](std::vector<std::int32_t>& list, std::size_t size) {
    if (list.size() == size) return;
    list.resize(size);
    std::iota(list.begin(), list.end(), 0);
  };
  number(all_, system_.size());
  number(all_states_, extent_.z);
}

/// q, v and z inside a step, at the time that `out` has.
void OneStepIntegrator::state_inside(double theta, bool resolved, State& out) {
  know_all();
  interpolate_row(theta, resolved, {{{&out.t, 1}, all_, out.q, out.v, all_states_, out.z}}, 0);
  if (!projection_) return;
  bool moved = false;
  // Where there is no such state nearby the interpolated one is what there is: project() leaves it.
  static_cast<void>(projection_->project(out.t, out.q, out.v, moved));
}

/// Where a step is much longer than the fastest motion, accelerations are noise times stiffness and
/// useless for interpolation. The method's own extension then differs from ours by more than the
/// tolerance, and is the one to trust.
void OneStepIntegrator::interpolate_row(double theta, bool resolved, const Sampling& samples,
                                        std::size_t row) const {
  const ErrorWeights weights(options_.tolerances, system_.angles());
  const StateWeights state_weights(options_.tolerances, system_.nominals());
  const bool extension = system_.size() > 0 ? stepper().stage_interpolant(theta, 0).has_value()
                                            : stepper().state_interpolant(theta, 0).has_value();
  const DenseOutput::Course course = dense_.course(theta, resolved);
  bool use_stages = !resolved && extension;
  for (const std::int32_t i : samples.dofs) {
    const auto dof = static_cast<std::size_t>(i);
    if (use_stages || !extension) break;
    const auto safe = stepper().stage_interpolant(theta, dof);
    const Motion m = course.at(dof);
    use_stages = !(std::fabs(m.q - safe->q) <= weights.q(dof, safe->q) &&
                   std::fabs(m.v - safe->v) <= weights.v(dof, safe->v));
  }
  for (const std::int32_t i : samples.states) {
    const auto k = static_cast<std::size_t>(i);
    if (use_stages || !extension) break;
    if (k >= extent_.z) continue;
    const double safe = *stepper().state_interpolant(theta, k);
    use_stages = !(std::fabs(dense_.z(theta, k) - safe) <= state_weights(k, safe));
  }
  if (use_stages)
    fill_row(samples, row, [&](std::size_t dof) { return *stepper().stage_interpolant(theta, dof); });
  else
    fill_row(samples, row, [&](std::size_t dof) { return course.at(dof); });
  for (std::size_t j = 0; j < samples.states.size(); ++j) {
    const auto k = static_cast<std::size_t>(samples.states[j]);
    if (k >= extent_.z) continue;
    samples.state[row * samples.states.size() + j] = use_stages ? *stepper().state_interpolant(theta, k)
                                                     : resolved ? dense_.z(theta, k)
                                                                : dense_.hermite_z(theta, k);
  }
}

/// How much of an attempted step may be taken for the switches that it passes.
double OneStepIntegrator::watched_share(const Point& from, const State& to, double h) {
  if (watch_.idle() || h <= minimum_step(from.t, from.t + h)) return 1;
  dense_.take(from, to, h);
  const auto motion = [&](double theta, double* q, double* v) {
    for (const std::int32_t dof : watch_.dofs()) {
      const auto i = static_cast<std::size_t>(dof);
      if (theta == 0 || theta == 1) {
        q[i] = theta == 0 ? from.q[i] : to.q[i];
        v[i] = theta == 0 ? from.v[i] : to.v[i];
        continue;
      }
      const auto own = stepper().stage_interpolant(theta, i);
      const Motion m = own ? *own : dense_.hermite(theta, i);
      q[i] = m.q;
      v[i] = m.v;
    }
  };
  return watch_.longest(from.t, h, std::cref(motion));
}

}  // namespace cosimo
