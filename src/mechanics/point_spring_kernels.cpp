#include "mechanics/point_spring_kernels.hpp"

#include "mechanics/power_law.hpp"
#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanics/point_spring_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {
namespace {

using Form = SpringRows::Form;
using Power = SpringRows::Power;

/// Vectors of as many dimensions as the bodies have, those of a pack of bodies side by side.
template <std::size_t n>
struct Vectors {
  Pack x[n];
};

template <std::size_t n>
HWY_INLINE HWY_ATTR Vectors<n> load(const double* p) {
  const PackTag d;
  Vectors<n> out;
  if constexpr (n == 1) out.x[0] = hn::LoadU(d, p);
  if constexpr (n == 2) hn::LoadInterleaved2(d, p, out.x[0], out.x[1]);
  if constexpr (n == 3) hn::LoadInterleaved3(d, p, out.x[0], out.x[1], out.x[2]);
  return out;
}

template <std::size_t n>
HWY_INLINE HWY_ATTR void store(const Vectors<n>& v, double* p) {
  const PackTag d;
  if constexpr (n == 1) hn::StoreU(v.x[0], d, p);
  if constexpr (n == 2) hn::StoreInterleaved2(v.x[0], v.x[1], d, p);
  if constexpr (n == 3) hn::StoreInterleaved3(v.x[0], v.x[1], v.x[2], d, p);
}

template <std::size_t n>
HWY_INLINE HWY_ATTR Pack dot(const Vectors<n>& a, const Vectors<n>& b) {
  Pack sum = hn::Mul(a.x[0], b.x[0]);
  for (std::size_t i = 1; i < n; ++i) sum = hn::Add(sum, hn::Mul(a.x[i], b.x[i]));
  return sum;
}

HWY_INLINE HWY_ATTR Pack at(const AlignedVector& column, std::size_t k) {
  return hn::LoadU(PackTag(), column.data() + k);
}

/// |y|^(e-1), as mechanics/power_law.hpp has it.
HWY_INLINE HWY_ATTR Pack power(Power kind, Pack y, const AlignedVector& exponent, std::size_t k) {
  if (kind == Power::cubic) return hn::Mul(y, y);
  const PackTag d;
  HWY_ALIGN double value[group];
  hn::Store(y, d, value);
  for (std::size_t i = 0; i < pack_width(); ++i) value[i] = power_factor(value[i], exponent[k + i]);
  return hn::Load(d, value);
}

/// y times what is linear and what is not.
HWY_INLINE HWY_ATTR Pack term(Power kind, Pack y, Pack linear, const AlignedVector& nonlinear,
                              const AlignedVector& exponent, std::size_t k) {
  if (kind == Power::none) return hn::Mul(y, linear);
  return hn::Mul(y, hn::Add(linear, hn::Mul(at(nonlinear, k), power(kind, y, exponent, k))));
}

/// Where ends meet: the damper of a spring without length acts on the whole velocity, others have no
/// direction.
HWY_INLINE HWY_ATTR Pack damping_where_ends_meet(const SpringRows& rows, std::size_t k) {
  const PackTag d;
  Pack damping = at(rows.d, k);
  if (rows.damper != Power::none)
    damping = hn::Add(damping, hn::Mul(hn::Mul(at(rows.D, k), at(rows.ev, k)),
                                       power(rows.damper, hn::Zero(d), rows.ev, k)));
  if (rows.form == Form::general) damping = hn::Add(damping, at(rows.all, k));
  return hn::IfThenElse(hn::Eq(at(rows.length, k), hn::Zero(d)), damping, hn::NaN(d));
}

/// Adds the springs k; r and u are place and velocity of their other ends, seen from the own.
template <Form form, std::size_t n>
HWY_INLINE HWY_ATTR void add_springs(const SpringRows& rows, std::size_t k, const Vectors<n>& r,
                                     const Vectors<n>& u, Vectors<n>& sum) {
  const PackTag d;
  const Pack square = dot(r, r);
  const Pack length = hn::Sqrt(square);
  const Pack s = hn::Sub(length, at(rows.length, k));
  Pack pull;     // per length
  Pack damping;  // of the whole velocity
  if constexpr (form == Form::whole) {
    pull = hn::Div(hn::Mul(at(rows.c, k), s), length);
    damping = at(rows.d, k);
  } else {
    const Pack inverse = hn::Div(hn::Set(d, 1.0), length);
    const Pack rate = hn::Mul(dot(r, u), inverse);
    if constexpr (form == Form::line) {
      pull = hn::Mul(hn::Add(hn::Mul(at(rows.c, k), s), hn::Mul(at(rows.d, k), rate)), inverse);
    } else {
      const Pack spring = term(rows.spring, s, at(rows.c, k), rows.C, rows.ex, k);
      const Pack damper = term(rows.damper, rate, at(rows.d, k), rows.D, rows.ev, k);
      pull = hn::Mul(hn::Add(spring, damper), inverse);
      damping = at(rows.all, k);
    }
  }
  Vectors<n> force;
  for (std::size_t i = 0; i < n; ++i) {
    force.x[i] = hn::Mul(pull, r.x[i]);
    if constexpr (form != Form::line) force.x[i] = hn::Add(force.x[i], hn::Mul(damping, u.x[i]));
  }
  const auto meeting = hn::Eq(square, hn::Zero(d));
  if (HWY_UNLIKELY(!hn::AllFalse(d, meeting))) {
    const Pack resistance = damping_where_ends_meet(rows, k);
    for (std::size_t i = 0; i < n; ++i)
      force.x[i] = hn::IfThenElse(meeting, hn::Mul(resistance, u.x[i]), force.x[i]);
  }
  for (std::size_t i = 0; i < n; ++i) sum.x[i] = hn::Add(sum.x[i], force.x[i]);
}

/// The entries [k, end) of a pack of bodies that are at q and move with v.
template <Form form, bool grounded, std::size_t n>
HWY_INLINE HWY_ATTR void add_entries(const SpringRows& rows, const PointState& state, std::size_t k,
                                     std::size_t end, const Vectors<n>& q, const Vectors<n>& v,
                                     Vectors<n>& sum) {
  for (; k < end; k += group) {
    Vectors<n> r, u;
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (grounded) {
        r.x[i] = hn::Sub(at(rows.place[i], k), q.x[i]);
        u.x[i] = hn::Neg(v.x[i]);
      } else {
        const std::int32_t* const other = rows.other.data() + k;
        r.x[i] = hn::Sub(gather(state.q + i, other), q.x[i]);
        u.x[i] = hn::Sub(gather(state.v + i, other), v.x[i]);
      }
    }
    add_springs<form>(rows, k, r, u, sum);
  }
}

