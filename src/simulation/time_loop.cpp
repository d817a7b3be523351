#include "simulation/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/archive.hpp"
#include "core/flush_tiny.hpp"
#include "simulation/checkpoints.hpp"
#include "simulation/connect.hpp"
#include "simulation/motion_scale.hpp"

namespace cosimo {

namespace {

// Two times closer than this, relative to the step, are the same instant.
constexpr double same_time = 1e-9;

// Output times further apart than this many macro steps are not worth meeting.
constexpr double many_steps = 16;

StepRow row_of(const Window& window, const Candidate& candidate, bool accepted, const PointView& point) {
  StepRow row;
  row.t = window.begin;
  row.H = window.size();
  row.kappa = candidate.kappa;
  row.error = candidate.ok ? candidate.norms.largest() : INFINITY;
  row.accepted = accepted;
  row.iterations = candidate.iterations;
  row.converged = candidate.converged;
  row.worst = candidate.worst.value;
  row.layers = point.layers;
  return row;
}

/// By its name; parts of the model have numbers only.
std::string subsystem(PartId part, const Assembly& assembly) {
  const std::size_t parts = assembly.partition.parts.size();
  if (part.index() < parts || part.index() - parts >= assembly.wiring.components.size())
    return fmt::format("subsystem {}", part.label());
  return fmt::format("subsystem {} ({})", part.label(),
                     assembly.wiring.components[part.index() - parts]->name());
}

/// What had to be ended does not give its state: then why there is no checkpoint.
std::string write_in_a_step(Checkpoints& checkpoints, TimeLoop& loop, const Assembly& assembly) {
  try {
    checkpoints.write(loop);
  } catch (const ArchiveError& error) {
    if (!assembly.exchange->single()) throw;  // others wait for this rank's part
    return fmt::format(", without a checkpoint: {}", error.what());
  }
  return {};
}

}  // namespace

TimeLoop::TimeLoop(const Assembly& assembly, LaneSet& lanes, Scheme& scheme, MacroControl& control,
                   const LoopOptions& options, Observer& observer, LocalReference* local,
                   const std::atomic<bool>* interrupt)
    : assembly_(assembly),
      lanes_(lanes),
      scheme_(scheme),
      control_(control),
      options_(options),
      observer_(observer),
      local_(local),
      interrupt_(interrupt),
      row_q_(assembly.own_columns.size()),
      row_v_(assembly.own_columns.size()),
      row_outputs_(assembly.outputs.size()) {
  if (local_) {
    full_q_.resize(assembly.model->coordinate_count());
    full_v_.resize(assembly.model->coordinate_count());
    const Extent memory = remembered_extent(*assembly.model);
    full_memory_.assign(memory.z + memory.s, std::numeric_limits<double>::quiet_NaN());
  }
}

LoopResult TimeLoop::advance(double until) {
  const FlushTiny tiny;
  until_ = options_.open_end ? until : std::min(until, options_.end);
  LoopResult result = march();
  if (result.status != LoopResult::Status::ok) final_output();
  return result;
}

bool TimeLoop::set(std::size_t coordinate, bool rate, double value) {
  const FlushTiny tiny;
  if (assembly_.seam->any(!lanes_.rewind())) return false;
  lanes_.set(t_, coordinate, rate, value);
  lanes_.adopt(t_);
  scheme_.restart();
  if (begun_) decision_ = control_.restart(t_);
  return true;
}

bool TimeLoop::set_input(std::size_t input, const Polynomial& course) {
  const FlushTiny tiny;
  if (assembly_.seam->any(!lanes_.rewind())) return false;
  Polynomial& now = assembly_.wiring.outer->inputs[input].course;
  const bool other = course(t_) != now(t_);
  now = course;
  if (!other) return true;
  lanes_.adopt(t_);
  if (scheme_.renew() && begun_) decision_ = control_.restart(t_);
  return true;
}

void TimeLoop::state(std::span<double> q, std::span<double> v) const {
  lanes_.recorded_state(scheme_.variables(), q, v);
}

void TimeLoop::final_output() {
  const FlushTiny tiny;
  if (t_ <= last_output_ || assembly_.seam->any(!lanes_.rewind())) return;
  state(row_q_, row_v_);
  observer_.output(t_, row_q_, row_v_);
  tell_outputs(t_);
  last_output_ = t_;
}

void TimeLoop::outputs(std::span<double> values) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = scheme_.variables()[assembly_.outputs[i].variable];
}

