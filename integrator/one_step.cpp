#include "integrator/one_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.hpp"

namespace cosimo {

struct OneStepIntegrator::MemorySnapshot final : Snapshot {
  Memory memory;
};

OneStepIntegrator::OneStepIntegrator(const System& system, const IntegratorOptions& options,
                                     std::vector<std::unique_ptr<Stepper>> steppers)
    : system_(system),
      options_(options),
      steppers_(std::move(steppers)),
      pool_(system.size()),
      dense_(system) {}

void OneStepIntegrator::start(double t, std::span<const double> q, std::span<const double> v) {
  COSIMO_CHECK(q.size() == system_.size() && v.size() == system_.size(), "start of an integrator");
  memory_ = {};
  memory_.choice.implicit = steppers_.size() == 1 && stepper().traits().implicit;
  memory_.state = pool_.spare();
  State& state = memory_.state.edit();
  state.t = t;
  std::copy(q.begin(), q.end(), state.q.begin());
  std::copy(v.begin(), v.end(), state.v.begin());
}

Point OneStepIntegrator::point() const {
  const State& state = *memory_.state;
  return {state.t, state.q.data(), state.v.data(), first_};
}

/// Accelerations at the beginning of an advance(). False when they are not finite.
bool OneStepIntegrator::enter() {
  const State& state = *memory_.state;
  const std::size_t n = system_.size();
  const auto driven = system_.driven();
  first_ = state.a.data();
  if (memory_.has_accelerations && driven.empty()) return true;
  if (patched_.size() != n) patched_.resize(n);
  auto evaluate = [&](Range dofs) {
    return system_.acceleration(state.t, state.q.data(), state.v.data(), patched_.data(), dofs) &&
           std::all_of(patched_.data() + dofs.first, patched_.data() + dofs.last,
                       [](double a) { return std::isfinite(a); });
  };
  first_ = patched_.data();
  if (!memory_.has_accelerations || system_.reach() >= n) {
    ++memory_.counters.evaluations;
    return evaluate({0, n});
  }
  std::copy(state.a.begin(), state.a.end(), patched_.begin());
  return std::all_of(driven.begin(), driven.end(), [&](std::int32_t dof) {
    const auto i = static_cast<std::size_t>(dof);
    return evaluate({i, i + 1});
  });
}

/// Makes sure that a step size is known, and that the one remembered is not blindly carried over
/// into what comes after a breakpoint.
void OneStepIntegrator::size_step(double t_stop) {
  StepMemory& step = memory_.step;
  if (step.h == 0 || memory_.at_breakpoint) {
    StateRef scratch = pool_.spare();
    const double limit = std::min(options_.max_step, t_stop - memory_.state->t);
    const double h = initial_step(system_, point(), options_.tolerances, stepper().traits().error_order,
                                  limit, scratch.edit(), memory_.counters);
    step.h = step.h == 0 ? h : std::min(step.h, h);
    memory_.at_breakpoint = false;
  }
  step.h = std::min(step.h, options_.max_step);
}

AdvanceResult OneStepIntegrator::advance(double t_end, const Sampling& samples) {
  std::size_t row = 0;
  for (; row < samples.times.size() && samples.times[row] <= memory_.state->t; ++row)
    copy_row(*memory_.state, samples, row);
  if (!(memory_.state->t < t_end)) return {true, memory_.state->t, {}};
  if (!enter())
    return {false, memory_.state->t, "the acceleration is not finite at the beginning of the step"};

  double breakpoint = system_.next_breakpoint(memory_.state->t);
  bool retry = false;
  for (std::int64_t attempts = 0; memory_.state->t < t_end; ++attempts) {
    const double t = memory_.state->t;
    if (interrupted(options_)) return {false, t, interrupted_reason};
    if (attempts >= options_.max_steps) return {false, t, "too many micro steps in one macro step"};
    const double t_stop = std::min(t_end, breakpoint);
    size_step(t_stop);
    const StepPlan plan = plan_step(t, memory_.step.h, t_stop);
    const Point from = point();
    StateRef next = pool_.spare();
    const double error = stepper().attempt(from, plan.h, retry, next.edit(), memory_.counters);
    retry = !(error <= 1);
    if (retry) {
      ++memory_.counters.rejected;
      if (choosing()) memory_.choice.record(0, stepper().traits().cost);
      memory_.step.rejected(plan.h, error, stepper().traits().error_order);
      if (memory_.step.h < minimum_step(t)) return {false, t, "the micro step became too small"};
      continue;
    }
    next.edit().t = plan.lands ? t_stop : t + plan.h;
    emit(from, *next, plan.h, samples, row);
    accept(plan, error, std::move(next));
    if (memory_.state->t >= breakpoint) {
      memory_.at_breakpoint = true;
      breakpoint = system_.next_breakpoint(memory_.state->t);
    }
  }
  return {true, t_end, {}};
}

void OneStepIntegrator::accept(const StepPlan& plan, double error, StateRef next) {
  const StepperTraits traits = stepper().traits();
  memory_.state = std::move(next);
  memory_.has_accelerations = true;
  first_ = memory_.state->a.data();
  memory_.step.accepted(plan.h, error, traits.error_order);
  memory_.last_step = plan.h;
  ++memory_.counters.steps;
  if (traits.implicit) ++memory_.stiff_steps;
  if (choosing()) {
    memory_.choice.record(plan.h, traits.cost);
    if (memory_.choice.window_full()) choose();
  }
}

/// At the end of a window of steps: which method next?
void OneStepIntegrator::choose() {
  if (tangent_.mass.empty()) tangent_ = Tangent(system_.pattern());
  const State& state = *memory_.state;
  system_.tangent(state.t, state.q.data(), state.v.data(), tangent_);
  const SpectralBound bound = gershgorin(system_.pattern(), tangent_, rows_);
  if (!memory_.choice.decide(bound, steppers_.front()->traits().cost)) return;
  StepMemory fresh;
  fresh.h = memory_.step.h;
  if (!memory_.choice.implicit) fresh.h = std::min(fresh.h, bound.stable_step());
  memory_.step = fresh;
}

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

std::unique_ptr<Snapshot> OneStepIntegrator::make_snapshot() const {
  return std::make_unique<MemorySnapshot>();
}

void OneStepIntegrator::save(Snapshot& snapshot) const {
  auto* own = dynamic_cast<MemorySnapshot*>(&snapshot);
  COSIMO_CHECK(own != nullptr, "a snapshot of another kind of integrator");
  own->memory = memory_;
}

void OneStepIntegrator::restore(const Snapshot& snapshot) {
  const auto* own = dynamic_cast<const MemorySnapshot*>(&snapshot);
  COSIMO_CHECK(own != nullptr && own->memory.state,
               "a snapshot that was saved by the same kind of integrator");
  memory_ = own->memory;
}

Integrator::Status OneStepIntegrator::status() const {
  return {memory_.counters, stepper().traits().name, memory_.choice.switches, memory_.stiff_steps,
          memory_.last_step};
}

}  // namespace cosimo
