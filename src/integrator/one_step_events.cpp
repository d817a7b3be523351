// Memory of elements and events in the steps of the one-step methods.
#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "integrator/one_step.hpp"

namespace cosimo {

/// At the end of an accepted step: the memory from now on. Sides stay; only events change them.
void OneStepIntegrator::complete(const Point& from, State& to) const {
  if (extent_.s > 0) {
    std::copy_n(from.s, extent_.s, to.s.begin());
    system_.commit(to.t, {to.q.data(), to.v.data(), to.z.data(), from.s}, to.s.data());
  }
  std::copy(events_.roots().sides().begin(), events_.roots().sides().end(), to.sides.begin());
}

/// As state_inside(), of what the roots depend on.
void OneStepIntegrator::roots_inside(double theta, bool resolved, State& out) {
  const auto dofs = system_.root_dofs();
  if (projection_ || dofs.empty()) return state_inside(theta, resolved, out);
  know_all();
  root_q_.resize(dofs.size());
  root_v_.resize(dofs.size());
  interpolate_row(theta, resolved, {{{&out.t, 1}, dofs, root_q_, root_v_, all_states_, out.z}}, 0);
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    out.q[static_cast<std::size_t>(dofs[k])] = root_q_[k];
    out.v[static_cast<std::size_t>(dofs[k])] = root_v_[k];
  }
}

/// The state inside a step where it is to end, complete.
bool OneStepIntegrator::place(const Point& from, double theta, double h, bool resolved, State& out) {
  out.t = from.t + theta * h;
  state_inside(theta, resolved, out);
  complete(from, out);
  return events_.evaluate(out, memory_.counters);
}

/// An attempted step that is good but ends on another side of a root: the state where it goes over, or, where
/// the advance must end early, just before.
OneStepIntegrator::Meeting OneStepIntegrator::meet(const Point& from, const State& to, double h,
                                                   double t_end) {
  if (events_.idle()) return {};
  if (!events_.roots().crossed(to.t, {to.q.data(), to.v.data(), to.z.data(), from.s})) {
    events_.roots().confirm();
    return {};
  }
  const bool resolved = resolve(from, to, h, {0, system_.size()});
  Meeting event;
  event.at = pool_.spare();
  State& at = event.at.edit();
  const RootWatch::Bracket bracket = events_.roots().locate(from.t, h, [&](double theta) {
    at.t = from.t + theta * h;
    roots_inside(theta, resolved, at);
    return Whole{at.q.data(), at.v.data(), at.z.data(), from.s};
  });
  // An explicit step that is not stable may still be good within the tolerances, and goes over where the
  // motion does not. One that is not much longer than to there tells.
  const double share = 1.5 * bracket.after;
  if (!stepper().traits().implicit && share < 0.75 && share * h > minimum_step(from.t, t_end) &&
      events_.roots().doubtful(from.t, {from.q, from.v, from.z, from.s}))
    return {.share = share};
  events_.choose(events_.roots().passed());
  event.ok = place(from, bracket.after, h, resolved, at);
  if (!event.ok || !events_.must_end(at)) return event;
  if (t_end - at.t <= event_at_end * (t_end - begin_)) return {};
  event.early = true;
  event.ok = place(from, bracket.before, h, resolved, at);
  return event;
}

/// The event that is chosen, at the present state. False when there is no motion after it.
bool OneStepIntegrator::fire_now() {
  StateRef after = pool_.spare();
  copy_state(*memory_.state, after.edit());
  const bool ok = events_.fire(after.edit(), ahead(), memory_.counters);
  memory_.state = std::move(after);
  memory_.known = {0, system_.size()};
  memory_.previous = {};
  if (events_.kind() != Fired::none) memory_.at_breakpoint = true;
  first_ = memory_.state->a.data();
  first_rates_ = memory_.state->z_rate.data();
  return ok;
}

/// Events at the present state, until none is left. A result where the advance ends with that.
std::optional<AdvanceResult> OneStepIntegrator::fire_due() {
  for (int round = 0; events_.find_due(point(), ahead()); ++round) {
    const double t = memory_.state->t;
    if (round == most_rounds) return AdvanceResult{false, t, endless_events_reason};
    if (events_.must_end(*memory_.state)) return AdvanceResult{true, t, {}, true, events_.chosen()};
    if (!fire_now()) return AdvanceResult{false, t, broken_event_reason};
  }
  return std::nullopt;
}

/// At the beginning of an advance().
std::optional<AdvanceResult> OneStepIntegrator::enter_events(double t_end) {
  if (events_.idle()) return std::nullopt;
  const State& state = *memory_.state;
  events_.roots().begin(state.sides);
  const double ahead_at_start = ahead() > 0 ? ahead() : short_step * (t_end - state.t);
  events_.roots().find_unknown(state.t, state.whole(), {first_, first_rates_}, ahead_at_start);
  return fire_due();
}

/// After accept() of the state that meet() has found.
std::optional<AdvanceResult> OneStepIntegrator::leave_step(const Meeting& event) {
  const double t = memory_.state->t;
  if (!event.ok) return AdvanceResult{false, t, broken_event_reason};
  if (event.early) return AdvanceResult{true, t, {}, true, events_.chosen()};
  if (!fire_now()) return AdvanceResult{false, t, broken_event_reason};
  return fire_due();
}

std::span<const std::int8_t> OneStepIntegrator::due(double ahead) {
  COSIMO_CHECK(memory_.state, "an integrator that was started");
  if (events_.idle() || !enter()) return {};
  const State& state = *memory_.state;
  events_.roots().begin(state.sides);
  events_.roots().due(state.t, state.whole(), {first_, first_rates_}, ahead);
  return events_.roots().passed();
}

Fired OneStepIntegrator::fire(std::span<const std::int8_t> crossed) {
  COSIMO_CHECK(memory_.state && crossed.size() == extent_.roots && !events_.idle(),
               "an event of the roots of the system");
  events_.choose(crossed);
  events_.roots().begin(memory_.state->sides);
  // Where there is no motion after it, the next advance() says so.
  static_cast<void>(fire_now());
  return events_.kind();
}

}  // namespace cosimo