template <bool grounded, std::size_t n>
HWY_INLINE HWY_ATTR void add_rows(const SpringRows& rows, const PointState& state, std::size_t slice,
                                  std::size_t lane, const Vectors<n>& q, const Vectors<n>& v,
                                  Vectors<n>& sum) {
  const std::size_t k = rows.first[slice] + lane, end = rows.first[slice + 1];
  switch (rows.form) {
    case Form::whole:
      return add_entries<Form::whole, grounded>(rows, state, k, end, q, v, sum);
    case Form::line:
      return add_entries<Form::line, grounded>(rows, state, k, end, q, v, sum);
    case Form::general:
      return add_entries<Form::general, grounded>(rows, state, k, end, q, v, sum);
  }
}

template <std::size_t n>
HWY_ATTR bool run(const PointTable& table, const PointState& state, PointSprings::Result result, Range slices,
                  double* out) {
  const PackTag d;
  Pack bad = hn::Zero(d);  // x - x is zero for every finite x and not a number otherwise
  std::size_t place = 0;
  for (std::size_t s = slices.first; s < slices.last; ++s)
    for (std::size_t lane = 0; lane < group; lane += pack_width(), place += n * pack_width()) {
      const Vectors<n> q = load<n>(state.own_q + place), v = load<n>(state.own_v + place);
      const Pack mass = at(table.mass, s * group + lane);
      Vectors<n> sum;
      for (std::size_t i = 0; i < n; ++i)
        sum.x[i] = hn::Mul(mass, hn::Set(d, table.gravity[static_cast<Eigen::Index>(i)]));
      for (const SpringRows& rows : table.springs)
        if (rows.grounded)
          add_rows<true>(rows, state, s, lane, q, v, sum);
        else
          add_rows<false>(rows, state, s, lane, q, v, sum);
      if (result == PointSprings::Result::acceleration) {
        const Pack inverse = at(table.inverse, s * group + lane);
        for (std::size_t i = 0; i < n; ++i) sum.x[i] = hn::Mul(sum.x[i], inverse);
      }
      for (std::size_t i = 0; i < n; ++i) bad = hn::Add(bad, hn::Sub(sum.x[i], sum.x[i]));
      store(sum, out + place);
    }
  return hn::AllTrue(d, hn::Eq(bad, hn::Zero(d)));
}

HWY_ATTR bool evaluate(const PointTable& table, std::size_t dimensions, const PointState& state,
                       PointSprings::Result result, Range slices, double* out) {
  if (dimensions == 1) return run<1>(table, state, result, slices, out);
  if (dimensions == 2) return run<2>(table, state, result, slices, out);
  return run<3>(table, state, result, slices, out);
}

}  // namespace
}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(evaluate);

bool evaluate_slices(const PointTable& table, std::size_t dimensions, const PointState& at,
                     PointSprings::Result result, Range slices, double* out) {
  return HWY_DYNAMIC_DISPATCH(evaluate)(table, dimensions, at, result, slices, out);
}

}  // namespace cosimo
#endif
