#include "integrator/circles.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

Circles::Circles(const System& system) : system_(system), tangent_(system.pattern()) {
  const TangentPattern& pattern = system.pattern();
  if (pattern.is_path()) return;
  back_first_.assign(pattern.size() + 1, 0);
  for (const Edge& edge : pattern.edges()) ++back_first_[static_cast<std::size_t>(edge.b) + 1];
  for (std::size_t i = 0; i < pattern.size(); ++i) back_first_[i + 1] += back_first_[i];
  back_.resize(pattern.edges().size());
  std::vector<std::int32_t> next(back_first_.begin(), back_first_.end() - 1);
  for (std::size_t e = 0; e < back_.size(); ++e)
    back_[static_cast<std::size_t>(next[static_cast<std::size_t>(pattern.edges()[e].b)]++)] =
        static_cast<std::int32_t>(e);
}

SpectralBound Circles::bound(double t, const double* q, const double* v, Team* team) {
  const std::size_t n = system_.size();
  largest_.assign(static_cast<std::size_t>(members_for(team, n)), {});
  auto work = [&](Share& mine) {
    system_.tangent_rows(t, q, v, tangent_, mine.rows);
    mine.meet();  // edges to earlier rows may be others'
    Largest& own = largest_[mine.number];
    find(tangent_.k_diag.data(), tangent_.k_edge.data(), mine.rows, own.k);
    find(tangent_.c_diag.data(), tangent_.c_edge.data(), mine.rows, own.c);
  };
  in_shares(team, n, work);
  Largest all;
  for (const Largest& each : largest_) all = {std::max(all.k, each.k), std::max(all.c, each.c)};
  return {std::sqrt(all.k), all.c};
}

/// max_i sum_j |X_ij| / m_i over these rows i.
void Circles::find(const double* diag, const double* edge, Range rows, double& largest) const {
  const TangentPattern& pattern = system_.pattern();
  const double* const mass = tangent_.mass.data();
  double found = 0;
  if (pattern.is_path()) {
    const std::size_t edges = pattern.edges().size();
    for (std::size_t i = rows.first; i < rows.last; ++i) {
      double sum = std::fabs(diag[i]);
      if (i > 0) sum += std::fabs(edge[i - 1]);
      if (i < edges) sum += std::fabs(edge[i]);
      found = std::max(found, sum / mass[i]);
    }
  } else {
    std::size_t ahead = pattern.edges_from(rows).first;
    for (std::size_t i = rows.first; i < rows.last; ++i) {
      double sum = std::fabs(diag[i]);
      for (std::int32_t k = back_first_[i]; k < back_first_[i + 1]; ++k)
        sum += std::fabs(edge[back_[static_cast<std::size_t>(k)]]);
      for (; ahead < pattern.edges().size() && static_cast<std::size_t>(pattern.edges()[ahead].a) == i;
           ++ahead)
        sum += std::fabs(edge[ahead]);
      found = std::max(found, sum / mass[i]);
    }
  }
  largest = found;
}

}  // namespace cosimo
