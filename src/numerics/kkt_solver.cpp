#include "numerics/kkt_solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace cosimo {
namespace {

constexpr double regularisation = 1e-10;

std::vector<KktPlace> places(std::size_t freedoms, std::size_t constraints, const ConstrainedTangent& tangent,
                             std::size_t states, const StateBlocks& z) {
  std::vector<KktPlace> out;
  const auto first_state = static_cast<std::int32_t>(freedoms);
  const auto first_row = static_cast<std::int32_t>(freedoms + states);
  const auto put = [&out](const std::vector<SparseEntry>& block, std::int32_t row, std::int32_t column) {
    for (const SparseEntry& e : block) out.push_back({row + e.row, column + e.column});
  };
  const auto put_diagonal = [&out](std::int32_t first, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      const auto row = first + static_cast<std::int32_t>(k);
      out.push_back({row, row});
    }
  };
  for (const auto* block : {&tangent.M, &tangent.C, &tangent.K}) put(*block, 0, 0);
  for (const SparseEntry& e : tangent.J) out.push_back({e.column, first_row + e.row});
  for (const auto* block : {&tangent.J, &tangent.rate}) put(*block, first_row, 0);
  put(z.f_z, 0, first_state);
  for (const auto* block : {&z.z_w, &z.z_x}) put(*block, first_state, 0);
  put(z.z_z, first_state, first_state);
  put_diagonal(first_state, states);
  put_diagonal(first_row, constraints);
  return out;
}

}  // namespace

template <class Scalar>
KktSolver<Scalar>::KktSolver(std::size_t freedoms, std::size_t constraints, const ConstrainedTangent& tangent,
                             std::size_t states, const StateBlocks& z)
    : freedoms_(freedoms),
      states_(states),
      constraints_(constraints),
      matrix_(freedoms + states + constraints, places(freedoms, constraints, tangent, states, z),
              freedoms + states),
      diagonal_(freedoms),
      eps_(constraints) {}

template <class Scalar>
bool KktSolver<Scalar>::factor(const ConstrainedTangent& tangent, Scalar g, const StateBlocks& z,
                               KktFactors& out) {
  const std::span<Scalar> values = matrix_.values();
  const std::size_t entries = tangent.M.size() + tangent.C.size() + tangent.K.size() + 2 * tangent.J.size() +
                              tangent.rate.size() + constraints_ + z.f_z.size() + z.z_w.size() +
                              z.z_x.size() + z.z_z.size() + states_;
  COSIMO_CHECK(entries == values.size(), "a tangent of another pattern");
  auto next = values.begin();
  auto put = [&](const std::vector<SparseEntry>& block, Scalar factor) {
    for (const SparseEntry& e : block) *next++ = factor * e.value;
  };
  put(tangent.M, 1);
  put(tangent.C, g);
  put(tangent.K, g * g);
  put(tangent.J, 1);
  put(tangent.J, 1);
  put(tangent.rate, g);
  put(z.f_z, -g);
  put(z.z_w, -g);
  put(z.z_x, -g * g);
  put(z.z_z, -g);
  for (std::size_t k = 0; k < states_; ++k) *next++ = 1;
  regularise(tangent, g, values.last(constraints_));
  return matrix_.factor(out);
}

template <class Scalar>
void KktSolver<Scalar>::regularise(const ConstrainedTangent& tangent, Scalar g, std::span<Scalar> eps) {
  std::fill(diagonal_.begin(), diagonal_.end(), Scalar{});
  auto add = [&](const std::vector<SparseEntry>& block, Scalar factor) {
    for (const SparseEntry& e : block)
      if (e.row == e.column) diagonal_[static_cast<std::size_t>(e.row)] += factor * e.value;
  };
  add(tangent.M, 1);
  add(tangent.C, g);
  add(tangent.K, g * g);
  std::fill(eps_.begin(), eps_.end(), 0.0);
  for (const SparseEntry& e : tangent.J) {
    const double size = std::abs(diagonal_[static_cast<std::size_t>(e.column)]);
    if (size > 0) eps_[static_cast<std::size_t>(e.row)] += e.value * e.value / size;
  }
  // A row that is zero here and now has no scale: its multiplier stays as it is.
  for (std::size_t k = 0; k < constraints_; ++k) eps[k] = -(eps_[k] > 0 ? regularisation * eps_[k] : 1.0);
}

template class KktSolver<double>;
template class KktSolver<std::complex<double>>;

void add_product(std::span<const SparseEntry> block, double factor, const double* x, double* y) {
  for (const SparseEntry& e : block) y[e.row] += factor * e.value * x[e.column];
}

void add_transposed_product(std::span<const SparseEntry> block, double factor, const double* x, double* y) {
  for (const SparseEntry& e : block) y[e.column] += factor * e.value * x[e.row];
}

}  // namespace cosimo
