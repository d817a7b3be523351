// Memory of elements and events in the steps of IDA. After an event it begins anew.
#include <algorithm>

#include "core/check.hpp"
#include "integrator/ida_integrator.hpp"

namespace cosimo {

/// q, v and z within the last step.
void Ida::interpolate(double t, State& out) const {
  const Interpolation at = memory_.interpolation(t);
  const StateLayout& layout = problem_->space().layout();
  out.t = t;
  for (const std::span<double> x : {out.q, out.v, out.z}) std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t j = 0; j < at.count; ++j) {
    const Scaled row = read_scaled(memory_.history(j));
    const double c = at.c[j] * row.c;
    const auto add = [&](std::span<double> x, const double* from) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += c * from[i];
    };
    add(out.q, row.values);
    add(out.v, row.values + layout.stride);
    add(out.z, row.values + layout.first_state());
  }
  bool moved = false;
  // Where there is no such state nearby the interpolated one is what there is.
  if (projection_) static_cast<void>(projection_->project(t, out.q, out.v, moved));
}

/// The memory after a step that has led to y.
void Ida::commit(double t, const Whole& y) {
  if (extent_.s == 0) return;
  std::copy(s_.begin(), s_.end(), committed_.begin());
  system_.commit(t, y, committed_.data());
}

/// The state within the last step where it is to end, complete.
bool Ida::place(double t) {
  interpolate(t, *at_);
  commit(t, {at_->q.data(), at_->v.data(), at_->z.data(), s_.data()});
  std::copy(committed_.begin(), committed_.end(), at_->s.begin());
  at_->sides = sides_;
  return events_.evaluate(*at_, before_);
}

/// Goes on from this state.
void Ida::take_over(const State& state) {
  before_ = counters();
  const StateLayout& layout = problem_->space().layout();
  double* const y = write(y_.get());
  std::copy(state.q.begin(), state.q.end(), y);
  std::copy(state.v.begin(), state.v.end(), y + layout.stride);
  std::copy(state.z.begin(), state.z.end(), y + layout.first_state());
  std::copy(state.s.begin(), state.s.end(), s_.begin());
  sides_ = state.sides;
  time_ = state.t;
  resume_ = Resume::state;
}

/// Whether the last step, from `from` on, has ended on another side of a root; then at_ is the state where it
/// went over, or, where the advance must end early, just before.
Ida::Meeting Ida::meet(double from, double t_end, double begin) {
  if (events_.idle()) return {};
  const StateLayout& layout = problem_->space().layout();
  const double* const y = read(memory_.history(0));
  if (!events_.roots().crossed(memory_.time(), {y, y + layout.stride, y + layout.first_state(), s_.data()})) {
    events_.roots().confirm();
    return {};
  }
  const double h = memory_.time() - from;
  const RootWatch::Bracket bracket = events_.roots().locate(from, h, [&](double theta) {
    interpolate(from + theta * h, *at_);
    return Whole{at_->q.data(), at_->v.data(), at_->z.data(), s_.data()};
  });
  events_.choose(events_.roots().passed());
  Meeting event{.there = true};
  event.ok = place(from + bracket.after * h);
  if (!event.ok || !events_.must_end(*at_)) return event;
  if (t_end - at_->t <= event_at_end * (t_end - begin)) return {};
  event.early = true;
  event.ok = place(from + bracket.before * h);
  return event;
}

/// The event that is chosen, at the state at_. False when there is no motion after it.
bool Ida::fire_now() {
  const bool ok = events_.fire(*at_, ahead(), before_);
  take_over(*at_);
  return ok;
}

/// Events at the state at_, until none is left. A result where the advance ends with that.
std::optional<AdvanceResult> Ida::fire_due() {
  for (int round = 0; events_.find_due(point_of(*at_), ahead()); ++round) {
    if (round == most_rounds) return AdvanceResult{false, at_->t, endless_events_reason};
    if (events_.must_end(*at_)) return AdvanceResult{true, at_->t, {}, true, events_.chosen()};
    if (!fire_now()) return AdvanceResult{false, at_->t, broken_event_reason};
  }
  return std::nullopt;
}

/// at_ becomes the present state, with its rates. False when they are not finite.
bool Ida::load_present() {
  const StateLayout& layout = problem_->space().layout();
  const double* const y = read(y_.get());
  at_->t = time_;
  std::copy_n(y, at_->q.size(), at_->q.begin());
  std::copy_n(y + layout.stride, at_->v.size(), at_->v.begin());
  std::copy_n(y + layout.first_state(), at_->z.size(), at_->z.begin());
  std::copy(s_.begin(), s_.end(), at_->s.begin());
  at_->sides = sides_;
  events_.roots().begin(sides_);
  return events_.evaluate(*at_, before_);
}

/// At the beginning of an advance().
std::optional<AdvanceResult> Ida::enter_events(double t_end) {
  if (events_.idle() || !(time_ < t_end)) return std::nullopt;
  if (!load_present()) return AdvanceResult{false, time_, "a force overflows at the initial state"};
  const double ahead_at_start = ahead() > 0 ? ahead() : short_step * (t_end - time_);
  events_.roots().find_unknown(time_, at_->whole(), {at_->a.data(), at_->z_rate.data()}, ahead_at_start);
  sides_.assign(events_.roots().sides().begin(), events_.roots().sides().end());
  at_->sides = sides_;
  return fire_due();
}

/// After a step within which there is an event.
std::optional<AdvanceResult> Ida::leave_step(const Meeting& event) {
  take_over(*at_);
  if (!event.ok) return AdvanceResult{false, time_, broken_event_reason};
  if (event.early) return AdvanceResult{true, time_, {}, true, events_.chosen()};
  if (!fire_now()) return AdvanceResult{false, time_, broken_event_reason};
  return fire_due();
}

std::span<const std::int8_t> Ida::due(double ahead) {
  if (events_.idle() || !load_present()) return {};
  events_.roots().due(time_, at_->whole(), {at_->a.data(), at_->z_rate.data()}, ahead);
  return events_.roots().passed();
}

Fired Ida::fire(std::span<const std::int8_t> crossed) {
  COSIMO_CHECK(crossed.size() == extent_.roots && !events_.idle(), "an event of the roots of the system");
  events_.choose(crossed);
  // Where there is no motion before or after it, the next advance() says so.
  static_cast<void>(load_present());
  static_cast<void>(fire_now());
  return events_.kind();
}

}  // namespace cosimo
