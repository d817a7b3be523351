// How far and how fast coordinates have come, for large models: a vector kernel (numerics/pack_targets.hpp).
#pragma once

#include <span>

#include "numerics/tolerances.hpp"

namespace cosimo {

/// The largest |q_i - start_i| and |v_i|; what is not a number does not count.
MotionSize largest_motion(std::span<const double> q, std::span<const double> start,
                          std::span<const double> v);

}  // namespace cosimo
