// Which recorded columns belong to which body, and which of them are its place and orientation.
//
// Columns of one label are one body. The coordinate of a named column is what follows the last dot of its
// name: x, y, z the place, phi the angle about z of a planar body, qw qx qy qz the unit quaternion of a rigid
// one (both turn the body's axes to the global ones). Without names a single column is x.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/recorder.hpp"

namespace cosimo {

inline constexpr std::size_t no_column = static_cast<std::size_t>(-1);

struct BodyColumns {
  std::int64_t label = 0;
  std::string name{};                  ///< of the body; its label as text when it has none
  std::vector<std::size_t> columns{};  ///< all of them, ascending
  std::array<std::size_t, 3> place{no_column, no_column, no_column};
  std::size_t angle = no_column;
  std::array<std::size_t, 4> quaternion{no_column, no_column, no_column, no_column};

  bool has_quaternion() const { return quaternion[0] != no_column; }
};

/// "x" of "chassis.x", the whole of a name without a dot.
std::string_view coordinate_of(std::string_view column);

/// The recorded bodies in the order of their first columns. A quaternion counts only when all of it is there.
std::vector<BodyColumns> body_columns(const Results& results);

/// Place, orientation and velocities of a body as pictures need them, along the global axes.
struct BodyPose {
  std::array<double, 3> place{0, 0, 0};
  std::array<double, 4> quaternion{1, 0, 0, 0};  ///< w, x, y, z; of length one
  std::array<double, 3> velocity{0, 0, 0};
  std::array<double, 3> angular_velocity{0, 0, 0};
};

/// The pose in one row of coordinates and their rates. Coordinates that are not recorded are zero. The
/// angular velocity of a quaternion p with rate p' is the vector part of 2 p' p*, p* its conjugate.
BodyPose pose_of(const BodyColumns& body, const double* position, const double* velocity);

/// R(quaternion) point: from the body's axes to the global ones.
std::array<double, 3> rotated(const std::array<double, 4>& quaternion, const std::array<double, 3>& point);

}  // namespace cosimo
