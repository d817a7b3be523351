// Between a tyre and the model of its contact patch. For numbers that carry derivatives as well
// (numerics/dual_functions.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "numerics/dual_functions.hpp"

namespace cosimo::tyre {

/// How the patch slips.
template <class T>
struct Slip {
  T load;          ///< > 0
  T kappa;         ///< -Vsx/|Vx|, behind its relaxation
  T slope;         ///< tan(alpha) = Vsy/|Vx|, likewise
  T sine, cosine;  ///< of the camber
  T forward;       ///< sign of Vx, passing zero smoothly
  T turning;       ///< likewise of the spin
  T speed;         ///< Vx
};

/// What it then does, along x (forward), y (left) and z (upwards), on the wheel. `my` acts about the axle.
template <class T>
struct Grip {
  T fx{}, fy{}, mx{}, my{}, mz{};
  T stiffness_x{}, stiffness_y{};    ///< force per slip where there is none, > 0
  T peak_x{}, peak_y{};              ///< the largest forces, > 0
  T relaxation_x{}, relaxation_y{};  ///< lengths; zero where the model has none
};

template <class T>
T clipped(const T& x, double low, double high) {
  if (value_of(x) < low) return T(low);
  if (value_of(x) > high) return T(high);
  return x;
}
template <class T>
T size_of(const T& x) {
  return value_of(x) < 0 ? -x : x;
}
inline double sign_of(double x) {
  return x < 0 ? -1 : 1;
}
/// x^e of a number above zero.
template <class T>
T raised(const T& x, double e) {
  using std::exp;
  if (e == 0) return T(1.0);
  if (e == 1) return x;
  const double power = std::pow(value_of(x), e);
  if constexpr (std::is_same_v<T, double>)
    return power;
  else
    return chained(x, power, e * power / value_of(x));
}

}  // namespace cosimo::tyre
