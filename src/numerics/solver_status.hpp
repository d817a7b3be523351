// What a solver has done, counted.
#pragma once

#include <cstdint>
#include <string_view>

namespace cosimo {

/// Work done since the start. Going back puts it back, so that only work that was kept counts.
struct Counters {
  std::int64_t steps = 0;        ///< accepted micro steps
  std::int64_t rejected = 0;     ///< error test or nonlinear solver failed
  std::int64_t evaluations = 0;  ///< of the acceleration, over all degrees of freedom
  std::int64_t factorizations = 0;
  std::int64_t solves = 0;
};

/// Evaluations, with the linear algebra of implicit methods in the same currency.
inline double counted_work(const Counters& c) {
  return static_cast<double>(c.evaluations + 3 * c.factorizations + 2 * c.solves);
}

/// Counters and the method in use now ("rk", "merson", "rosenbrock", "radau", "ida"; auto names the one it
/// uses).
struct SolverStatus {
  Counters counters;
  std::string_view method;
  std::int64_t switches = 0;      ///< by `auto`
  std::int64_t stiff_steps = 0;   ///< accepted steps taken by an implicit method
  std::int64_t merson_steps = 0;  ///< and by merson
  double last_step = 0;
  double next_step = 0;  ///< size of equal steps that suit the error control; 0 before the first step
};

}  // namespace cosimo
