// How far the state that a file gives was moved to fit the joints (mechanics/start.hpp): the largest shift of
// each kind and the body that made it, as users see bodies, at their reference points.
//
// Sizes that shifts are measured against:
//
//   length    the largest of the extent of all bodies, lever arms of joints and radii of gyration
//   speed     the largest velocity in either state, or largest angular velocity times length
//   turning   the largest angular velocity, or largest velocity over length
//
// Shifts below `unnoticed` of them come from rounded numbers; beyond `bearable` the file says something else
// than its joints. Angles count as they are.
#pragma once

#include <vector>

#include "core/ids.hpp"

namespace cosimo {

struct PlacedMechanism;

inline constexpr double unnoticed_shift = 1e-9, bearable_shift = 1e-3;

struct StartShift {
  BodyId body = ground;
  double amount = 0;
};

struct StartShifts {
  StartShift position, orientation, velocity, angular_velocity;
};

struct StartSizes {
  double length = 0, speed = 0, turning = 0;
};

/// Bodies whose velocities the file gives, one entry per body; empty: all. Others take what the joints give
/// them, and contradict nothing.
struct GivenVelocities {
  std::vector<bool> velocity, angular_velocity;
};

StartSizes sizes_of(const PlacedMechanism& given, const PlacedMechanism& moved);

/// The largest shifts from one state to the other; velocities of the bodies in `of` alone.
StartShifts largest_shifts(const PlacedMechanism& given, const PlacedMechanism& moved,
                           const GivenVelocities& of = {});

/// Those beyond a share of the sizes; the others are zero.
StartShifts beyond(const StartShifts& shifts, const StartSizes& sizes, double share);

}  // namespace cosimo
