#include "integrator/one_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "core/checked_cast.hpp"
#include "integrator/error_sum.hpp"

namespace cosimo {

namespace {

constexpr int look_every = 16;  ///< accepted steps of a capped method
/// Of its longest step, where motion begins: what it misses there it carries along, undamped.
constexpr double gentle = 0.25;

/// What is left of `kept` when the accelerations within reach of the others are taken away.
Range out_of_reach(Range kept, std::size_t reach, std::size_t size) {
  const std::size_t first = kept.first > 0 ? kept.first + reach : 0;
  const std::size_t last = kept.last < size ? kept.last - std::min(kept.last, reach) : size;
  return first < last ? Range{first, last} : Range{};
}

Range intersection(Range a, Range b) {
  const Range both{std::max(a.first, b.first), std::min(a.last, b.last)};
  return both.first < both.last ? both : Range{};
}

void clear(Trace& trace) {
  trace.t.clear();
  trace.q.clear();
  trace.v.clear();
  trace.a.clear();
}

}  // namespace

struct OneStepIntegrator::MemorySnapshot final : Snapshot {
  Memory memory;
};

OneStepIntegrator::OneStepIntegrator(const System& system, const IntegratorOptions& options,
                                     std::vector<std::unique_ptr<Stepper>> steppers)
    : system_(system),
      constrained_(system.constrained()),
      extent_(system.extent()),
      options_(options),
      judged_(judged_range(options.judged, system.size())),
      steppers_(std::move(steppers)),
      pool_(system.size(), extent_),
      events_(system, options),
      dense_(system),
      watch_(system, options.tolerances) {
  if (constrained_ != nullptr && constrained_->constraints() > 0)
    projection_.emplace(*constrained_, options.tolerances);
}

void OneStepIntegrator::start(double t, std::span<const double> q, std::span<const double> v,
                              std::span<const double> z, std::span<const double> s) {
  COSIMO_CHECK(q.size() == system_.size() && v.size() == system_.size() && z.size() == extent_.z &&
                   s.size() == extent_.s,
               "start of an integrator");
  memory_ = {};
  grid_steps_ = 0;
  memory_.choice.implicit = steppers_.size() == 1 && stepper().traits().implicit;
  memory_.state = pool_.spare();
  State& state = memory_.state.edit();
  state.t = t;
  std::copy(q.begin(), q.end(), state.q.begin());
  std::copy(v.begin(), v.end(), state.v.begin());
  std::copy(z.begin(), z.end(), state.z.begin());
  std::copy(s.begin(), s.end(), state.s.begin());
  std::fill(state.sides.begin(), state.sides.end(), std::int8_t{0});
}

Point OneStepIntegrator::point() const {
  const State& state = *memory_.state;
  return {
      state.t,        state.q.data(), state.v.data(), first_, memory_.previous ? &*memory_.previous : nullptr,
      state.z.data(), first_rates_,   state.s.data()};
}

/// Accelerations at the beginning of an advance(). False when they are not finite.
bool OneStepIntegrator::enter() {
  if (extent_.states()) return enter_whole();
  const State& state = *memory_.state;
  const std::size_t n = system_.size();
  const auto driven = system_.driven();
  const Range known = driven.empty() || system_.reach() < n ? memory_.known : Range{};
  first_ = state.a.data();
  if (known.size() == n && driven.empty()) return true;
  if (patched_.size() != n) patched_.resize(n);
  auto evaluate = [&](Range dofs) {
    if (dofs.size() == 0) return true;
    return system_.acceleration(state.t, state.q.data(), state.v.data(), patched_.data(), dofs) &&
           std::all_of(patched_.data() + dofs.first, patched_.data() + dofs.last,
                       [](double a) { return std::isfinite(a); });
  };
  first_ = patched_.data();
  if (2 * known.size() <= n) ++memory_.counters.evaluations;  // to the nearest whole number
  std::copy_n(state.a.data() + known.first, known.size(), patched_.data() + known.first);
  if (!evaluate({0, known.first}) || !evaluate({known.last, n})) return false;
  return std::all_of(driven.begin(), driven.end(), [&](std::int32_t dof) {
    const auto i = static_cast<std::size_t>(dof);
    return i < known.first || i >= known.last || evaluate({i, i + 1});
  });
}

/// All accelerations and rates at the present state.
bool OneStepIntegrator::enter_whole() {
  if (patched_.size() != system_.size()) patched_.resize(system_.size());
  if (patched_rates_.size() != extent_.z) patched_rates_.resize(extent_.z);
  first_ = patched_.data();
  first_rates_ = patched_rates_.data();
  ++memory_.counters.evaluations;
  const auto finite = [](double x) { return std::isfinite(x); };
  return system_.evaluate(memory_.state->t, memory_.state->whole(), patched_.data(), patched_rates_.data()) &&
         std::all_of(patched_.begin(), patched_.end(), finite) &&
         std::all_of(patched_rates_.begin(), patched_rates_.end(), finite);
}

/// Makes sure that a step size is known, and that the one remembered is not blindly carried over
/// into what comes after a breakpoint.
void OneStepIntegrator::size_step(double t_stop) {
  StepMemory& step = memory_.step;
  if (step.h == 0 || memory_.at_breakpoint) {
    StateRef scratch = pool_.spare();
    const double limit = std::min({max_step_, cap(), t_stop - memory_.state->t});
    const double h =
        initial_step(system_, point(), options_.tolerances, judged_, stepper().traits().error_order, limit,
                     scratch.edit(), memory_.counters, team());
    step.h = std::min(step.h == 0 ? h : std::min(step.h, h), gentle * cap());
    memory_.at_breakpoint = false;
  }
  step.h = std::max(std::min({step.h, max_step_, cap()}), minimum_step(memory_.state->t, t_stop));
}

StepPlan OneStepIntegrator::plan(double t_end, double breakpoint) const {
  const double t = memory_.state->t;
  if (grid_) return plan_on_grid(*grid_, t, memory_.step, max_step_, breakpoint, cap());
  return plan_step(t, memory_.step.h, std::min(t_end, breakpoint), cap());
}

/// The next breakpoint, and how long steps may be until then.
double OneStepIntegrator::look_ahead() {
  const double t = memory_.state->t;
  max_step_ = std::min(options_.max_step, system_.longest_step(t));
  return system_.next_breakpoint(t);
}

AdvanceResult OneStepIntegrator::advance(double t_end, const Sampling& samples) {
  grid_.reset();
  watch_.begin();
  const std::int64_t grid_steps = std::exchange(grid_steps_, 0);
  if (samples.trace != nullptr) clear(*samples.trace);
  COSIMO_CHECK(
      samples.directions == nullptr || (constrained_ == nullptr && !extent_.states() && extent_.roots == 0),
      "sensitivities are not offered for systems with constraints, first-order states or events");
  directions_.begin(system_, samples.directions);
  std::size_t row = 0;
  for (; row < samples.times.size() && samples.times[row] <= memory_.state->t; ++row) {
    copy_row(*memory_.state, samples, row);
    memory_row(memory_.state->s.data(), samples, row);
  }
  if (!(memory_.state->t < t_end)) return {true, memory_.state->t, {}};
  if (!enter())
    return {false, memory_.state->t, "the acceleration is not finite at the beginning of the step"};
  if (grid_steps > 0) grid_.emplace(memory_.state->t, t_end, grid_steps);
  begin_ = memory_.state->t;
  if (const auto over = enter_events(t_end)) return *over;
  trace_row(samples.trace);
  return march(t_end, samples, row);
}

/// Step by step to the end. `row`: the next of the samples.
AdvanceResult OneStepIntegrator::march(double t_end, const Sampling& samples, std::size_t row) {
  double breakpoint = look_ahead();
  bool retry = false;
  for (std::int64_t attempts = 0; memory_.state->t < t_end; ++attempts) {
    const double t = memory_.state->t;
    if (interrupted(options_)) return {false, t, interrupted_reason};
    if (attempts >= options_.max_steps) return {false, t, "too many micro steps in one macro step"};
    if (choosing_pairs() && memory_.choice.unseen()) choose_first();
    if (stepper().traits().capped && (memory_.cap == 0 || memory_.since_look >= look_every))
      look_for_limit(memory_.direction ? SpectrumProbe::Start::last : SpectrumProbe::Start::anywhere);
    size_step(std::min(t_end, breakpoint));
    const StepPlan step = plan(t_end, breakpoint);
    const Point from = point();
    StateRef next = pool_.spare();
    next.edit().t = step.end;
    const double error = stepper().attempt(from, step.h, retry, next.edit(), memory_.counters);
    retry = !(error <= 1);
    if (retry) {
      reject();
      memory_.step.rejected(step.h, error, stepper().traits().error_order);
      if (memory_.step.h < minimum_step(t, t_end))
        return {
            false, t,
            "the micro step became too small: a force there jumps, or is too large for the masses it acts "
            "on (check loads, contacts and units)"};
      continue;
    }
    if (const double share = watched_share(from, *next, step.h); share < 1) {
      retry = true;
      reject();
      memory_.step.shortened(share * step.h);
      continue;
    }
    if (const auto law = watch_.lost_turn())
      return {.ok = false, .reached = t, .reason = turn_lost_reason, .law = *law};
    Meeting event = meet(from, *next, step.h, t_end);
    if (event.share < 1) {
      retry = true;
      reject();
      memory_.step.shortened(event.share * step.h);
      continue;
    }
    emit(from, *next, step.h, samples, row, event.at ? event.at->t : next->t);
    if (directions_.wanted()) stepper().carry({from, *next, step.h}, directions_, memory_.counters);
    if (event.at) {
      accept(step, error, event.at, event.at->t - t);
      memory_.previous = {};
      if (const auto over = leave_step(event)) return *over;
    } else {
      complete(from, next.edit());
      accept(step, error, std::move(next), step.h);
    }
    trace_row(samples.trace);
    if (memory_.state->t >= breakpoint) {
      memory_.at_breakpoint = true;
      memory_.cap = 0;
      memory_.previous = {};
      breakpoint = look_ahead();
    }
  }
  directions_.finish();
  return {true, t_end, {}};
}

/// An attempt was in vain.
void OneStepIntegrator::reject() {
  ++memory_.counters.rejected;
  if (choosing()) memory_.choice.record(0, stepper().cost(point()));
}

/// `covered`: the part of the step that is taken, less than all of it where an event ended it.
void OneStepIntegrator::accept(const StepPlan& plan, double error, StateRef next, double covered) {
  const StepperTraits traits = stepper().traits();
  if (constrained_ != nullptr) memory_.previous = std::move(memory_.state);
  memory_.state = std::move(next);
  memory_.known = {0, system_.size()};
  first_ = memory_.state->a.data();
  first_rates_ = memory_.state->z_rate.data();
  memory_.step.accepted(plan.h, error, traits.error_order, grid_ ? grid_evidence : 1.0, traits.control);
  memory_.last_step = covered;
  ++memory_.counters.steps;
  if (traits.implicit) ++memory_.stiff_steps;
  if (traits.capped) {
    ++memory_.merson_steps;
    ++memory_.since_look;
  }
  if (choosing()) {
    memory_.choice.record(covered, stepper().cost(point()));
    if (memory_.choice.window_full()) choose();
  }
}

/// At the present state.
SpectralBound OneStepIntegrator::spectral_bound() {
  const State& state = *memory_.state;
  if (constrained_ != nullptr) {
    const SpectralBound bound = probe_.estimate(*constrained_, state, options_.tolerances, memory_.counters);
    return spectrum_.estimate(*constrained_, state, state.a.data(), bound);
  }
  if (extent_.states()) return spectrum_.estimate(system_, state);
  if (!circles_) circles_.emplace(system_);
  return circles_->bound(state.t, state.q.data(), state.v.data(), team());
}

/// How long the steps of the method in use may be for its stability.
double OneStepIntegrator::cap() const {
  return stepper().traits().capped && memory_.cap > 0 ? memory_.cap : std::numeric_limits<double>::infinity();
}

/// The fastest motion here, and how long merson's steps may be for it.
void OneStepIntegrator::look_for_limit(SpectrumProbe::Start start) {
  if (constrained_ == nullptr) {
    memory_.fastest = spectral_bound();
  } else {
    const State& state = *memory_.state;
    StateRef next = pool_.spare();
    State& direction = next.edit();
    if (start == SpectrumProbe::Start::last) {
      std::copy(memory_.direction->q.begin(), memory_.direction->q.end(), direction.q.begin());
      std::copy(memory_.direction->v.begin(), memory_.direction->v.end(), direction.v.begin());
      direction.t = memory_.direction->t;
    }
    const SpectralBound found =
        probe_.follow(*constrained_, state, first_, options_.tolerances, start, direction, memory_.counters);
    memory_.direction = std::move(next);
    memory_.fastest = spectrum_.estimate(*constrained_, state, first_, found);
  }
  memory_.cap = merson_share * memory_.fastest.merson_step();
  memory_.since_look = 0;
}

/// The steps that a method would take from here: at its limit, or what its error allows. One attempt that
/// leads nowhere tells.
double OneStepIntegrator::prospect_of(Stepper& method, double limit) {
  const double t = memory_.state->t;
  const double h = std::min({limit, max_step_, system_.next_breakpoint(t) - t});
  if (!std::isfinite(h)) return 0;
  StateRef next = pool_.spare();
  next.edit().t = t + h;
  const double error = method.attempt(point(), h, false, next.edit(), memory_.counters);
  return std::min(limit, suitable_step(h, error, method.traits().error_order));
}

/// Before the first step: does merson begin?
void OneStepIntegrator::choose_first() {
  look_for_limit(SpectrumProbe::Start::anywhere);
  const SpectralBound& bound = memory_.fastest;
  const double rk_step = bound.swings() ? prospect_of(*steppers_[0], bound.stable_step()) : 0;
  const double merson_step = rk_step > 0 ? prospect_of(*steppers_[1], memory_.cap) : 0;
  if (!memory_.choice.begin(bound, rk_step, merson_step)) return;
  memory_.left_step = std::exchange(memory_.step, {});
}

/// At the end of a window of steps: which method next?
void OneStepIntegrator::choose() {
  MethodChoice& choice = memory_.choice;
  if (choice.merson)
    look_for_limit(SpectrumProbe::Start::last);
  else if (choice.needs_bound())
    memory_.fastest = spectral_bound();
  const SpectralBound bound = choice.merson || choice.needs_bound() ? memory_.fastest : SpectralBound{};
  const double left = options_.end - memory_.state->t;
  // Who drives a run beyond its end has more to do than can be told.
  Prospect prospect{.time_left = left > 0 ? left : options_.end, .longest_step = options_.max_step};
  prospect.costly_look = constrained_ != nullptr;
  if (choice.tempted(bound) || choice.implicit)
    prospect.cost = choice.implicit || choice.may_look(bound, steppers_.back()->count_cost(), prospect)
                        ? steppers_.back()->cost(point())
                        : std::numeric_limits<double>::infinity();
  if (choosing_pairs() && choice.considers_merson(bound, prospect)) {
    look_for_limit(SpectrumProbe::Start::estimate);
    prospect.merson_step = prospect_of(*steppers_[1], memory_.cap);
  }
  if (!choice.decide(bound, prospect)) return;
  if (!choice.on_trial()) {
    memory_.step = memory_.left_step;  // the method that was left goes on where it was
    memory_.cap = 0;                   // but looks anew how far it may go
    return;
  }
  memory_.left_step = memory_.step;
  StepMemory fresh;
  fresh.h = memory_.step.h;
  if (choice.merson)
    fresh.h = prospect.merson_step;
  else if (!choice.implicit)
    fresh.h = std::min(fresh.h, spectral_bound().stable_step());
  memory_.step = fresh;
}

std::unique_ptr<Snapshot> OneStepIntegrator::make_snapshot() const {
  return std::make_unique<MemorySnapshot>();
}

void OneStepIntegrator::save(Snapshot& snapshot) const {
  checked_cast<MemorySnapshot>(snapshot).memory = memory_;
}

void OneStepIntegrator::restore(const Snapshot& snapshot) {
  const Memory& saved = checked_cast<MemorySnapshot>(snapshot).memory;
  COSIMO_CHECK(saved.state, "a snapshot that was saved");
  memory_ = saved;
}

void OneStepIntegrator::overwrite(Range kept, std::span<const double> q, std::span<const double> v,
                                  const Recalled& recalled) {
  const auto& [z, s, roots] = recalled;
  const std::size_t n = system_.size();
  COSIMO_CHECK(memory_.state && q.size() == n && v.size() == n, "new states for a started integrator");
  COSIMO_CHECK(kept.first <= kept.last && kept.last <= n, "degrees of freedom that are kept");
  COSIMO_CHECK((z.empty() || z.size() == extent_.z) && (s.empty() || s.size() == extent_.s) &&
                   (roots.empty() || roots.size() == extent_.roots),
               "new states z, s");
  if (kept.size() == n && z.empty() && s.empty()) return;
  const State& from = *memory_.state;
  StateRef next = pool_.spare();
  State& to = next.edit();
  to.t = from.t;
  auto merge = [&](std::span<const double> own, std::span<const double> other, std::span<double> out) {
    std::copy_n(other.data(), kept.first, out.data());
    std::copy_n(own.data() + kept.first, kept.size(), out.data() + kept.first);
    std::copy_n(other.data() + kept.last, n - kept.last, out.data() + kept.last);
  };
  merge(from.q, q, to.q);
  merge(from.v, v, to.v);
  const auto replace = [](std::span<const double> own, std::span<const double> other, std::span<double> out) {
    std::copy_n(other.empty() ? own.data() : other.data(), out.size(), out.data());
  };
  replace(from.z, z, to.z);
  replace(from.s, s, to.s);
  to.sides = from.sides;
  find_signs(system_, from.t, from.whole(), to.sides);
  for (std::size_t k = 0; k < roots.size(); ++k)
    if (roots[k] != 0) to.sides[k] = 0;
  const Range known = intersection(memory_.known, out_of_reach(kept, std::min(system_.reach(), n), n));
  std::copy_n(from.a.data() + known.first, known.size(), to.a.data() + known.first);
  memory_.previous = {};
  memory_.state = std::move(next);
  memory_.known = known;
}

void OneStepIntegrator::use_grid(std::int64_t steps) {
  COSIMO_CHECK(steps >= 0, "steps of a grid");
  grid_steps_ = steps;
}

void OneStepIntegrator::inherit(const Integrator& other) {
  const auto* from = &checked_cast<OneStepIntegrator>(other);
  COSIMO_CHECK(from->steppers_.size() == steppers_.size() &&
                   from->steppers_.front()->traits().name == steppers_.front()->traits().name,
               "an integrator of the same kind");
  COSIMO_CHECK(memory_.state, "an integrator that was started");
  Memory memory = from->memory_;
  memory.state = std::move(memory_.state);
  memory.previous = {};
  memory.direction = {};
  memory.cap = 0;
  memory.known = memory_.known;
  memory_ = std::move(memory);
}

Integrator::Status OneStepIntegrator::status() const {
  return {memory_.counters,
          stepper().traits().name,
          memory_.choice.switches,
          memory_.stiff_steps,
          memory_.merson_steps,
          memory_.last_step,
          std::min(memory_.step.equal_steps(memory_.last_step), cap())};
}

}  // namespace cosimo
