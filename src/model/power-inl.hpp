// r of model/power.hpp for packs, with the same products in the same order. Included once per target, behind
// numerics/packs-inl.hpp.
#if defined(COSIMO_MODEL_POWER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef COSIMO_MODEL_POWER_INL_HPP
#undef COSIMO_MODEL_POWER_INL_HPP
#else
#define COSIMO_MODEL_POWER_INL_HPP
#endif

#include <cmath>

#include "model/power.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

template <class D>
HWY_INLINE HWY_ATTR hn::Vec<D> power(D d, hn::Vec<D> y, double exponent) {
  if (exponent != std::floor(exponent) || exponent < 1 || exponent > 8) {
    HWY_ALIGN double value[group] = {};
    hn::Store(y, d, value);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) value[i] = AnyPower::at(value[i], exponent);
    return hn::Load(d, value);
  }
  const int whole = static_cast<int>(exponent);
  const auto square = hn::Mul(y, y);
  auto r = hn::Set(d, 1.0);
  for (int k = 1; k < whole - (whole + 1) % 2; k += 2) r = hn::Mul(square, r);
  return whole % 2 == 0 ? hn::Mul(hn::Abs(y), r) : r;
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
