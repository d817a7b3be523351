// The largest modulus of the eigenvalues of a general real matrix: whether a linear recurrence
// z_{N+1} = A z_N grows.
//
// The matrix is balanced first by powers of two (Parlett and Reinsch 1969), which loses no bit: states,
// forces and accelerations side by side differ in size by orders of magnitude.
#pragma once

#include <cstddef>
#include <span>

namespace cosimo {

/// `a` is a square matrix of n rows, column after column. Infinity when an entry is not finite.
double spectral_radius(std::span<const double> a, std::size_t n);

}  // namespace cosimo
