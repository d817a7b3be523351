#include "model/link_kernels.hpp"

#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/link_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/packs-inl.hpp"
// Behind it:
#include "model/power-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

/// A coefficient in a loop: a constant, or a row of numbers.
class Coefficient {
 public:
  Coefficient(const AlignedVector& values, std::size_t first)
      : row_(values.size() == 1 ? nullptr : values.data() + first), value_(values[0]) {}
  template <class D>
  HWY_INLINE HWY_ATTR hn::Vec<D> at(D d, std::size_t k) const {
    return row_ == nullptr ? hn::Set(d, value_) : hn::LoadU(d, row_ + k);
  }

 private:
  const double* row_;
  double value_;
};

HWY_ATTR void slopes(const Coefficients& p, std::size_t first, std::size_t n, const double* coordinates,
                     double* out) {
  const double* const x = coordinates + first;
  const Coefficient linear(p.linear, first);
  if (!p.powered) {
    for_packs(0, n, [&](auto d, std::size_t k) HWY_ATTR { hn::StoreU(linear.at(d, k), d, out + k); });
    return;
  }
  const Coefficient nonlinear(p.nonlinear, first);
  const double exponent = p.exponent;
  const auto run = [&](auto r) HWY_ATTR {
    for_packs(0, n, [&](auto d, std::size_t k) HWY_ATTR {
      const auto y = hn::Sub(hn::LoadU(d, x + k + 1), hn::LoadU(d, x + k));
      const auto grown = hn::Mul(hn::Mul(nonlinear.at(d, k), hn::Set(d, exponent)), r(d, y));
      hn::StoreU(hn::Add(linear.at(d, k), grown), d, out + k);
    });
  };
  if (exponent == 3)
    run([](auto, auto y) HWY_ATTR { return hn::Mul(y, y); });
  else
    run([exponent](auto d, auto y) HWY_ATTR { return power(d, y, exponent); });
}

HWY_ATTR void sums(const double* slope, double* diag, std::size_t n) {
  for_packs(0, n, [&](auto d, std::size_t j) HWY_ATTR {
    hn::StoreU(hn::Add(hn::LoadU(d, slope + j), hn::LoadU(d, slope + j + 1)), d, diag + j);
  });
}

HWY_ATTR void opposites(const double* slope, double* edge, std::size_t n) {
  for_packs(0, n, [&](auto d, std::size_t j) HWY_ATTR {
    hn::StoreU(hn::Neg(hn::LoadU(d, slope + j)), d, edge + j);
  });
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(slopes);
HWY_EXPORT(sums);
HWY_EXPORT(opposites);

void link_slopes(const Coefficients& p, std::size_t first, std::size_t n, const double* x, double* out) {
  HWY_DYNAMIC_DISPATCH(slopes)(p, first, n, x, out);
}

void add_neighbours(const double* slope, double* diag, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(sums)(slope, diag, n);
}

void negate(const double* slope, double* edge, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(opposites)(slope, edge, n);
}

}  // namespace cosimo
#endif
