// Work and precision: times of one method over its tolerances, compared at equal measured error.
#pragma once

#include <cstdint>
#include <vector>

namespace cosimo::bench {

struct Point {
  double rtol = 0, seconds = 0, error = 0;
  std::int64_t steps = 0;
};

using Curve = std::vector<Point>;

/// Where a method reaches `error`: its fastest point that is as good, or between two points (log-log).
/// Infinitely many seconds when no point is as good.
Point at_error(Curve points, double error);

}  // namespace cosimo::bench
