// The tableau of Dormand and Prince, order 5(4) with 7 stages, first same as last (J. Comput.
// Appl. Math. 6, 1980; Hairer, Norsett, Wanner: Solving ODEs I, Table II.5.2), folded for q' = v.
//
// With Abar = A A and e A for the error,
//   V_s = v0 + h   sum_j A_sj a_j
//   Q_s = q0 + c_s h v0 + h^2 sum_j Abar_sj a_j
//   err_v = h sum_j e_j a_j,   err_q = h^2 sum_j (e A)_j a_j     (sum of e is 0)
// so that accelerations are the only stage values to be kept.
#pragma once

#include <array>

namespace cosimo::dormand_prince {

inline constexpr int stages = 7;
using Row = std::array<double, stages>;
using Matrix = std::array<Row, stages>;

inline constexpr Row c{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};

inline constexpr Matrix A{{{},
                           {1. / 5},
                           {3. / 40, 9. / 40},
                           {44. / 45, -56. / 15, 32. / 9},
                           {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                           {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                           {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};

/// Weights of order 5 minus weights of order 4.
inline constexpr Row e{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

/// x A for a row x. Entries that vanish exactly in theory are made zero.
constexpr Row times_a(const Row& x) {
  Row result{};
  for (std::size_t k = 0; k < stages; ++k) {
    double sum = 0, size = 0;
    for (std::size_t j = 0; j < stages; ++j) {
      const double term = x[j] * A[j][k];
      sum += term;
      size += term < 0 ? -term : term;
    }
    const double magnitude = sum < 0 ? -sum : sum;
    result[k] = magnitude <= 1e-15 * size ? 0 : sum;
  }
  return result;
}

constexpr Matrix squared() {
  Matrix result{};
  for (std::size_t s = 0; s < stages; ++s) result[s] = times_a(A[s]);
  return result;
}

inline constexpr Matrix Abar = squared();
inline constexpr Row ebar = times_a(e);

}  // namespace cosimo::dormand_prince
