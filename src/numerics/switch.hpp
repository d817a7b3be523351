// A law that switches (a contact, a formula with max, abs or if) tells its *switches*: functions of the state
// whose signs say which branch holds. Integrators look at them within every step, so that none passes in and
// out of a branch unseen (integrator/switch_watch.hpp).
#pragma once

#include <limits>

namespace cosimo {

struct Switch {
  double value = 0;
  /// |d value / dt| stays below this while the velocities stay about as they are; infinity: not known.
  double bound = std::numeric_limits<double>::infinity();
  /// For this long the slope seen at one instant tells the slopes around it.
  double span = std::numeric_limits<double>::infinity();
  /// Not a switch but an angle that the law takes for continuous: it must not jump by a turn.
  bool angle = false;
};

}  // namespace cosimo
