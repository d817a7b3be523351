#include "integrator/stage_kernels.hpp"

#include <utility>

#include "integrator/dormand_prince.hpp"
#include "integrator/merson.hpp"
#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "integrator/stage_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

/// sum_j row_j a_j, with `scaled` for the row times a power of h: begun at its first entry that is not zero.
template <const auto& row, std::size_t j, class D, class V, class Row>
HWY_INLINE HWY_ATTR void add_entry(D d, const Row& scaled, V a, bool& begun, V& sum) {
  if constexpr (row[j] != 0) {
    const V term = hn::Mul(hn::Set(d, scaled[j]), a);
    sum = begun ? hn::Add(sum, term) : term;
    begun = true;
  }
}

/// Two such sums over the first stages, for positions and velocities; an acceleration is read once for both.
template <const auto& q_row, const auto& v_row, class D, class Pair, std::size_t... J>
HWY_INLINE HWY_ATTR void combine(D d, const StageArrays<Pair>& x, const RowOf<Pair>& q_scaled,
                                 const RowOf<Pair>& v_scaled, std::size_t i, hn::Vec<D>& q, hn::Vec<D>& v,
                                 std::index_sequence<J...>) {
  bool q_begun = false, v_begun = false;
  q = hn::Zero(d);
  v = hn::Zero(d);
  const auto add = [&](auto j) HWY_ATTR {
    if constexpr (q_row[j] != 0 || v_row[j] != 0) {
      const auto a = hn::LoadU(d, x.a[j] + i);
      add_entry<q_row, j>(d, q_scaled, a, q_begun, q);
      add_entry<v_row, j>(d, v_scaled, a, v_begun, v);
    }
  };
  (add(std::integral_constant<std::size_t, J>{}), ...);
}

template <class Row>
HWY_INLINE HWY_ATTR Row times(const Row& row, double factor) {
  Row result{};
  for (std::size_t j = 0; j < row.size(); ++j) result[j] = factor * row[j];
  return result;
}

template <class Pair, std::size_t s>
HWY_ATTR void state(const StageArrays<Pair>& arrays, double h, Range range) {
  const StageArrays<Pair> x = arrays.aligned();
  const RowOf<Pair> q_row = times(position_row<Pair, s>, h * h), v_row = times(velocity_row<Pair, s>, h);
  const double ch = Pair::c[s] * h;
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    const auto v0 = hn::LoadU(d, x.v0 + i);
    auto q = hn::Add(hn::LoadU(d, x.q0 + i), hn::Mul(hn::Set(d, ch), v0)), v = v0, dq = v0, dv = v0;
    combine<position_row<Pair, s>, velocity_row<Pair, s>>(d, x, q_row, v_row, i, dq, dv,
                                                          std::make_index_sequence<s>{});
    hn::StoreU(hn::Add(q, dq), d, x.q + i);
    hn::StoreU(hn::Add(v, dv), d, x.v + i);
  });
}

/// Absolute tolerances in a loop; `alike`: those of lengths for all.
template <bool alike>
struct Absolute {
  const ErrorWeights& weights;
  MotionSize length = weights.absolute().length;
  double rtol = weights.rtol();

  template <class D>
  HWY_INLINE HWY_ATTR void at(D d, std::size_t i, hn::Vec<D>& q, hn::Vec<D>& v) const {
    if constexpr (alike) {
      q = hn::Set(d, length.position);
      v = hn::Set(d, length.velocity);
    } else {
      HWY_ALIGN double of_q[group] = {}, of_v[group] = {};
      for (std::size_t k = 0; k < hn::Lanes(d); ++k) {
        of_q[k] = weights.absolute(i + k).position;
        of_v[k] = weights.absolute(i + k).velocity;
      }
      q = hn::Load(d, of_q);
      v = hn::Load(d, of_v);
    }
  }
};

/// f(absolute) with the one that fits.
template <class F>
HWY_INLINE HWY_ATTR void with_absolute(const ErrorWeights& weights, const F& f) {
  if (weights.alike())
    f(Absolute<true>{weights});
  else
    f(Absolute<false>{weights});
}

