// A law that switches (a contact, a formula with max, abs or if) tells its *switches*: functions of the state
// whose signs say which branch holds. Integrators look at them within every step, so that none passes in and
// out of a branch unseen (integrator/switch_watch.hpp).
#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

namespace cosimo {

struct Switch {
  double value = 0;
  /// d value / dt as the positions change with the velocities; NaN: the law does not tell.
  double rate = std::numeric_limits<double>::quiet_NaN();
  /// |d value / dt| stays below this while the velocities stay about as they are; infinity: not known.
  double bound = std::numeric_limits<double>::infinity();
  /// For this long the slope seen at one instant tells the slopes around it.
  double span = std::numeric_limits<double>::infinity();
  /// Not a switch but an angle that the law takes for continuous: it must not jump by a turn.
  bool angle = false;

  bool tells_rate() const { return rate == rate; }
  bool lost_turn(const Switch& before) const {
    return angle && std::fabs(value - before.value) > std::numbers::pi;
  }
};

/// Why a run ends in which such an angle jumped.
inline constexpr std::string_view turn_lost_reason =
    "an angle between rigid bodies passed half a turn at a cut or in a copy, where only planar bodies count "
    "their turns; keep both bodies of the element in one subsystem without overlap (partition.forbid), or "
    "keep "
    "the angle below pi";

}  // namespace cosimo
