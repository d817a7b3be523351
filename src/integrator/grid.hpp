// Steps on a common grid: neighbours that integrate copies of each other's bodies take the same
// steps and make the same errors there, whoever of them computes a body.
//
//   const StepGrid grid(t_begin, t_end, steps);
//   grid.point(k)                                    the same bits for the same three arguments
//   plan = plan_on_grid(grid, t, memory, max_step, breakpoint)
//
// A step goes to the next point wherever the wanted size is not far below the distance, so that
// small differences between neighbours do not part them; an error too large is then found by the
// error test. Only where the wanted step is much longer than the spacing are points jumped over.
#pragma once

#include <cstdint>

#include "integrator/step_control.hpp"

namespace cosimo {

class StepGrid {
 public:
  /// begin < end, steps >= 1.
  StepGrid(double begin, double end, std::int64_t steps) : begin_(begin), end_(end), steps_(steps) {}

  double spacing() const { return (end_ - begin_) / static_cast<double>(steps_); }

  /// begin + (end - begin) k / steps; the last one is `end` exactly.
  double point(std::int64_t k) const;

  /// The last point that is not after t; 0 <= k <= steps.
  std::int64_t last_until(double t) const;

 private:
  double begin_, end_;
  std::int64_t steps_;
};

/// The next step from t (before the grid's end), of about memory.h. It meets points of the grid, and a
/// breakpoint before them as plan_step() does; never longer than `cap`.
StepPlan plan_on_grid(const StepGrid& grid, double t, const StepMemory& memory, double max_step,
                      double breakpoint, double cap = std::numeric_limits<double>::infinity());

/// For StepMemory::accepted(): a step that the grid made shorter than the wanted one, but not below half
/// of it, says as much about the step size as any other.
inline constexpr double grid_evidence = 0.5;

}  // namespace cosimo
