// Explicit pairs of Runge-Kutta formulas, folded for q' = v. With Abar = A A and e A for the error,
//
//   V_s = v0 + h   sum_j A_sj a_j
//   Q_s = q0 + c_s h v0 + h^2 sum_j Abar_sj a_j
//   err_v = h sum_j e_j a_j,   err_q = h^2 sum_j (e A)_j a_j     (sum of e is 0)
//
// so that accelerations are the only stage values to be kept. The last stage is the new state. A `Pair` has
// stages, c, A, e and what distinguishes it in use: dormand_prince.hpp, merson.hpp.
#pragma once

#include <array>
#include <cstddef>

namespace cosimo {

template <class Pair>
using RowOf = typename Pair::Row;

/// x A for a row x. Entries that vanish exactly in theory are made zero.
template <class Pair>
constexpr RowOf<Pair> times_a(const RowOf<Pair>& x) {
  RowOf<Pair> result{};
  for (std::size_t k = 0; k < Pair::stages; ++k) {
    double sum = 0, size = 0;
    for (std::size_t j = 0; j < Pair::stages; ++j) {
      const double term = x[j] * Pair::A[j][k];
      sum += term;
      size += term < 0 ? -term : term;
    }
    const double magnitude = sum < 0 ? -sum : sum;
    result[k] = magnitude <= 1e-15 * size ? 0 : sum;
  }
  return result;
}

template <class Pair, std::size_t s>
inline constexpr RowOf<Pair> velocity_row = Pair::A[s];
template <class Pair, std::size_t s>
inline constexpr RowOf<Pair> position_row = times_a<Pair>(Pair::A[s]);
template <class Pair>
inline constexpr RowOf<Pair> velocity_error = Pair::e;
template <class Pair>
inline constexpr RowOf<Pair> position_error = times_a<Pair>(Pair::e);

}  // namespace cosimo
