#include "bench/curve.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo::bench {

Point at_error(Curve points, double error) {
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.error < b.error; });
  Point best;
  best.seconds = INFINITY;
  for (const Point& p : points)
    if (p.error <= error && p.seconds < best.seconds) best = p;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point &a = points[i], &b = points[i + 1];
    if (a.error <= error && error <= b.error && b.error > a.error) {
      const double w = std::log(error / a.error) / std::log(b.error / a.error);
      const double t = a.seconds * std::pow(b.seconds / a.seconds, w);
      if (t < best.seconds) best = {0, t, error, 0};
    }
  }
  return best;
}

}  // namespace cosimo::bench
