// The brush model: bristles of the same stiffness c in all directions that stick to the road as long as the
// parabola of pressure holds them, and slide behind (H. B. Pacejka, Tyre and Vehicle Dynamics, chapter 3.2).
//
// With half of the length of the patch a, the load Fz and the coefficient of friction mu, and the slips as
// they are seen from the turning wheel, (kappa, tan alpha)/(1 + kappa), of the size s (1 - kappa on the way
// backwards, where kappa is positive for a wheel that brakes):
//
//   K = 2 c a^2,   w = K s/(3 mu Fz),   F = mu Fz (1 - (1 - w)^3) for w < 1, else mu Fz, against the sliding
//   t = a (1 - w)^3/(3 - 3 w + w^2),    Mz = -t Fy
//
// The patch grows with the root of the load, so that K is in proportion to it. Nothing slides before w = 1.
#pragma once

#include "tyre/patch.hpp"
#include "tyre/spec.hpp"

namespace cosimo::tyre {

template <class T>
Grip<T> grip_of(const Brush& brush, const Slip<T>& slip) {
  using std::sqrt;
  Grip<T> out;
  const T half = brush.patch * sqrt(slip.load * (1 / brush.load));
  const T stiffness = 2 * brush.tread * half * half, most = brush.friction * slip.load;
  out.stiffness_x = out.stiffness_y = stiffness;
  out.peak_x = out.peak_y = most;
  out.relaxation_x = out.relaxation_y = half;
  out.my = -brush.rolling * slip.load * slip.turning;
  const T square = slip.kappa * slip.kappa + slip.slope * slip.slope;
  if (value_of(square) == 0) {  // where the root has no derivative the force is linear
    out.fx = stiffness * slip.kappa;
    out.fy = -stiffness * slip.slope;
    out.mz = -half * slip.forward * (1.0 / 3) * out.fy;
    return out;
  }
  const T size = sqrt(square), scaled = stiffness * size / (3.0 * most),
          seen = size_of(1.0 + slip.forward * slip.kappa);
  T share(1.0), trail{};
  if (value_of(scaled) < value_of(seen)) {
    const T w = scaled / seen, rest = 1.0 - w;
    share = 1.0 - rest * rest * rest;
    trail = half * rest * rest * rest / (3.0 - 3.0 * w + w * w);
  }
  out.fx = most * share * slip.kappa / size;
  out.fy = -most * share * slip.slope / size;
  out.mz = -trail * slip.forward * out.fy;
  return out;
}

}  // namespace cosimo::tyre
