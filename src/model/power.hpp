// The nonlinear factor of the force law (2.9): sgn(y) |y|^e = y r(y) with r(y) = |y|^(e-1).
//
// Force and slope both need only r:  y (c + C r(y))  and  c + C e r(y). Small whole
// exponents become products, so that loops over them vectorise; any other exponent
// goes through pow. Single elements and vectorised runs use the same products, hence
// an element gives the same bits wherever it is evaluated.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {

/// r for the whole exponent E >= 1. Even exponents keep the sign of y in y r(y).
template <int E>
struct WholePower {
  static double at(double y, double /*exponent*/) {
    if constexpr (E == 1)
      return 1.0;
    else if constexpr (E % 2 == 0)
      return std::fabs(y) * WholePower<E - 1>::at(y, 0);
    else
      return (y * y) * WholePower<E - 2>::at(y, 0);
  }
};

/// r for every positive exponent. Below one r grows without bound towards y = 0; it is held at its
/// value for the smallest normal number, which keeps y r(y) -> 0 and the slope finite.
struct AnyPower {
  static double at(double y, double exponent) {
    return std::pow(std::max(std::fabs(y), std::numeric_limits<double>::min()), exponent - 1);
  }
};

/// There is no nonlinear part.
struct NoPower {};

/// Calls f with the power object that fits the exponent.
template <class F>
auto with_power(double exponent, F f) {
  if (exponent == 1) return f(WholePower<1>{});
  if (exponent == 2) return f(WholePower<2>{});
  if (exponent == 3) return f(WholePower<3>{});
  if (exponent == 4) return f(WholePower<4>{});
  if (exponent == 5) return f(WholePower<5>{});
  if (exponent == 6) return f(WholePower<6>{});
  if (exponent == 7) return f(WholePower<7>{});
  if (exponent == 8) return f(WholePower<8>{});
  return f(AnyPower{});
}

/// r for any exponent; the usual one without a search.
inline double power_factor(double y, double exponent) {
  if (exponent == 3) return WholePower<3>::at(y, exponent);
  return with_power(exponent, [&](auto power) { return power.at(y, exponent); });
}

/// The slope c + C e r(y) of one term of the law.
inline double power_slope(double linear, double nonlinear, double exponent, double y) {
  return nonlinear == 0 ? linear : linear + (nonlinear * exponent) * power_factor(y, exponent);
}

}  // namespace cosimo
