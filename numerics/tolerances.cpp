#include "numerics/tolerances.hpp"

namespace cosimo {

namespace {

/// How far below the largest motion the absolute tolerances take over from the relative one.
constexpr double share = 0.1;
/// Keeps 0/0 out where nothing has moved yet; products of a few are still ordinary numbers.
constexpr double least = 1e-100;

double tolerance(double rtol, double seen, double rounding) {
  return std::max({share * rtol * seen, rounding, least});
}

MotionSize tolerance(double rtol, const MotionSize& seen, const MotionSize& rounding) {
  return {tolerance(rtol, seen.position, rounding.position),
          tolerance(rtol, seen.velocity, rounding.velocity)};
}

}  // namespace

MotionSizes MotionScale::absolute(double rtol) const {
  if (seen.none()) return same_for_both(1e-3 * rtol, rtol);
  MotionSizes size = seen;
  if (largest_arm > 0) {
    const auto [length, angle] = seen;
    size.raise_to({{least_arm * angle.position, least_arm * angle.velocity},
                   {length.position / largest_arm, length.velocity / largest_arm}});
  }
  return {tolerance(rtol, size.length, rounding.length), tolerance(rtol, size.angle, rounding.angle)};
}

MotionSizes Tolerances::absolute() const {
  MotionSizes given = same_for_both(atol_pos, atol_vel);
  if (scale == nullptr || (atol_pos > 0 && atol_vel > 0)) return given;
  const MotionSizes followed = scale->absolute(rtol);
  if (!(atol_pos > 0)) {
    given.length.position = followed.length.position;
    given.angle.position = followed.angle.position;
  }
  if (!(atol_vel > 0)) {
    given.length.velocity = followed.length.velocity;
    given.angle.velocity = followed.angle.velocity;
  }
  return given;
}

}  // namespace cosimo
