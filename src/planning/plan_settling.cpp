#include "planning/plan_settling.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

namespace {

constexpr double most_change = 0.25;      ///< of a settled promise while the wall time doubled
constexpr std::size_t fewest_points = 4;  ///< that promise anything

}  // namespace

double Settling::promise(std::size_t last) const {
  const Point now = points_[last];
  const auto quarter = std::lower_bound(points_.begin(), points_.begin() + static_cast<std::ptrdiff_t>(last),
                                        now.t / 4, [](const Point& p, double t) { return p.t < t; });
  return now.wall + (now.wall - quarter->wall) / (now.t - quarter->t) * (end_ - now.t);
}

bool Settling::settled() const {
  const std::size_t last = points_.size() - 1;
  if (points_[last].t >= end_ * (1 - 1e-9)) return true;
  const auto half = std::upper_bound(points_.begin(), points_.end(), points_[last].wall / 2,
                                     [](double wall, const Point& p) { return wall < p.wall; });
  const auto before = static_cast<std::size_t>(half - points_.begin()) - 1;
  if (before < fewest_points || before == last) return false;
  return std::abs(promise(before) / promise(last) - 1) <= most_change;
}

}  // namespace cosimo
