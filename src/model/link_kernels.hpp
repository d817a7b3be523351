// Vector kernels for the derivatives of links (model/links.hpp), compiled for several processors
// (numerics/pack_targets.hpp).
#pragma once

#include <cstddef>

#include "model/term.hpp"

namespace cosimo {

/// out[j] = slope of link first + j, for j < n; x is the whole array of coordinates.
void link_slopes(const Coefficients& p, std::size_t first, std::size_t n, const double* x, double* out);

/// diag[j] = slope[j] + slope[j + 1]
void add_neighbours(const double* slope, double* diag, std::size_t n);
/// edge[j] = -slope[j]
void negate(const double* slope, double* edge, std::size_t n);

}  // namespace cosimo