/// At an instant of the step that was accepted last.
void TimeLoop::tell_outputs(double t) {
  if (row_outputs_.empty()) return;
  for (std::size_t i = 0; i < row_outputs_.size(); ++i) {
    const Assembly::Output& output = assembly_.outputs[i];
    row_outputs_[i] = scheme_.variable_at(output.variable, t, output.held);
  }
  observer_.outputs(row_outputs_);
}

void TimeLoop::begin() {
  if (begun_) return;
  lanes_.sections().start();
  decision_ = control_.first();
  state(row_q_, row_v_);
  observer_.output(0.0, row_q_, row_v_);
  tell_outputs(0.0);
  begun_ = true;
}

LoopResult TimeLoop::march() {
  begin();
  if (local_) take_full_state();
  while (t_ < until_) {
    const Verdict verdict = vote();
    if (verdict.stop) return stopped(LoopResult::Status::failed, "the results could not be written");
    if (checkpoints_ != nullptr && (verdict.checkpoint || verdict.interrupt)) checkpoints_->write(*this);
    if (verdict.interrupt) return stopped(LoopResult::Status::interrupted, "interrupted by the user");
    if (assembly_.cut() && accepted_ >= options_.max_steps)
      return stopped(LoopResult::Status::failed,
                     fmt::format("all control.max_steps = {} macro steps are used up", accepted_));

    const Window window = event_ ? Window{t_, event_->time} : plan(decision_);
    const Attempt attempt{window, scheme_.admissible(decision_.kappa)};
    collect_outputs(window);
    Candidate candidate = scheme_.attempt(attempt, output_times_);
    if (options_.rollback_every > 0 && !repeat_for_test(attempt, candidate)) return failure(candidate);

    if (!candidate.ok && assembly_.seam->any(interrupted())) {
      scheme_.abandon();
      std::string lost;
      if (checkpoints_ != nullptr) lost = write_in_a_step(*checkpoints_, *this, assembly_);
      return stopped(LoopResult::Status::interrupted, "interrupted by the user" + lost);
    }
    if (candidate.early) {
      scheme_.reject();
      if (const std::string failure = approach_event(candidate); !failure.empty())
        return stopped(LoopResult::Status::failed, failure);
      continue;
    }
    const PartId culprit = event_ ? event_->culprit : PartId{};
    event_.reset();
    const bool good = candidate.ok && (!options_.judge || Controller::passes(candidate.norms));
    if (good) {
      scheme_.accept();
      assembly_.scale->seen.raise_to(largest_of_all(*assembly_.exchange, lanes_.motion()));
      if (local_ && !measure_local_error(window))
        return stopped(LoopResult::Status::failed,
                       fmt::format("the local reference could not be integrated from t = {:.9g}; run without "
                                   "simulate.local_error",
                                   window.begin));
      record(window, candidate);
      decision_ = control_.accepted({t_, window.size(), decision_.H, candidate});
      if (scheme_.ends_early())
        if (const std::string failure = fire(culprit); !failure.empty())
          return stopped(LoopResult::Status::failed, failure);
    } else {
      if (candidate.ok) candidate.worst = scheme_.worst();
      scheme_.reject();
      observer_.step(row_of(window, candidate, false, scheme_.point()), scheme_, scheme_.cost());
      if (!options_.judge) return failure(candidate);
      const StepOutcome outcome{t_, window.size(), decision_.H, candidate};
      decision_ = candidate.ok ? control_.rejected(outcome) : control_.failed(outcome);
    }
    if (options_.judge && decision_.too_small) return step_too_small(candidate, decision_.H);
  }
  return stopped(LoopResult::Status::ok, "");
}

/// A subsystem found that its outputs jump before the end of the step: the next attempt ends there. Returns
/// why that cannot go on; empty: it can.
std::string TimeLoop::approach_event(const Candidate& candidate) {
  constexpr int most = 100;
  if (++approaches_ > most)
    return fmt::format("subsystem {} finds another event whenever a step ends at the one before it",
                       candidate.culprit.label());
  const double least = 1e-14 * std::max(std::fabs(t_), options_.end);
  if (candidate.reached > t_ + least) {
    event_ = Event{candidate.reached, candidate.culprit};
    return {};
  }
  // It is due now: the step before came to an end just short of it.
  if (assembly_.seam->any(!lanes_.rewind())) return "a step could not be taken back to meet an event";
  return fire(candidate.culprit);
}

