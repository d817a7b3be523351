#include "numerics/kkt_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

UnknownGroups find_groups(std::size_t freedoms, std::size_t constraints, const ConstrainedTangent& tangent,
                          std::size_t states, const StateBlocks& z) {
  return find_groups(freedoms + states + constraints, places(freedoms, constraints, tangent, states, z),
                     freedoms + states);
}

template <class Scalar>
KktSolver<Scalar>::KktSolver(std::size_t freedoms, std::size_t constraints, const ConstrainedTangent& tangent,
                             std::size_t states, const StateBlocks& z, const KktOptions& options)
    : freedoms_(freedoms),
      states_(states),
      constraints_(constraints),
      matrix_(freedoms + states + constraints, places(freedoms, constraints, tangent, states, z),
              freedoms + states,
              options.blocks ? find_groups(freedoms, constraints, tangent, states, z) : UnknownGroups{},
              options.accuracy),
      row_firsts_(constraints + 1, 0),
      in_rows_(tangent.J.size()) {
  for (const SparseEntry& e : tangent.J) ++row_firsts_[static_cast<std::size_t>(e.row) + 1];
  std::partial_sum(row_firsts_.begin(), row_firsts_.end(), row_firsts_.begin());
  std::vector<std::uint32_t> next(row_firsts_.begin(), row_firsts_.end() - 1);
  for (std::uint32_t k = 0; k < tangent.J.size(); ++k)
    in_rows_[next[static_cast<std::size_t>(tangent.J[k].row)]++] = k;
}

template <class Scalar>
bool KktSolver<Scalar>::factor(const ConstrainedTangent& tangent, Scalar g, const StateBlocks& z,
                               KktFactors& out, const Fellow& me) {
  const std::span<Scalar> values = matrix_.values();
  const std::size_t entries = tangent.M.size() + tangent.C.size() + tangent.K.size() + 2 * tangent.J.size() +
                              tangent.rate.size() + constraints_ + z.f_z.size() + z.z_w.size() +
                              z.z_x.size() + z.z_z.size() + states_;
  COSIMO_CHECK(entries == values.size(), "a tangent of another pattern");
  auto next = values.begin();
  auto put = [&](const std::vector<SparseEntry>& block, Scalar factor) {
    const Range own = me.share(block.size());
    for (std::size_t k = own.first; k < own.last; ++k)
      next[static_cast<std::ptrdiff_t>(k)] = factor * block[k].value;
    next += static_cast<std::ptrdiff_t>(block.size());
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
  if (me.leads()) {
    std::fill_n(next, states_, Scalar{1});
    std::fill_n(next + static_cast<std::ptrdiff_t>(states_), constraints_, Scalar{});
  }
  me.meet();
  matrix_.assemble(me);
  regularise(tangent, me);
  me.meet();
  return matrix_.factor_assembled(out, me);
}

/// Row by row; the diagonal of the freedoms is complete.
template <class Scalar>
void KktSolver<Scalar>::regularise(const ConstrainedTangent& tangent, const Fellow& me) {
  const Range own = me.share(constraints_);
  for (std::size_t row = own.first; row < own.last; ++row) {
    double eps = 0;
    for (std::uint32_t k = row_firsts_[row]; k < row_firsts_[row + 1]; ++k) {
      const SparseEntry& e = tangent.J[in_rows_[k]];
      const double size = std::abs(matrix_.diagonal(static_cast<std::size_t>(e.column)));
      if (size > 0) eps += e.value * e.value / size;
    }
    // A row that is zero here and now has no scale: its multiplier stays as it is.
    matrix_.diagonal(freedoms_ + states_ + row) = -(eps > 0 ? regularisation * eps : 1.0);
  }
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
