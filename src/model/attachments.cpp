#include "model/attachments.hpp"

#include <algorithm>

#include "numerics/sums.hpp"

namespace cosimo {

namespace {

std::size_t index(std::int32_t dof) {
  return static_cast<std::size_t>(dof);
}

/// x_other - x_own, where the ground rests at zero.
template <class Row>
double relative(const Row& row, const double* x) {
  const double other = row.other < 0 ? 0.0 : x[index(row.other)];
  return other - x[index(row.dof)];
}

}  // namespace

void Attachments::attach(std::int32_t dof, std::int32_t other, const SpringLaw& law) {
  rows_.push_back({dof, other, -1, law});
  if (other >= 0) rows_.push_back({other, dof, -1, law});
}

void Attachments::finish(const TangentPattern& pattern) {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.dof < b.dof; });
  // Edges are sorted as the rows are, by their smaller coordinate first.
  const std::vector<Edge>& edges = pattern.edges();
  std::size_t first = 0;
  for (Row& row : rows_) {
    if (row.other < row.dof) continue;
    while (edges[first].a < row.dof) ++first;
    std::size_t edge = first;
    while (edges[edge].b != row.other) ++edge;
    row.edge = static_cast<std::int32_t>(edge);
  }
}

template <class F>
void Attachments::for_rows(Range dofs, F f) const {
  auto row = std::lower_bound(rows_.begin(), rows_.end(), dofs.first,
                              [](const Row& entry, std::size_t dof) { return index(entry.dof) < dof; });
  for (; row != rows_.end() && index(row->dof) < dofs.last; ++row) f(*row);
}

void Attachments::add_tangent(const double* q, const double* v, Tangent& out, Range dofs) const {
  for_rows(dofs, [&](const Row& row) {
    const double k = row.law.stiffness(relative(row, q));
    const double c = row.law.damping(relative(row, v));
    out.k_diag[index(row.dof)] += k;
    out.c_diag[index(row.dof)] += c;
    if (row.edge < 0) return;
    out.k_edge[index(row.edge)] -= k;
    out.c_edge[index(row.edge)] -= c;
  });
}

double Attachments::potential(const double* q) const {
  return reproducible_sum(rows_.size(), [&](std::size_t i) {
    const Row& row = rows_[i];
    const bool counted_elsewhere = row.other >= 0 && row.edge < 0;
    return counted_elsewhere ? 0.0 : row.law.potential(relative(row, q));
  });
}

}  // namespace cosimo
