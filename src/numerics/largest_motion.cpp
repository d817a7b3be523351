#include "numerics/largest_motion.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/largest_motion.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

/// Of the lanes; a comparison with what is not a number is false.
template <class V>
HWY_INLINE HWY_ATTR V larger(V a, V most) {
  return hn::IfThenElse(hn::Gt(a, most), a, most);
}

HWY_ATTR MotionSize motion(const double* q, const double* start, const double* v, std::size_t n) {
  const PackTag d;
  Pack far = hn::Zero(d), fast = far;
  std::size_t i = 0;
  for (; i + pack_width() <= n; i += pack_width()) {
    far = larger(hn::Abs(hn::Sub(hn::LoadU(d, q + i), hn::LoadU(d, start + i))), far);
    fast = larger(hn::Abs(hn::LoadU(d, v + i)), fast);
  }
  HWY_ALIGN double far_of[group] = {}, fast_of[group] = {};
  hn::Store(far, d, far_of);
  hn::Store(fast, d, fast_of);
  MotionSize most{*std::max_element(far_of, far_of + group), *std::max_element(fast_of, fast_of + group)};
  const OneTag one;
  for (; i < n; ++i) {
    const auto way = hn::Abs(hn::Sub(hn::LoadU(one, q + i), hn::LoadU(one, start + i)));
    most.position = hn::GetLane(larger(way, hn::Set(one, most.position)));
    most.velocity = hn::GetLane(larger(hn::Abs(hn::LoadU(one, v + i)), hn::Set(one, most.velocity)));
  }
  return most;
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(motion);

MotionSize largest_motion(std::span<const double> q, std::span<const double> start,
                          std::span<const double> v) {
  COSIMO_CHECK(start.size() == q.size() && v.size() == q.size(), "coordinates and their velocities");
  return HWY_DYNAMIC_DISPATCH(motion)(q.data(), start.data(), v.data(), q.size());
}

}  // namespace cosimo
#endif
