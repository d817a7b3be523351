#include "numerics/kkt_solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace cosimo {
namespace {

constexpr double regularisation = 1e-10;

std::vector<KktPlace> places(std::size_t freedoms, std::size_t constraints,
                             const ConstrainedTangent& tangent) {
  std::vector<KktPlace> out;
  const auto first_row = static_cast<std::int32_t>(freedoms);
  for (const auto* block : {&tangent.M, &tangent.C, &tangent.K})
    for (const SparseEntry& e : *block) out.push_back({e.row, e.column});
  for (const SparseEntry& e : tangent.J) out.push_back({e.column, first_row + e.row});
  for (const auto* block : {&tangent.J, &tangent.rate})
    for (const SparseEntry& e : *block) out.push_back({first_row + e.row, e.column});
  for (std::size_t k = 0; k < constraints; ++k) {
    const auto row = first_row + static_cast<std::int32_t>(k);
    out.push_back({row, row});
  }
  return out;
}

}  // namespace

template <class Scalar>
KktSolver<Scalar>::KktSolver(std::size_t freedoms, std::size_t constraints, const ConstrainedTangent& tangent)
    : freedoms_(freedoms),
      constraints_(constraints),
      matrix_(freedoms + constraints, places(freedoms, constraints, tangent), freedoms),
      diagonal_(freedoms),
      eps_(constraints) {}

template <class Scalar>
bool KktSolver<Scalar>::factor(const ConstrainedTangent& tangent, Scalar g) {
  const std::span<Scalar> values = matrix_.values();
  const std::size_t entries = tangent.M.size() + tangent.C.size() + tangent.K.size() + 2 * tangent.J.size() +
                              tangent.rate.size() + constraints_;
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
  regularise(tangent, g, values.last(constraints_));
  return matrix_.factor(factors_);
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