std::string TimeLoop::fire(PartId culprit) {
  const Scheme::Events events = scheme_.fire(culprit);
  if (culprit.valid() || events.jumped) approaches_ = 0;
  if (events.jumped) {
    ++events_;
    decision_ = control_.restart(t_);
  }
  return events.failure;
}

void TimeLoop::archive(Archive& a) {
  if (!a.loading()) begin();  // a state that nothing has been planned from cannot be gone on from
  a.section("time loop");
  a(time_, t_, accepted_, attempts_, events_, next_output_, last_output_, decision_.H, decision_.kappa,
    decision_.too_small);
  // What the start shows may have been left unfinished by the interrupt that wrote the checkpoint.
  MotionSizes seen = assembly_.scale->seen;
  a(seen.length.position, seen.length.velocity, seen.angle.position, seen.angle.velocity);
  assembly_.scale->seen.raise_to(seen);
  if (a.loading()) begun_ = true;
}

bool TimeLoop::interrupted() const {
  return interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed);
}

/// What any rank has been told or wishes, as all ranks see it.
TimeLoop::Verdict TimeLoop::vote() {
  const Observer::Wishes wishes = observer_.wishes();
  std::array<std::int64_t, 4> words{interrupted() ? 1 : 0, wishes.flush ? 1 : 0, wishes.checkpoint ? 1 : 0,
                                    wishes.stop ? 1 : 0};
  assembly_.exchange->sum(words);
  if (words[1] > 0 && words[3] == 0) observer_.flush();
  return {words[0] > 0, words[2] > 0, words[3] > 0};
}

/// The next window: what the controller asks for, shortened so that it meets the end of the advance and, in a
/// controlled run, the edges of the loads.
Window TimeLoop::plan(const Decision& decision) const {
  if (!assembly_.cut()) {
    const double H = uncut_window();
    const double end = H * std::floor(t_ / H * (1 + same_time) + 1);
    return {t_, end > until_ * (1 - same_time) ? until_ : end};
  }
  if (options_.fixed_step) {
    const double next = time_.after(next_fixed());
    return {t_, next > until_ - same_time * *options_.fixed_step ? until_ : next};
  }
  double target = std::min(until_, assembly_.graph->next_breakpoint(t_));
  // A state at a macro point needs no interpolation. An output time that differs from where the step
  // begins or ends by rounding only is none of its own.
  const bool near = options_.meet_outputs && *options_.output > 0.6 * decision.H &&
                    *options_.output < many_steps * decision.H;
  if (near || options_.meet_all_outputs) {
    const double output = output_time(next_output_),
                 margin = same_time * std::min(decision.H, *options_.output);
    if (output > t_ + margin && output < target - margin) target = output;
  }
  const double left = target - t_;
  if (left <= decision.H * (1 + same_time)) return {t_, target};
  if (left < 2 * decision.H) return {t_, t_ + 0.5 * left};
  return {t_, t_ + decision.H};
}

/// Histories begin with short steps, where the components allow them.
double TimeLoop::next_fixed() const {
  return options_.even_steps ? *options_.fixed_step : fixed_step(*options_.fixed_step, accepted_, t_);
}

/// Uncut runs have no coupling and so no macro step of their own: they advance in a hundred windows
/// (for progress and interruption), shorter ones when a window's recorded rows would need much memory.
double TimeLoop::uncut_window() const {
  double H = options_.end / 100;
  if (options_.output) {
    const double row_bytes = 16.0 * static_cast<double>(std::max<std::size_t>(1, assembly_.collected.size()));
    const double rows = std::max(1.0, std::floor(64e6 / row_bytes));
    if (H > rows * *options_.output) H = rows * *options_.output;
  }
  return H;
}

double TimeLoop::output_time(std::int64_t k) const {
  const double t = static_cast<double>(k) * *options_.output;
  return t > options_.end - same_time * *options_.output ? options_.end : t;
}

/// Output times inside (t_N, t_N+1].
void TimeLoop::collect_outputs(const Window& window) {
  output_times_.clear();
  if (!options_.output) {
    output_times_.push_back(window.end);
    return;
  }
  const double dt = *options_.output;
  for (std::int64_t k = next_output_;; ++k) {
    double t = static_cast<double>(k) * dt;
    if (t > options_.end - same_time * dt) {
      // The last row is the end of the run, whether or not it is a multiple of the output step.
      if (window.end < options_.end || t > options_.end + dt * (1 - same_time)) break;
      t = options_.end;
    }
    if (t > window.end) break;
    output_times_.push_back(t);
  }
}

