#include "integrator/ida_kernels.hpp"

#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "integrator/ida_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::kernels::HWY_NAMESPACE {

using namespace cosimo::HWY_NAMESPACE;

HWY_ATTR void residual_of(const ResidualArrays& arrays, Range range) {
  const ResidualArrays x = arrays;
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    hn::StoreU(hn::Sub(hn::LoadU(d, x.dq + i), hn::LoadU(d, x.v + i)), d, x.rq + i);
    hn::StoreU(hn::Sub(hn::LoadU(d, x.dv + i), hn::LoadU(d, x.rv + i)), d, x.rv + i);
  });
}

HWY_ATTR void path_side_of(const PathSide& arrays, double* dv, Range range) {
  const PathSide x = arrays;
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    const auto before = hn::Mul(hn::LoadU(d, x.edge + i - 1), hn::LoadU(d, x.rq + i - 1));
    const auto own = hn::Mul(hn::LoadU(d, x.diag + i), hn::LoadU(d, x.rq + i));
    const auto behind = hn::Mul(hn::LoadU(d, x.edge + i), hn::LoadU(d, x.rq + i + 1));
    const auto inertia = hn::Mul(hn::Mul(hn::Set(d, x.gm), hn::LoadU(d, x.mass + i)), hn::LoadU(d, x.rv + i));
    const auto force = hn::Mul(hn::Set(d, x.gk), hn::Add(hn::Add(before, own), behind));
    hn::StoreU(hn::Sub(inertia, force), d, dv + i);
  });
}

HWY_ATTR void position_change_of(double g, double scale, const double* rq, const double* dv, double* dq,
                                 Range range) {
  for_packs(range.first, range.last, [&](auto d, std::size_t i) HWY_ATTR {
    const auto sum = hn::Add(hn::Mul(hn::Set(d, scale), hn::LoadU(d, rq + i)), hn::LoadU(d, dv + i));
    hn::StoreU(hn::Mul(hn::Set(d, g), sum), d, dq + i);
  });
}

}  // namespace cosimo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo::kernels {

HWY_EXPORT(residual_of);
HWY_EXPORT(path_side_of);
HWY_EXPORT(position_change_of);

void residual(const ResidualArrays& x, Range range) {
  HWY_DYNAMIC_DISPATCH(residual_of)(x, range);
}

void path_side(const PathSide& x, double* dv, Range range) {
  HWY_DYNAMIC_DISPATCH(path_side_of)(x, dv, range);
}

void position_change(double g, double scale, const double* rq, const double* dv, double* dq, Range range) {
  HWY_DYNAMIC_DISPATCH(position_change_of)(g, scale, rq, dv, dq, range);
}

}  // namespace cosimo::kernels
#endif
