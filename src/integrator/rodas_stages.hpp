// Sums over the stages of rodas.hpp for one degree of freedom, unrolled: the step itself and the derivatives
// that are carried along with it use the same.
#pragma once

#include <cstddef>
#include <utility>

#include "integrator/rodas.hpp"

namespace cosimo::rodas {

using Stages = std::array<double*, stages>;

/// sum_j row_j W_j[i] over the stages before s; zero for the first.
template <std::size_t s>
inline double combine(const Stages& w, const Row& row, std::size_t i) {
  if constexpr (s == 0) {
    return 0.0;
  } else {
    double sum = row[0] * w[0][i];
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((sum += row[J + 1] * w[J + 1][i]), ...);
    }
    (std::make_index_sequence<s - 1>{});
    return sum;
  }
}

constexpr Row scale(const Row& row, double factor) {
  Row result{};
  for (std::size_t j = 0; j < row.size(); ++j) result[j] = factor * row[j];
  return result;
}

}  // namespace cosimo::rodas
