// Loops over the degrees of freedom for the stages of a pair (integrator/tableau.hpp): the states of a stage
// as combinations of the accelerations of the stages before. The step itself and the derivatives that are
// carried along with it use the same. Those of coordinates are vector kernels (integrator/stage_kernels.hpp).
#pragma once

#include <cstddef>
#include <utility>

#include "core/ids.hpp"
#include "integrator/stage_kernels.hpp"
#include "integrator/stepper.hpp"
#include "integrator/tableau.hpp"

namespace cosimo {

template <class Pair>
inline constexpr StepperTraits pair_traits{.name = Pair::name,
                                           .error_order = Pair::error_order,
                                           .capped = Pair::capped,
                                           .inner_accelerations = Pair::inner_accelerations};
/// In attempts of rk, which has six evaluations.
template <class Pair>
inline constexpr double attempt_cost = (Pair::stages - 1) / 6.0;

/// The place of the first non-zero entry; the number of stages if there is none.
template <class Row>
constexpr std::size_t first_entry(const Row& row) {
  std::size_t j = 0;
  while (j < row.size() && row[j] == 0) ++j;
  return j;
}

/// sum_j row_j a_j[i], where `scaled` is `row` times a power of h. Zero entries cost nothing.
template <const auto& row, std::size_t n, std::size_t... J>
inline double combine(const std::array<double*, n>& a, const std::array<double, n>& scaled, std::size_t i,
                      std::index_sequence<J...>) {
  constexpr std::size_t first = first_entry(row);
  if constexpr (first == n) return 0.0;
  double sum = scaled[first] * a[first][i];
  auto add = [&](auto j) {
    if constexpr (j > first && row[j] != 0) sum += scaled[j] * a[j][i];
  };
  (add(std::integral_constant<std::size_t, J>{}), ...);
  return sum;
}

template <class Row>
constexpr Row scaled(const Row& row, double factor) {
  Row result{};
  for (std::size_t j = 0; j < row.size(); ++j) result[j] = factor * row[j];
  return result;
}

/// Q_s and V_s for the degrees of freedom in `range`.
template <class Pair, std::size_t s>
void stage_state(const StageArrays<Pair>& x, double h, Range range) {
  stage_kernels<Pair>().state[s](x, h, range);
}

}  // namespace cosimo
