#include "integrator/nvector_kernels.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/check.hpp"
#include "numerics/pack_targets.hpp"
#include "numerics/sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "integrator/nvector_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::kernels::HWY_NAMESPACE {

using namespace cosimo::HWY_NAMESPACE;

constexpr std::size_t max_terms = 8;

// Coefficients and pointers as local arrays of known length: the compiler keeps them in registers.
template <std::size_t T>
struct Terms {
  std::array<double, T> c;
  std::array<const double*, T> x;
  explicit Terms(const Combination& sum) {
    std::copy_n(sum.c, T, c.begin());
    std::copy_n(sum.x, T, x.begin());
  }
  template <class D>
  HWY_INLINE HWY_ATTR hn::Vec<D> at(D d, std::size_t i) const {
    auto s = hn::Mul(hn::Set(d, c[0]), hn::LoadU(d, x[0] + i));
    for (std::size_t j = 1; j < T; ++j) s = hn::Add(s, hn::Mul(hn::Set(d, c[j]), hn::LoadU(d, x[j] + i)));
    return s;
  }
};

template <std::size_t T>
HWY_ATTR void combine_terms(const Combination& sum, std::size_t first, std::size_t last, double* z) {
  const Terms<T> terms(sum);
  for_packs(first, last, [&](auto d, std::size_t i) HWY_ATTR { hn::StoreU(terms.at(d, i), d, z + i); });
}

template <std::size_t T>
HWY_ATTR double square_sum_terms(const Combination& sum, const double* w, std::size_t length) {
  const Terms<T> terms(sum);
  double squares[group] = {};
  add_up(0, length, squares, [&](auto d, std::size_t i) HWY_ATTR {
    const auto x = hn::Mul(terms.at(d, i), hn::LoadU(d, w + i));
    return hn::Mul(x, x);
  });
  return add_eight(squares);
}

template <std::size_t K>
HWY_ATTR void chain_rows(const Chain& in, std::size_t length) {
  std::array<double, K> c;
  std::array<const double*, K> x;
  std::array<double*, K> z;
  std::copy_n(in.c, K, c.begin());
  std::copy_n(in.x, K, x.begin());
  std::copy_n(in.z, K, z.begin());
  const double e = in.e;
  const double* const x_e = in.x_e;
  for_packs(0, length, [&](auto d, std::size_t i) HWY_ATTR {
    auto s = hn::Mul(hn::Set(d, e), hn::LoadU(d, x_e + i));
    for (std::size_t j = 0; j < K; ++j) {
      s = hn::Add(s, hn::Mul(hn::Set(d, c[j]), hn::LoadU(d, x[j] + i)));
      hn::StoreU(s, d, z[j] + i);
    }
  });
}

HWY_ATTR double weights(std::size_t n, const double* y, double rtol, double atol, double* w) {
  double squares[group] = {};
  add_up(0, n, squares, [&](auto d, std::size_t i) HWY_ATTR {
    const auto x = hn::LoadU(d, y + i);
    const auto size = hn::Add(hn::Mul(hn::Set(d, rtol), hn::Abs(x)), hn::Set(d, atol));
    const auto weight = hn::Div(hn::Set(d, 1.0), size), scaled = hn::Mul(weight, x);
    hn::StoreU(weight, d, w + i);
    return hn::Mul(scaled, scaled);
  });
  return add_eight(squares);
}

/// Entry k is for k + 1 terms.
struct Table {
  std::array<void (*)(const Combination&, std::size_t, std::size_t, double*), max_terms> combine;
  std::array<double (*)(const Combination&, const double*, std::size_t), max_terms> square_sum;
  std::array<void (*)(const Chain&, std::size_t), max_terms> chain;
};
template <std::size_t... I>
constexpr Table table_of(std::index_sequence<I...>) {
  return {{&combine_terms<I + 1>...}, {&square_sum_terms<I + 1>...}, {&chain_rows<I + 1>...}};
}
constexpr Table table = table_of(std::make_index_sequence<max_terms>{});

void combine_any(const Combination& sum, std::size_t first, std::size_t last, double* z) {
  COSIMO_CHECK(sum.count >= 1 && sum.count <= max_terms, "terms of a linear combination");
  table.combine[sum.count - 1](sum, first, last, z);
}

double square_sum_any(const Combination& sum, const double* w, std::size_t length) {
  COSIMO_CHECK(sum.count >= 1 && sum.count <= max_terms, "terms of a linear combination");
  return table.square_sum[sum.count - 1](sum, w, length);
}

void chain_any(const Chain& in, std::size_t length) {
  COSIMO_CHECK(in.count >= 1 && in.count <= max_terms, "rows of a chain of sums");
  table.chain[in.count - 1](in, length);
}

}  // namespace cosimo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo::kernels {

HWY_EXPORT(combine_any);
HWY_EXPORT(square_sum_any);
HWY_EXPORT(chain_any);
HWY_EXPORT(weights);

void combine(const Combination& sum, std::size_t first, std::size_t last, double* z) {
  HWY_DYNAMIC_DISPATCH(combine_any)(sum, first, last, z);
}

double weighted_square_sum(const Combination& sum, const double* w, std::size_t length) {
  return HWY_DYNAMIC_DISPATCH(square_sum_any)(sum, w, length);
}

void chain(const Chain& in, std::size_t length) {
  HWY_DYNAMIC_DISPATCH(chain_any)(in, length);
}

double error_weights(std::size_t n, const double* y, double rtol, double atol, double* w) {
  return HWY_DYNAMIC_DISPATCH(weights)(n, y, rtol, atol, w);
}

}  // namespace cosimo::kernels
#endif
