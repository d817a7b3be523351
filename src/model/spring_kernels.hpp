// Vector kernels for springs and dampers, compiled for several processors (numerics/pack_targets.hpp).
#pragma once

#include <cstddef>

#include "core/ids.hpp"
#include "model/masses.hpp"
#include "model/spring_slices.hpp"

namespace cosimo {

/// a[i] = acceleration by the table's elements for every row i of these slices, a[0] that of their first row;
/// `a` has room for whole slices. False when one of them is not finite.
[[nodiscard]] bool accelerate_slices(const SpringTable& table, const double* q, const double* v, double* a,
                                     Range slices, const Masses& masses);

}  // namespace cosimo
