// Links that do not move against each other, as one body. Private to config/.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "config/robot.hpp"

namespace cosimo::config::robot {

inline constexpr std::size_t no_joint = static_cast<std::size_t>(-1);

/// The first link gives a group its name and its axes.
struct Group {
  std::size_t link = 0;
  std::size_t joint =
      no_joint;  ///< that moves it, or holds it to the ground; none: it is free, or the ground
  Pose pose;     ///< in space, with all joints in their zero positions
  std::optional<Mass> mass;
  std::vector<Look> looks;
  std::vector<std::pair<std::string, Vec3>> markers;
};

/// The first group is the ground, whatever is on it.
struct Groups {
  std::vector<Group> all;
  std::vector<std::size_t> of_link;  ///< number of a group
  std::vector<Pose> pose;            ///< of links in their groups
};

/// Complains about loops, several roots and groups without mass; then what it gives is of no use.
Groups groups_of(const Robot& robot, const RobotOptions& options, Faults& faults);

}  // namespace cosimo::config::robot
