#include "numerics/tolerances.hpp"

namespace cosimo {

namespace {

/// How far below the largest motion the absolute tolerances take over from the relative one.
constexpr double share_pos = 1e-3, share_vel = 1e-2;
/// Lengths and angles are tied by this: motions of one kind are noise where they are less than a thousandth
/// of what the other kind does to a body.
constexpr double tie = 1e-3;
/// Keeps 0/0 out where nothing moves; products of a few are still ordinary numbers.
constexpr double least = 1e-100;

MotionSize tolerance(double rtol, const MotionSize& seen, const MotionSize& rounding) {
  return {std::max({share_pos * rtol * seen.position, rounding.position, least}),
          std::max({share_vel * rtol * seen.velocity, rounding.velocity, least})};
}

}  // namespace

MotionSizes MotionScale::absolute(double rtol) const {
  if (seen.none()) return same_for_both(1e-3 * rtol, rtol);
  MotionSizes size = seen;
  if (largest_arm > 0) {
    const auto [length, angle] = seen;
    const double arm = tie * least_arm, curvature = tie / largest_arm;
    size.raise_to({{arm * angle.position, arm * angle.velocity},
                   {curvature * length.position, curvature * length.velocity}});
  }
  return {tolerance(rtol, size.length, rounding.length), tolerance(rtol, size.angle, rounding.angle)};
}

MotionSizes Tolerances::absolute() const {
  MotionSizes given = same_for_both(std::max(atol_pos, least), std::max(atol_vel, least));
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
