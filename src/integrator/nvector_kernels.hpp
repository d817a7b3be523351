// The loops behind our N_Vectors. Lengths are whole cache lines (multiples of 8).
// Outputs may be the same arrays as inputs: every loop works element by element.
#pragma once

#include <cstddef>

namespace cosimo::kernels {

/// c[0] x[0] + c[1] x[1] + ..., added from left to right; at most StateArray::max_terms of them.
struct Combination {
  std::size_t count = 0;
  const double* c = nullptr;
  const double* const* x = nullptr;
};

/// z = combination, elements [first, last).
void combine(const Combination& sum, std::size_t first, std::size_t last, double* z);

/// Sum over i of (w_i * combination_i)^2; the bits depend on the numbers alone.
double weighted_square_sum(const Combination& sum, const double* w, std::size_t length);

/// The update of the divided differences: z_j = c_j x_j + z_{j-1} with z_{-1} = e * x_e, in one pass.
struct Chain {
  std::size_t count = 0;
  double e = 1;
  const double* x_e = nullptr;
  const double* c = nullptr;
  const double* const* x = nullptr;
  double* const* z = nullptr;
};
void chain(const Chain& chain, std::size_t length);

/// w = 1 / (rtol |y| + atol) for n elements; returns the sum of (w y)^2.
double error_weights(std::size_t n, const double* y, double rtol, double atol, double* w);

}  // namespace cosimo::kernels
