// Loops over the degrees of freedom for the stages of dormand_prince.hpp: the states of a stage as
// combinations of the accelerations of the stages before. The step itself and the derivatives
// that are carried along with it use the same.
#pragma once

#include <cstddef>
#include <utility>

#include "core/ids.hpp"
#include "integrator/dormand_prince.hpp"

namespace cosimo::dormand_prince {

/// Everything a loop over the degrees of freedom needs during one step.
struct StageArrays {
  const double* q0;
  const double* v0;
  double* q;
  double* v;
  std::array<double*, stages> a;  ///< a[0] is only read
};

/// The place of the first non-zero entry; the number of stages if there is none.
constexpr std::size_t first_entry(const Row& row) {
  std::size_t j = 0;
  while (j < row.size() && row[j] == 0) ++j;
  return j;
}

/// sum_j row_j a_j[i], where `scaled` is `row` times a power of h. Zero entries cost nothing.
template <const Row& row, std::size_t... J>
inline double combine(const std::array<double*, stages>& a, const Row& scaled, std::size_t i,
                      std::index_sequence<J...>) {
  constexpr std::size_t first = first_entry(row);
  if constexpr (first == stages) return 0.0;
  double sum = scaled[first] * a[first][i];
  auto add = [&](auto j) {
    if constexpr (j > first && row[j] != 0) sum += scaled[j] * a[j][i];
  };
  (add(std::integral_constant<std::size_t, J>{}), ...);
  return sum;
}

constexpr Row scale(const Row& row, double factor) {
  Row result{};
  for (std::size_t j = 0; j < row.size(); ++j) result[j] = factor * row[j];
  return result;
}

template <std::size_t s>
inline constexpr Row velocity_row = A[s];
template <std::size_t s>
inline constexpr Row position_row = Abar[s];

/// Q_s and V_s for the degrees of freedom in `range`.
template <std::size_t s>
void stage_state(const StageArrays& x, double h, Range range) {
  const Row v_row = scale(velocity_row<s>, h);
  const Row q_row = scale(position_row<s>, h * h);
  const double ch = c[s] * h;
  const auto a = x.a;
  const double* const q0 = x.q0;
  const double* const v0 = x.v0;
  double* const q = x.q;
  double* const v = x.v;
#pragma GCC ivdep
  for (std::size_t i = range.first; i < range.last; ++i) {
    const auto j = std::make_index_sequence<s>{};
    q[i] = (q0[i] + ch * v0[i]) + combine<position_row<s>>(a, q_row, i, j);
    v[i] = v0[i] + combine<velocity_row<s>>(a, v_row, i, j);
  }
}

}  // namespace cosimo::dormand_prince
