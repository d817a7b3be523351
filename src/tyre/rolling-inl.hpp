// How a wheel lies on the road and slips over it, for numbers that carry derivatives as well; the formulas
// are in tyre/tyre_element.hpp.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <variant>

#include "mechanics/road_profile.hpp"
#include "mechanics/varied_place.hpp"
#include "numerics/dual_functions.hpp"
#include "tyre/magic_formula-inl.hpp"
#include "tyre/spec.hpp"

namespace cosimo::tyre {

template <class T>
struct Wheel {
  Triple<T> r, axle, v, w;  ///< along the axes of the road
  std::array<T, 2> z;       ///< kappa, tan(alpha)
};

/// The height of a road and its derivatives, from the k-th on, for numbers that carry derivatives.
inline double lifted(const std::array<double, 4>& h, std::size_t k, double /*x*/) {
  return h[k];
}
template <std::size_t N, class S>
Dual<N, S> lifted(const std::array<double, 4>& h, std::size_t k, const Dual<N, S>& x) {
  if (k + 1 == h.size()) return Dual<N, S>(h[k]);
  return chained(x, S(lifted(h, k, x.v)), S(lifted(h, k + 1, x.v)));
}

template <class T>
struct Below {
  T gap;        ///< above the road
  Triple<T> n;  ///< its normal
};
template <class T>
Below<T> below(const RoadProfile& road, const Triple<T>& r) {
  using std::sqrt;
  const RoadHeight at = road.at(value_of(r.x));
  const std::array<double, 4> h{at.h, at.h1, at.h2, at.h3};
  const T slope = lifted(h, 1, r.x), inverse = 1.0 / sqrt(1.0 + slope * slope);
  return {(r.z - lifted(h, 0, r.x)) * inverse, {-slope * inverse, T(0.0), inverse}};
}

/// From the centre to the road, in the plane of the wheel.
template <class T>
T way_down(const RoadProfile& road, const Triple<T>& r, const Triple<T>& axle) {
  using std::sqrt;
  const Below<T> at = below(road, r);
  const T sine = dot(axle, at.n);
  return at.gap / sqrt(1.0 - sine * sine);
}

template <class T>
struct WayDown {
  T l;
  Triple<T> by_place, by_turn;
};
/// With its gradient.
template <class T>
WayDown<T> way_down_with_gradient(const RoadProfile& road, const Triple<T>& r, const Triple<T>& axle) {
  using D = Dual<6, T>;
  const auto constant = [](const Triple<T>& a) {
    Triple<D> out;
    out.x.v = a.x;
    out.y.v = a.y;
    out.z.v = a.z;
    return out;
  };
  Triple<D> place = constant(r), turned = constant(axle);
  place.x.d[0] = place.y.d[1] = place.z.d[2] = T(1.0);
  turned.y.d[3] = -axle.z;
  turned.z.d[3] = axle.y;
  turned.x.d[4] = axle.z;
  turned.z.d[4] = -axle.x;
  turned.x.d[5] = -axle.y;
  turned.y.d[5] = axle.x;
  const D l = way_down(road, place, turned);
  return {l.v, {l.d[0], l.d[1], l.d[2]}, {l.d[3], l.d[4], l.d[5]}};
}

/// The directions of a wheel, and how it slips.
template <class T>
struct Rolling {
  WayDown<T> way;
  Triple<T> n, x, y, down;
  T sine, cosine, p, vx, spin, radius, vsx, vsy;
};

template <class T>
Rolling<T> roll(const Spec& spec, const RoadProfile& road, const Wheel<T>& wheel) {
  using std::sqrt;
  Rolling<T> out;
  out.way = way_down_with_gradient(road, wheel.r, wheel.axle);
  out.p = spec.radius - out.way.l;
  out.n = below(road, wheel.r).n;
  out.sine = dot(wheel.axle, out.n);
  out.cosine = sqrt(1.0 - out.sine * out.sine);
  const T inverse = 1.0 / out.cosine;
  out.x = inverse * cross(wheel.axle, out.n);
  out.y = cross(out.n, out.x);
  out.down = inverse * (out.sine * wheel.axle - out.n);
  out.radius =
      std::visit([&](const auto& model) { return rolling_radius(model, spec.radius, out.p); }, spec.model);
  out.vx = dot(out.x, wheel.v);
  out.spin = dot(wheel.w, wheel.axle);
  out.vsx = out.vx - out.radius * out.spin;
  out.vsy = dot(out.y, wheel.v + cross(wheel.w, out.way.l * out.down));
  return out;
}

}  // namespace cosimo::tyre
