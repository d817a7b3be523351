// What all methods do about events once a state is at hand: rehearse them, fire them, find those that are
// due.
//
//   Events events(system, options);
//   events.roots()                          sides, and where they change (integrator/root_watch.hpp)
//   events.choose(crossed)                  the event of these roots:
//   events.must_end(state)                  it is for the caller to fire, and advance() ends before it
//   events.fire(state, ahead, counters)     does it, evaluates what follows, and settles the sides
//   events.find_due(state, ahead)           chooses those that are due at a state, if there are any
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "integrator/end_projection.hpp"
#include "integrator/integrator.hpp"
#include "integrator/root_watch.hpp"
#include "integrator/state.hpp"

namespace cosimo {

/// AdvanceResult::reason where events call each other without end.
inline constexpr std::string_view endless_events_reason =
    "events follow each other at one instant without end: each sets off the next";
/// The same for one that leads nowhere.
inline constexpr std::string_view broken_event_reason = "a force is not finite at or after an event";

/// Rounds of events at one instant.
inline constexpr int most_rounds = 100;

class Events {
 public:
  Events(const System& system, const IntegratorOptions& options);

  RootWatch& roots() { return roots_; }
  const RootWatch& roots() const { return roots_; }
  bool idle() const { return roots_.idle(); }

  void choose(std::span<const std::int8_t> crossed) { fired_.assign(crossed.begin(), crossed.end()); }
  std::span<const std::int8_t> chosen() const { return fired_; }

  bool must_end(const State& at);
  /// Of a state with its memory. False when there is no motion after it.
  [[nodiscard]] bool fire(State& state, double ahead, Counters& counters);
  Fired kind() const { return kind_; }  ///< of the last that was fired
  /// Roots that are on another side at a state with its rates and stay there. Those that are zero up to
  /// rounding, as a yield condition during plastic flow, are no event.
  bool find_due(const Point& at, double ahead);

  /// Accelerations and rates of a state that no step has led to. False when they are not finite.
  [[nodiscard]] bool evaluate(State& state, Counters& counters) const;

 private:
  Fired edit(State& state) const;

  const System& system_;
  bool end_early_;
  RootWatch roots_;
  std::optional<EndProjection> projection_;
  std::optional<State> trial_;
  std::vector<std::int8_t> fired_;
  Fired kind_ = Fired::none;
};

/// A step from a state with all its rates.
inline Point point_of(const State& s) {
  return {s.t, s.q.data(), s.v.data(), s.a.data(), nullptr, s.z.data(), s.z_rate.data(), s.s.data()};
}

/// Everything of a state into another of the same size.
void copy_state(const State& from, State& to);

}  // namespace cosimo
