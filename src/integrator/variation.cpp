#include "integrator/variation.hpp"

#include <algorithm>

#include "integrator/direction_set.hpp"

namespace cosimo {

void LocalTangent::provide(double t, const double* q, const double* v, Range rows) {
  if (values_.mass.size() != system_->size()) values_ = Tangent(system_->pattern());
  // Edges are given by their first end: those that touch the rows begin up to a reach earlier.
  const std::size_t reach = std::min(system_->reach(), system_->size());
  const Range wanted{rows.first - std::min(rows.first, reach), rows.last};
  for (Range& known : known_) {
    if (known.last < wanted.first || wanted.last < known.first) continue;
    if (wanted.first < known.first) evaluate(t, q, v, {wanted.first, known.first}, known);
    if (known.last < wanted.last) evaluate(t, q, v, {known.last, wanted.last}, known);
    return;
  }
  known_.push_back({});
  evaluate(t, q, v, wanted, known_.back());
}

void LocalTangent::evaluate(double t, const double* q, const double* v, Range rows, Range& known) {
  known = hull(known, system_->tangent_rows(t, q, v, values_, rows));
}

namespace {

// What entry j of the displacement contributes through entries of K and C, given at the beginning and at the
// end of the step.
struct Frozen {
  const double *q, *v;
  double operator()(double k0, double, double c0, double, std::size_t j) const {
    return k0 * q[j] + c0 * v[j];
  }
};
struct Blended {
  const double *q, *v;
  double theta;
  double operator()(double k0, double k1, double c0, double c1, std::size_t j) const {
    return (k0 + theta * (k1 - k0)) * q[j] + (c0 + theta * (c1 - c0)) * v[j];
  }
};
struct BlendedAndFrozen {
  const double *q, *v, *r;
  double theta;
  double operator()(double k0, double k1, double c0, double c1, std::size_t j) const {
    return (k0 * (q[j] + r[j]) + theta * (k1 - k0) * q[j]) + (c0 + theta * (c1 - c0)) * v[j];
  }
};
struct Changing {
  const double *q, *v;
  double theta;
  double operator()(double k0, double k1, double c0, double c1, std::size_t j) const {
    return theta * ((k1 - k0) * q[j] + (c1 - c0) * v[j]);
  }
};

template <class Term>
void path_force(const Rows& rows, const Tangent& begin, const Tangent& end, const Term term, double* f) {
  const double *const kd0 = begin.k_diag.data(), *const kd1 = end.k_diag.data();
  const double *const cd0 = begin.c_diag.data(), *const cd1 = end.c_diag.data();
  const double *const ke0 = begin.k_edge.data(), *const ke1 = end.k_edge.data();
  const double *const ce0 = begin.c_edge.data(), *const ce1 = end.c_edge.data();
  const auto own = [=](std::size_t i) { return term(kd0[i], kd1[i], cd0[i], cd1[i], i); };
  const auto across = [=](std::size_t e, std::size_t j) { return term(ke0[e], ke1[e], ce0[e], ce1[e], j); };
  const std::size_t n = rows.pattern.size();
  std::size_t first = rows.range.first, last = rows.range.last;
  if (first == 0 && first < last) {
    f[0] = -(own(0) + (n > 1 ? across(0, 1) : 0.0));
    ++first;
  }
  if (last == n && first < last) {
    --last;
    f[last] = -(own(last) + across(last - 1, last - 1));
  }
#pragma GCC ivdep
  for (std::size_t i = first; i < last; ++i) f[i] = -((own(i) + across(i - 1, i - 1)) + across(i, i + 1));
}

template <class Term>
void force(const Rows& rows, const Tangent& begin, const Tangent& end, const Term term, double* f) {
  if (rows.pattern.is_path()) return path_force(rows, begin, end, term, f);
  const auto [first, last] = rows.range;
  for (std::size_t i = first; i < last; ++i)
    f[i] = -term(begin.k_diag[i], end.k_diag[i], begin.c_diag[i], end.c_diag[i], i);
  const std::vector<Edge>& edges = rows.pattern.edges();
  const auto nearest = static_cast<std::int32_t>(first - std::min(first, rows.reach));
  const auto touching = std::lower_bound(edges.begin(), edges.end(), nearest,
                                         [](const Edge& edge, std::int32_t a) { return edge.a < a; });
  for (auto e = static_cast<std::size_t>(touching - edges.begin()); e < edges.size(); ++e) {
    const auto a = static_cast<std::size_t>(edges[e].a), b = static_cast<std::size_t>(edges[e].b);
    if (a >= last) break;
    const auto across = [&](std::size_t j) {
      return term(begin.k_edge[e], end.k_edge[e], begin.c_edge[e], end.c_edge[e], j);
    };
    if (a >= first) f[a] -= across(b);
    if (b >= first && b < last) f[b] -= across(a);
  }
}

}  // namespace

void restoring_force(const Rows& rows, const Tangent& tangent, Displacement x, double* f) {
  force(rows, tangent, tangent, Frozen{x.q, x.v}, f);
}

void restoring_force(const Rows& rows, const TangentBlend& tangent, Displacement x, double* f) {
  force(rows, tangent.begin, tangent.end, Blended{x.q, x.v, tangent.theta}, f);
}

void restoring_force(const Rows& rows, const TangentBlend& tangent, Displacement x, const double* r,
                     double* f) {
  force(rows, tangent.begin, tangent.end, BlendedAndFrozen{x.q, x.v, r, tangent.theta}, f);
}

void force_of_change(const Rows& rows, const TangentBlend& tangent, Displacement x, double* f) {
  force(rows, tangent.begin, tangent.end, Changing{x.q, x.v, tangent.theta}, f);
}

}  // namespace cosimo
