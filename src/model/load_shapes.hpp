// The time histories of the loads (2.11), (2.13), (2.14) for unit amplitude, with
// their derivatives. One definition for single loads and for tables of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {

inline double sine(double omega, double phase, double t) {
  return std::sin(omega * t + phase);
}

inline double sine_rate(double omega, double phase, double t) {
  return omega * std::cos(omega * t + phase);
}

/// From here on tanh rounds to one and its derivative to less than one unit of its last place.
inline constexpr double saturation = 20;

/// tanh(s) without the cost of calling it where the result is +-1 anyway.
inline double edge(double s) {
  return std::fabs(s) < saturation ? std::tanh(s) : std::copysign(1.0, s);
}

inline double edge_slope(double s) {
  if (!(std::fabs(s) < saturation)) return 0.0;
  const double c = 1.0 / std::cosh(s);
  return c * c;
}

inline double pulse(double start, double duration, double steepness, double t) {
  return 0.5 * (edge((t - start) / steepness) - edge((t - (start + duration)) / steepness));
}

inline double pulse_rate(double start, double duration, double steepness, double t) {
  const double rise = edge_slope((t - start) / steepness);
  const double fall = edge_slope((t - (start + duration)) / steepness);
  return 0.5 * (rise - fall) / steepness;
}

/// sin^e: even whole exponents lose the sign, all others keep it.
inline double power_sine(double omega, double phase, double exponent, double t) {
  const double s = sine(omega, phase, t);
  if (std::trunc(exponent) == exponent) return std::pow(s, exponent);
  return std::copysign(std::pow(std::fabs(s), exponent), s);
}

/// For exponents below one the slope is unbounded where the sine vanishes; it is held there.
inline double power_sine_rate(double omega, double phase, double exponent, double t) {
  const double s = sine(omega, phase, t);
  double base = s;
  if (std::trunc(exponent) != exponent) base = std::max(std::fabs(s), std::numeric_limits<double>::min());
  return exponent * std::pow(base, exponent - 1) * sine_rate(omega, phase, t);
}

}  // namespace cosimo
