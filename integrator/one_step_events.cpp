// Memory of elements and events in the steps of the one-step methods.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.hpp"
#include "integrator/one_step.hpp"

namespace cosimo {
namespace {

void copy_state(const State& from, State& to) {
  to.t = from.t;
  std::copy(from.q.begin(), from.q.end(), to.q.begin());
  std::copy(from.v.begin(), from.v.end(), to.v.begin());
  std::copy(from.a.begin(), from.a.end(), to.a.begin());
  std::copy(from.z.begin(), from.z.end(), to.z.begin());
  std::copy(from.z_rate.begin(), from.z_rate.end(), to.z_rate.begin());
  std::copy(from.s.begin(), from.s.end(), to.s.begin());
  to.sides = from.sides;
}

}  // namespace

/// At the end of an accepted step: the memory from now on. Sides stay; only events change them.
void OneStepIntegrator::complete(const Point& from, State& to) const {
  if (extent_.s > 0) {
    std::copy_n(from.s, extent_.s, to.s.begin());
    system_.commit(to.t, {to.q.data(), to.v.data(), to.z.data(), from.s}, to.s.data());
  }
  std::copy(roots_.sides().begin(), roots_.sides().end(), to.sides.begin());
}

/// Accelerations and rates of a state that no step has led to. False when they are not finite.
bool OneStepIntegrator::evaluate(State& state) {
  ++memory_.counters.evaluations;
  const auto finite = [](double x) { return std::isfinite(x); };
  return system_.evaluate(state.t, state.whole(), state.a.data(), state.z_rate.data()) &&
         std::all_of(state.a.begin(), state.a.end(), finite) &&
         std::all_of(state.z_rate.begin(), state.z_rate.end(), finite);
}

/// The state inside a step where it is to end, complete.
bool OneStepIntegrator::place(const Point& from, double theta, double h, bool resolved, State& out) {
  out.t = from.t + theta * h;
  state_inside(theta, resolved, out);
  complete(from, out);
  return evaluate(out);
}

/// What the event would do to a state.
Fired OneStepIntegrator::rehearse(const State& state, StateRef& after) {
  after = pool_.spare();
  copy_state(state, after.edit());
  State& s = after.edit();
  Editable y{s.q, s.v, s.z, s.s};
  return system_.fire(s.t, fired_, y);
}

/// An attempted step that is good but ends on another side of a root: the state where it goes over, or, where
/// the advance must end early, just before.
OneStepIntegrator::Meeting OneStepIntegrator::meet(const Point& from, const State& to, double h,
                                                   double t_end) {
  if (roots_.idle() || !roots_.crossed(to.t, {to.q.data(), to.v.data(), to.z.data(), from.s})) return {};
  const bool resolved = dense_.prepare(from, to, h, {0, system_.size()});
  memory_.counters.evaluations += dense_.evaluations();
  Meeting event;
  event.at = pool_.spare();
  State& at = event.at.edit();
  const RootWatch::Bracket bracket = roots_.locate(from.t, h, [&](double theta) {
    at.t = from.t + theta * h;
    state_inside(theta, resolved, at);
    return Whole{at.q.data(), at.v.data(), at.z.data(), from.s};
  });
  std::copy(roots_.passed().begin(), roots_.passed().end(), fired_.begin());
  event.ok = place(from, bracket.after, h, resolved, at);
  StateRef after;
  if (!event.ok || rehearse(at, after) != Fired::outputs || !options_.end_early) return event;
  if (t_end - at.t <= event_at_end * (t_end - begin_)) return {};
  event.early = true;
  event.ok = place(from, bracket.before, h, resolved, at);
  return event;
}

/// The event of the roots in fired_ at the present state. False when there is no motion after it.
bool OneStepIntegrator::fire_now() {
  StateRef after;
  fired_kind_ = rehearse(*memory_.state, after);
  State& state = after.edit();
  const bool ok =
      projection_ ? projection_->settle(state, state.s.data(), false, memory_.counters) : evaluate(state);
  roots_.settle(fired_, state.t, state.whole(), {state.a.data(), state.z_rate.data()}, ahead());
  state.sides.assign(roots_.sides().begin(), roots_.sides().end());
  memory_.state = std::move(after);
  memory_.known = {0, system_.size()};
  memory_.previous = {};
  if (fired_kind_ != Fired::none) memory_.at_breakpoint = true;
  first_ = memory_.state->a.data();
  first_rates_ = memory_.state->z_rate.data();
  return ok;
}

/// Which roots are on another side at the present state and stay there, into fired_. Those that are zero up
/// to rounding, as a yield condition during plastic flow, are no event.
bool OneStepIntegrator::find_due() {
  const State& state = *memory_.state;
  if (!roots_.crossed(state.t, state.whole())) return false;
  std::copy(roots_.passed().begin(), roots_.passed().end(), fired_.begin());
  roots_.due(state.t, state.whole(), rates(), ahead());
  for (std::size_t k = 0; k < fired_.size(); ++k)
    if (roots_.passed()[k] == 0) fired_[k] = 0;
  return std::any_of(fired_.begin(), fired_.end(), [](std::int8_t x) { return x != 0; });
}

/// Events at the present state, until none is left. A result where the advance ends with that.
std::optional<AdvanceResult> OneStepIntegrator::fire_due() {
  for (int round = 0; find_due(); ++round) {
    const double t = memory_.state->t;
    if (round == most_rounds) return AdvanceResult{false, t, endless_events_reason};
    StateRef after;
    if (options_.end_early && rehearse(*memory_.state, after) == Fired::outputs)
      return AdvanceResult{true, t, {}, true, fired_};
    if (!fire_now()) return AdvanceResult{false, t, broken_event_reason};
  }
  return std::nullopt;
}

/// At the beginning of an advance().
std::optional<AdvanceResult> OneStepIntegrator::enter_events(double t_end) {
  if (roots_.idle()) return std::nullopt;
  const State& state = *memory_.state;
  roots_.begin(state.sides);
  const double ahead_at_start = ahead() > 0 ? ahead() : short_step * (t_end - state.t);
  roots_.find_unknown(state.t, state.whole(), rates(), ahead_at_start);
  return fire_due();
}

/// After accept() of the state that meet() has found.
std::optional<AdvanceResult> OneStepIntegrator::leave_step(const Meeting& event) {
  const double t = memory_.state->t;
  if (!event.ok) return AdvanceResult{false, t, broken_event_reason};
  if (event.early) return AdvanceResult{true, t, {}, true, fired_};
  if (!fire_now()) return AdvanceResult{false, t, broken_event_reason};
  return fire_due();
}

std::span<const std::int8_t> OneStepIntegrator::due(double ahead) {
  COSIMO_CHECK(memory_.state, "an integrator that was started");
  std::fill(fired_.begin(), fired_.end(), std::int8_t{0});
  if (roots_.idle() || !enter()) return fired_;
  const State& state = *memory_.state;
  roots_.begin(state.sides);
  roots_.due(state.t, state.whole(), rates(), ahead);
  std::copy(roots_.passed().begin(), roots_.passed().end(), fired_.begin());
  return fired_;
}

Fired OneStepIntegrator::fire(std::span<const std::int8_t> crossed) {
  COSIMO_CHECK(memory_.state && crossed.size() == extent_.roots, "an event of the roots of the system");
  std::copy(crossed.begin(), crossed.end(), fired_.begin());
  roots_.begin(memory_.state->sides);
  // Where there is no motion after it, the next advance() says so.
  static_cast<void>(fire_now());
  return fired_kind_;
}

}  // namespace cosimo
