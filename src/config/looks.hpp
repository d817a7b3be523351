// What pictures show of a body: `look: [{shape: {box: [1, 2, 3]}, at: [0, 0, 1]}]`, one surface of triangles
// of all its shapes, along the reference axes of the body.
#pragma once

#include "config/check.hpp"
#include "config/shapes.hpp"

namespace cosimo::config {

/// Puts the looks of all bodies into `out`. Complains about files of meshes.
void read_looks(const Value& bodies, ShapeMasses& out, Faults& faults);

}  // namespace cosimo::config
