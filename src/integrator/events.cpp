#include "integrator/events.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

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

Events::Events(const System& system, const IntegratorOptions& options)
    : system_(system),
      end_early_(options.end_early),
      roots_(system, options.tolerances),
      fired_(system.extent().roots) {
  if (idle()) return;
  trial_.emplace(system.size(), 0, system.extent());
  const ConstrainedSystem* const constrained = system.constrained();
  if (constrained != nullptr && constrained->constraints() > 0)
    projection_.emplace(*constrained, options.tolerances);
}

Fired Events::edit(State& state) const {
  Editable y{state.q, state.v, state.z, state.s};
  return system_.fire(state.t, fired_, y);
}

bool Events::must_end(const State& at) {
  if (!end_early_) return false;
  copy_state(at, *trial_);
  return edit(*trial_) == Fired::outputs;
}

bool Events::evaluate(State& state, Counters& counters) const {
  ++counters.evaluations;
  const auto finite = [](double x) { return std::isfinite(x); };
  return system_.evaluate(state.t, state.whole(), state.a.data(), state.z_rate.data()) &&
         std::all_of(state.a.begin(), state.a.end(), finite) &&
         std::all_of(state.z_rate.begin(), state.z_rate.end(), finite);
}

bool Events::fire(State& state, double ahead, Counters& counters) {
  kind_ = edit(state);
  bool moved = false;
  const bool ok =
      (!projection_ || projection_->project(state.t, state.q, state.v, moved)) && evaluate(state, counters);
  roots_.settle(fired_, state.t, state.whole(), {state.a.data(), state.z_rate.data()}, ahead);
  state.sides.assign(roots_.sides().begin(), roots_.sides().end());
  return ok;
}

bool Events::find_due(const Point& at, double ahead) {
  if (!roots_.crossed(at.t, at.whole())) return false;
  choose(roots_.passed());
  roots_.due(at.t, at.whole(), {at.a, at.z_rate}, ahead);
  for (std::size_t k = 0; k < fired_.size(); ++k)
    if (roots_.passed()[k] == 0) fired_[k] = 0;
  return std::any_of(fired_.begin(), fired_.end(), [](std::int8_t x) { return x != 0; });
}

}  // namespace cosimo
