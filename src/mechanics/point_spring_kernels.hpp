// Vector kernels for springs between point masses, compiled for several processors
// (numerics/pack_targets.hpp).
#pragma once

#include <cstddef>

#include "core/ids.hpp"
#include "mechanics/point_springs.hpp"

namespace cosimo {

struct PointState {
  const double *q, *v;          ///< of all bodies
  const double *own_q, *own_v;  ///< of the first of the slices, eight bodies of each
};

/// out[0] belongs to the first body of the first slice; there is room for whole slices. False when a number
/// is not finite.
[[nodiscard]] bool evaluate_slices(const PointTable& table, std::size_t dimensions, const PointState& at,
                                   PointSprings::Result result, Range slices, double* out);

}  // namespace cosimo
