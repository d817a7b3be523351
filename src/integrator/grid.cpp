#include "integrator/grid.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {
namespace {

constexpr double stretch_to_grid = 1.25;  ///< the next point is that much further than wanted: still met
constexpr double stretch = 1.1;           ///< as in Listing 4.1; less than what a rejection takes away
constexpr double jump = 2.5;              ///< wanted steps of that many spacings leave points out

}  // namespace

double StepGrid::point(std::int64_t k) const {
  if (k >= steps_) return end_;
  return std::min(begin_ + (end_ - begin_) * static_cast<double>(k) / static_cast<double>(steps_), end_);
}

std::int64_t StepGrid::last_until(double t) const {
  if (!(t < end_)) return steps_;
  const double guess = std::floor((t - begin_) / spacing());
  auto k = static_cast<std::int64_t>(std::clamp(guess, 0.0, static_cast<double>(steps_ - 1)));
  while (k > 0 && point(k) > t) --k;
  while (k + 1 < steps_ && point(k + 1) <= t) ++k;
  return k;
}

StepPlan plan_on_grid(const StepGrid& grid, double t, const StepMemory& memory, double max_step,
                      double breakpoint, double cap) {
  const double h = memory.h;
  const std::int64_t next = grid.last_until(t) + 1;
  double target = grid.point(next);
  // A step that was just refused must not be tried again, and where steps had to be shorter than the
  // spacing something is going on: there they are stretched no more than anywhere else.
  const bool regular = !memory.after_rejection && t == grid.point(next - 1);
  const double longest = std::min((regular ? stretch_to_grid : stretch) * h, stretch * max_step);
  if (!(target - t <= std::min(longest, cap))) return plan_step(t, h, std::min(target, breakpoint), cap);
  if (h >= jump * grid.spacing())
    target = grid.point(std::max(next, grid.last_until(t + std::min(stretch * h, cap))));
  if (breakpoint < target) return plan_step(t, h, breakpoint, cap);
  return {target - t, target};
}

}  // namespace cosimo
