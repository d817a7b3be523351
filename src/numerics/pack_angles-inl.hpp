// Sines and cosines in packs. Included once per target, behind <hwy/highway.h>, as numerics/packs-inl.hpp is.
#if defined(COSIMO_NUMERICS_PACK_ANGLES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef COSIMO_NUMERICS_PACK_ANGLES_INL_HPP
#undef COSIMO_NUMERICS_PACK_ANGLES_INL_HPP
#else
#define COSIMO_NUMERICS_PACK_ANGLES_INL_HPP
#endif

#include <cmath>

#include "numerics/packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

/// c0 + x (c1 + x (c2 + ...)).
template <std::size_t n>
HWY_INLINE HWY_ATTR Pack polynomial(const double (&c)[n], Pack x) {
  const PackTag d;
  Pack sum = hn::Set(d, c[n - 1]);
  for (std::size_t k = n - 1; k-- > 0;) sum = hn::Add(hn::Mul(sum, x), hn::Set(d, c[k]));
  return sum;
}

struct SineCosine {
  Pack sine, cosine;
};

/// To a rounding error of one, of angles up to a million quarter turns; others are left to the C library.
HWY_INLINE HWY_ATTR SineCosine sine_cosine(Pack angle) {
  constexpr double farthest = 0x1p20;
  // A quarter turn. Products of the first two parts, 33 bits each, with up to a million are exact.
  constexpr double quarter[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  constexpr double sines[8] = {-1. / 6,        1. / 120,         -1. / 5040,         1. / 362880,
                               -1. / 39916800, 1. / 6227020800., -1. / 1307674368e3, 1. / 355687428096e3};
  constexpr double cosines[8] = {-1. / 2,       1. / 24,         -1. / 720,          1. / 40320,
                                 -1. / 3628800, 1. / 479001600., -1. / 87178291200., 1. / 20922789888e3};
  const PackTag d;
  const Pack one = hn::Set(d, 1), two = hn::Set(d, 2);
  if (!hn::AllTrue(d, hn::Lt(hn::Abs(angle), hn::Set(d, farthest)))) {
    HWY_ALIGN double x[group], sine[group], cosine[group];
    hn::Store(angle, d, x);
    for (std::size_t i = 0; i < pack_width(); ++i) {
      sine[i] = std::sin(x[i]);
      cosine[i] = std::cos(x[i]);
    }
    return {hn::Load(d, sine), hn::Load(d, cosine)};
  }
  const auto nearest = [&](Pack x) HWY_ATTR {
    const Pack large = hn::Set(d, 0x1.8p52);
    return hn::Sub(hn::Add(x, large), large);
  };
  const Pack count = nearest(hn::Mul(angle, hn::Set(d, 0x1.45f306dc9c883p-1)));
  Pack x = angle;
  for (const double part : quarter) x = hn::Sub(x, hn::Mul(count, hn::Set(d, part)));
  const Pack square = hn::Mul(x, x);
  const Pack sine = hn::Add(x, hn::Mul(hn::Mul(x, square), polynomial(sines, square)));
  const Pack cosine = hn::Add(one, hn::Mul(square, polynomial(cosines, square)));
  // 0, 1, 2 or 3 quarter turns
  const Pack turns = nearest(hn::Sub(hn::Mul(count, hn::Set(d, 0.25)), hn::Set(d, 0.375)));
  const Pack turned = hn::Sub(count, hn::Mul(turns, hn::Set(d, 4)));
  const Pack from_two = hn::Abs(hn::Sub(turned, hn::Set(d, 1.5)));  // 1.5 0.5 0.5 1.5
  const auto odd = hn::Eq(hn::Abs(hn::Sub(turned, two)), one);
  const Pack s = hn::IfThenElse(odd, cosine, sine), c = hn::IfThenElse(odd, sine, cosine);
  return {hn::IfThenElse(hn::Ge(turned, two), hn::Neg(s), s),
          hn::IfThenElse(hn::Lt(from_two, one), hn::Neg(c), c)};
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
