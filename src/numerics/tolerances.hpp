// Tolerances of an error test, and absolute ones that follow the motion
// (docs/decisions/0016-motion-scale.md).
//
// A component y passes with an error of atol + rtol |y|. Where the user gives no number, atol is a share of
// rtol times the scale of the motion: the largest displacement and velocity that the run has seen, of lengths
// and of angles apart. A motion of nanometres is then resolved like one of kilometres.
//
// A run has one scale. It is written between macro steps only (simulation/motion_scale.hpp), the same on all
// ranks; solvers, estimators and correctors read it through their Tolerances.
#pragma once

#include <algorithm>

namespace cosimo {

/// States beyond it are refused: products of a few of them would overflow.
inline constexpr double largest_state = 1e140;

struct MotionSize {
  double position = 0, velocity = 0;
};

/// Of coordinates that are lengths and of those that are angles or components of a quaternion.
struct MotionSizes {
  MotionSize length, angle;

  const MotionSize& of(bool is_angle) const { return is_angle ? angle : length; }
  /// Whether nothing moves at all.
  bool none() const {
    return std::max({length.position, length.velocity, angle.position, angle.velocity}) == 0;
  }
  void raise_to(const MotionSizes& other) {
    raise(length, other.length);
    raise(angle, other.angle);
  }

 private:
  static void raise(MotionSize& own, const MotionSize& other) {
    own.position = std::max(own.position, other.position);
    own.velocity = std::max(own.velocity, other.velocity);
  }
};

struct MotionScale {
  MotionSizes seen;      ///< the largest displacements from the start, and velocities
  MotionSizes rounding;  ///< what rounding the coordinates alone amounts to
  /// Radii of gyration of the bodies that turn, the least and the largest; zero where none does. A rotation
  /// that is nothing against what moves the body need not be resolved, nor the other way round.
  double least_arm = 0, largest_arm = 0;

  /// Absolute tolerances for a relative one. As long as nothing has moved and nothing pushes, 1e-3 rtol for
  /// positions and rtol for velocities.
  MotionSizes absolute(double rtol) const;
};

/// Absolute tolerances of both kinds of coordinates.
inline MotionSizes same_for_both(double pos, double vel) {
  return {{pos, vel}, {pos, vel}};
}

struct Tolerances {
  double rtol = 1e-6;
  double atol_pos = 1e-9, atol_vel = 1e-6;  ///< zero, and there is a scale: they follow it
  const MotionScale* scale = nullptr;

  MotionSizes absolute() const;
};

}  // namespace cosimo
