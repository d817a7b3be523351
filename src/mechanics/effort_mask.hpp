// Which components of an effort (mechanics/force_element.hpp) matter.
#pragma once

#include <bitset>
#include <cstddef>

namespace cosimo {

inline constexpr std::size_t effort_size = 9;  ///< force 0..2, torque_from 3..5, torque_to 6..8
using EffortMask = std::bitset<effort_size>;

}  // namespace cosimo
