#include "integrator/rodas_kernels.hpp"

#include <utility>

#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "integrator/rodas_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

using rodas::Row;

/// sum_j row_j W_j over the stages before s, for several rows at once; zero for the first stage.
template <std::size_t s, std::size_t count, class D>
HWY_INLINE HWY_ATTR void combine(D d, const rodas::Stages& w, const Row (&rows)[count], std::size_t i,
                                 hn::Vec<D> (&sums)[count]) {
  for (std::size_t k = 0; k < count; ++k) sums[k] = hn::Zero(d);
  for (std::size_t j = 0; j < s; ++j) {
    const auto w_j = hn::LoadU(d, w[j] + i);
    for (std::size_t k = 0; k < count; ++k) {
      const auto term = hn::Mul(hn::Set(d, rows[k][j]), w_j);
      sums[k] = j == 0 ? term : hn::Add(sums[k], term);
    }
  }
}

template <std::size_t s>
HWY_ATTR void state(const RodasArrays& arrays, double h, double r_scale, Range range) {
  const RodasArrays x = arrays;
  const Row rows[] = {rodas::scale(rodas::folded.Q[s].w, h), rodas::A[s],
                      rodas::scale(rodas::folded.r[s].w, r_scale)};
  const double q_v = h * rodas::folded.Q[s].v, r_v = r_scale * rodas::folded.r[s].v;
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    const auto v0 = hn::LoadU(d, x.v0 + i);
    hn::Vec<decltype(d)> sum[3];
    combine<s>(d, x.w, rows, i, sum);
    const auto q = hn::Add(hn::LoadU(d, x.q0 + i), hn::Add(hn::Mul(hn::Set(d, q_v), v0), sum[0]));
    hn::StoreU(q, d, x.q + i);
    hn::StoreU(hn::Add(v0, sum[1]), d, x.v + i);
    hn::StoreU(hn::Add(hn::Mul(hn::Set(d, r_v), v0), sum[2]), d, x.r + i);
  });
}

template <std::size_t s>
HWY_ATTR void side(const RodasSide& arrays, double h, Range range) {
  const RodasSide x = arrays;
  const double g = h * rodas::gamma, gg = g * g, dh = rodas::d[s] * h;
  const Row rows[] = {rodas::scale(rodas::C[s], 1 / h)};
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    hn::Vec<decltype(d)> sum[1];
    combine<s>(d, x.w, rows, i, sum);
    auto a = hn::Add(hn::LoadU(d, x.a + i), sum[0]);
    if constexpr (rodas::d[s] != 0) a = hn::Add(a, hn::Mul(hn::Set(d, dh), hn::LoadU(d, x.a_t + i)));
    const auto force = hn::Mul(hn::Set(d, g), hn::Mul(hn::LoadU(d, x.mass + i), a));
    hn::StoreU(hn::Sub(force, hn::Mul(hn::Set(d, gg), hn::LoadU(d, x.kr + i))), d, x.w[s] + i);
  });
}

template <std::size_t s>
HWY_ATTR void direction_side(const RodasSide& arrays, double h, Range range) {
  const RodasSide x = arrays;
  const double g = h * rodas::gamma;
  const Row rows[] = {rodas::scale(rodas::C[s], 1 / h)};
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    hn::Vec<decltype(d)> sum[1];
    combine<s>(d, x.w, rows, i, sum);
    auto f = hn::LoadU(d, x.a + i);
    if constexpr (s > 0) f = hn::Add(f, hn::Mul(hn::LoadU(d, x.mass + i), sum[0]));
    if constexpr (rodas::d[s] != 0) f = hn::Add(f, hn::Mul(hn::Set(d, rodas::d[s]), hn::LoadU(d, x.a_t + i)));
    hn::StoreU(hn::Mul(hn::Set(d, g), f), d, x.w[s] + i);
  });
}

HWY_ATTR void end(const RodasArrays& arrays, double h, Range range) {
  constexpr std::size_t s = rodas::stages - 1;
  const RodasArrays x = arrays;
  const Row rows[] = {rodas::scale(rodas::folded.P[s].w, h)};
  const double p_v = h * rodas::folded.P[s].v;
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    hn::Vec<decltype(d)> sum[1];
    combine<s + 1>(d, x.w, rows, i, sum);
    const auto p = hn::Add(hn::Mul(hn::Set(d, p_v), hn::LoadU(d, x.v0 + i)), sum[0]);
    hn::StoreU(p, d, x.r + i);
    hn::StoreU(hn::Add(hn::LoadU(d, x.q + i), p), d, x.q + i);
    hn::StoreU(hn::Add(hn::LoadU(d, x.v + i), hn::LoadU(d, x.w[s] + i)), d, x.v + i);
  });
}

HWY_ATTR void direction_end(const RodasArrays& arrays, double h, Range range) {
  constexpr std::size_t s = rodas::stages - 1;
  const RodasArrays x = arrays;
  rodas::Combination both = rodas::folded.Q[s];
  rodas::add(both, 1, rodas::folded.P[s]);
  Row rows[] = {rodas::scale(both.w, h), rodas::A[s]};
  rows[1][s] += 1;
  const double q_v = h * both.v;
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    const auto v = hn::LoadU(d, x.v + i);
    hn::Vec<decltype(d)> sum[2];
    combine<s + 1>(d, x.w, rows, i, sum);
    const auto step = hn::Add(hn::Mul(hn::Set(d, q_v), v), sum[0]);
    hn::StoreU(hn::Add(hn::LoadU(d, x.q + i), step), d, x.q + i);
    hn::StoreU(hn::Add(v, sum[1]), d, x.v + i);
  });
}

HWY_ATTR void path_product(const double* diag, const double* edge, const double* x, double* y, Range range) {
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    const auto own = hn::Mul(hn::LoadU(d, diag + i), hn::LoadU(d, x + i));
    const auto before = hn::Mul(hn::LoadU(d, edge + i - 1), hn::LoadU(d, x + i - 1));
    const auto behind = hn::Mul(hn::LoadU(d, edge + i), hn::LoadU(d, x + i + 1));
    hn::StoreU(hn::Add(hn::Add(own, before), behind), d, y + i);
  });
}

template <std::size_t... S>
constexpr RodasKernels table_of(std::index_sequence<S...>) {
  return {{&state<S>...}, {&side<S>...}, {&direction_side<S>...}, &end, &direction_end, &path_product};
}
constexpr RodasKernels table = table_of(std::make_index_sequence<rodas::stages>{});

const RodasKernels* kernels() {
  return &table;
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(kernels);

const RodasKernels& rodas_kernels() {
  return *HWY_DYNAMIC_DISPATCH(kernels)();
}

}  // namespace cosimo
#endif