void TimeLoop::record(const Window& window, const Candidate& candidate) {
  if (options_.fixed_step) time_.advance(next_fixed());
  if (time_.value() != window.end) time_.set(window.end);
  t_ = window.end;
  ++accepted_;
  for (std::size_t k = 0; k < output_times_.size(); ++k) {
    lanes_.sample(k, row_q_, row_v_);
    observer_.output(output_times_[k], row_q_, row_v_);
    tell_outputs(output_times_[k]);
    last_output_ = output_times_[k];
  }
  next_output_ += static_cast<std::int64_t>(output_times_.size());
  observer_.step(row_of(window, candidate, true, scheme_.point()), scheme_, scheme_.cost());
  observer_.macro_point(t_, window.size(), candidate.kappa);
}

/// False when the reference itself could not be integrated.
/// For references that start at this macro point.
void TimeLoop::take_full_state() {
  lanes_.state(full_q_, full_v_);
  lanes_.remembered(full_memory_);
}

bool TimeLoop::measure_local_error(const Window& window) {
  if (!local_->advance(window, full_q_, full_v_, full_memory_)) return false;
  const PointView point = scheme_.point();
  local_->measure(point.y, point.predicted);
  take_full_state();
  return true;
}

/// Test hook: a step taken back and repeated with the same H and order must give the same bits.
bool TimeLoop::repeat_for_test(const Attempt& attempt, Candidate& candidate) {
  if (candidate.ok && ++attempts_ % options_.rollback_every == 0) {
    scheme_.reject();
    candidate = scheme_.attempt(attempt, output_times_);
  }
  return candidate.ok || options_.judge;
}

std::string TimeLoop::name(CouplingId coupling) const {
  if (!coupling.valid() || coupling.index() >= assembly_.interface.couplings.size()) return "";
  return fmt::format("coupling {} ({})", coupling.label(), coupling_name(assembly_, coupling));
}

/// What was wrong with a candidate whose subsystems all came through.
std::string TimeLoop::complaint(const Candidate& candidate) const {
  const std::string where = name(candidate.worst);
  if (!candidate.ok) return fmt::format("{}{}{}", candidate.reason, where.empty() ? "" : " at ", where);
  return where.empty() ? "the estimated error is not finite" : "the largest weighted error is at " + where;
}

LoopResult TimeLoop::failure(const Candidate& candidate) const {
  LoopResult result = stopped(LoopResult::Status::failed, "");
  if (candidate.culprit.valid()) {
    result.culprit = subsystem(candidate.culprit, assembly_);
    result.reason = fmt::format("{} at t = {:.9g}: {}", result.culprit, candidate.reached, candidate.reason);
  } else {
    result.culprit = name(candidate.worst);
    result.reason =
        fmt::format("at t = {:.9g}{}{}: {}; try a smaller control.step, a lower order, or step control",
                    candidate.reached, result.culprit.empty() ? "" : " ", result.culprit, candidate.reason);
  }
  return result;
}

LoopResult TimeLoop::step_too_small(const Candidate& candidate, double H) const {
  LoopResult result = stopped(LoopResult::Status::failed, "");
  const bool torn = !candidate.ok && candidate.culprit.valid();
  if (torn && options_.fixed_step) return failure(candidate);
  if (torn) {
    result.culprit = subsystem(candidate.culprit, assembly_);
    result.reason = fmt::format("the macro step fell to {:.3g} at t = {:.9g} because {} failed: {}", H, t_,
                                result.culprit, candidate.reason);
  } else if (options_.fixed_step) {
    result.culprit = name(candidate.worst);
    result.reason = fmt::format(
        "no layers hold control.step = {:.3g} at t = {:.9g}; {}; try a smaller control.step, or step control",
        *options_.fixed_step, t_, complaint(candidate));
  } else {
    result.culprit = name(candidate.worst);
    result.reason = fmt::format(
        "the macro step fell to {:.3g} at t = {:.9g}; {}; try a larger control.rtol{}, a smaller "
        "control.min_step, or another cut",
        H, t_, complaint(candidate), assembly_.overlap ? "" : " or atol_u");
  }
  return result;
}

LoopResult TimeLoop::stopped(LoopResult::Status status, std::string reason) const {
  return {status, t_, std::move(reason), ""};
}

}  // namespace cosimo
