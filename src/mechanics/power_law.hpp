// The force law (2.9), F = c s + d s' + C sgn(s) |s|^ex + D sgn(s') |s'|^ev: value, slopes, stored energy.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/elements.hpp"

namespace cosimo {

/// |y|^(e-1), so that sgn(y) |y|^e = y times it and its slope e times it. Below e = 1 it grows without bound
/// towards y = 0 and is held at its value for the smallest normal number.
inline double power_factor(double y, double e) {
  if (e == 3) return y * y;
  if (e == 2) return std::fabs(y);
  return std::pow(std::max(std::fabs(y), std::numeric_limits<double>::min()), e - 1);
}

inline double elastic_force(const PowerLaw& law, double s) {
  return law.C == 0 ? law.c * s : s * (law.c + law.C * power_factor(s, law.ex));
}
inline double damping_force(const PowerLaw& law, double rate) {
  return law.D == 0 ? law.d * rate : rate * (law.d + law.D * power_factor(rate, law.ev));
}
inline double force_of(const PowerLaw& law, double s, double rate) {
  return elastic_force(law, s) + damping_force(law, rate);
}
/// dF/ds.
inline double stiffness_of(const PowerLaw& law, double s) {
  return law.C == 0 ? law.c : law.c + law.C * law.ex * power_factor(s, law.ex);
}
/// dF/ds'.
inline double damping_of(const PowerLaw& law, double rate) {
  return law.D == 0 ? law.d : law.d + law.D * law.ev * power_factor(rate, law.ev);
}
inline double energy_of(const PowerLaw& law, double s) {
  const double linear = 0.5 * law.c * s * s;
  return law.C == 0 ? linear : linear + law.C * s * s * power_factor(s, law.ex) / (law.ex + 1);
}
inline bool is_free(const PowerLaw& law) {
  return law.c == 0 && law.d == 0 && law.C == 0 && law.D == 0;
}

}  // namespace cosimo
