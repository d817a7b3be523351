// Several joints of one body, as MJCF has them, as one. Private to config/.
#pragma once

#include <optional>
#include <vector>

#include "config/robot.hpp"

namespace cosimo::config::robot {

/// Two hinges that cross at right angles are universal, three about one point spherical, a hinge and a slide
/// along one line cylindrical, two slides and a hinge across them planar. Nothing: they are no such joint.
std::optional<Joint> combine(const std::vector<Joint>& freedoms);

}  // namespace cosimo::config::robot