/// (e_q / w_q)^2 + (e_v / w_v)^2.
template <class D, class V, class Absolute>
HWY_INLINE HWY_ATTR V square(D d, V e_q, V e_v, const ErrorArrays& x, const Absolute& absolute,
                             std::size_t i) {
  V w_q = hn::Zero(d), w_v = w_q;
  absolute.at(d, i, w_q, w_v);
  const V rtol = hn::Set(d, absolute.rtol);
  const auto larger = [&](const double* a, const double* b) HWY_ATTR {
    return hn::Max(hn::Abs(hn::LoadU(d, a + i)), hn::Abs(hn::LoadU(d, b + i)));
  };
  w_q = hn::Add(w_q, hn::Mul(rtol, larger(x.q0, x.q1)));
  w_v = hn::Add(w_v, hn::Mul(rtol, larger(x.v0, x.v1)));
  // One division for both. The product is a number as long as states are below largest_state.
  const V inverse = hn::Div(hn::Set(d, 1.0), hn::Mul(w_q, w_v));
  const V y = hn::Mul(e_q, hn::Mul(w_v, inverse)), z = hn::Mul(e_v, hn::Mul(w_q, inverse));
  return hn::Add(hn::Mul(y, y), hn::Mul(z, z));
}

template <class Pair>
HWY_ATTR void error(const StageArrays<Pair>& arrays, double h, const ErrorWeights& weights, Range range,
                    EightSums& sums) {
  const StageArrays<Pair> x = arrays.aligned();
  const ErrorArrays states{nullptr, nullptr, x.q0, x.v0, x.q, x.v};
  const RowOf<Pair> q_row = times(position_error<Pair>, h * h), v_row = times(velocity_error<Pair>, h);
  with_absolute(weights, [&](const auto& absolute) HWY_ATTR {
    add_up(range.first, range.last, sums.data(), [&](auto d, std::size_t i) HWY_ATTR {
      auto e_q = hn::Zero(d), e_v = e_q;
      combine<position_error<Pair>, velocity_error<Pair>>(d, x, q_row, v_row, i, e_q, e_v,
                                                          std::make_index_sequence<Pair::stages>{});
      return square(d, e_q, e_v, states, absolute, i);
    });
  });
}

HWY_ATTR void error_squares(const ErrorArrays& x, const ErrorWeights& weights, Range range, EightSums& sums) {
  with_absolute(weights, [&](const auto& absolute) HWY_ATTR {
    add_up(range.first, range.last, sums.data(), [&](auto d, std::size_t i) HWY_ATTR {
      return square(d, hn::LoadU(d, x.q + i), hn::LoadU(d, x.v + i), x, absolute, i);
    });
  });
}

template <class Pair, std::size_t... S>
constexpr StageKernels<Pair> kernels_of(std::index_sequence<S...>) {
  return {{nullptr, &state<Pair, S + 1>...}, &error<Pair>};
}
template <class Pair>
inline constexpr StageKernels<Pair> table = kernels_of<Pair>(std::make_index_sequence<Pair::stages - 1>{});

const StageKernels<DormandPrince>* rk_kernels() {
  return &table<DormandPrince>;
}
const StageKernels<Merson>* merson_kernels() {
  return &table<Merson>;
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(rk_kernels);
HWY_EXPORT(merson_kernels);
HWY_EXPORT(error_squares);

template <>
const StageKernels<DormandPrince>& stage_kernels<DormandPrince>() {
  return *HWY_DYNAMIC_DISPATCH(rk_kernels)();
}
template <>
const StageKernels<Merson>& stage_kernels<Merson>() {
  return *HWY_DYNAMIC_DISPATCH(merson_kernels)();
}

void add_error_squares(const ErrorArrays& x, const ErrorWeights& weights, Range range, EightSums& sums) {
  HWY_DYNAMIC_DISPATCH(error_squares)(x, weights, range, sums);
}

}  // namespace cosimo
#endif
