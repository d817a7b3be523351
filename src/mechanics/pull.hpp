// What pulls, or pushes, one way only: ropes, belts, the flanks of teeth.
//
//   F = 0                            where the stretch p is not positive
//   F = E(p) + D,   |D| <= E(p)      elsewhere, D the damper's force, cut off beyond E
//
// F is continuous, as E is where p passes zero whatever the rate, never of the other sign, and its damper
// only takes energy away. It has three switches: p, E - D and E + D.
#pragma once

#include <cmath>

#include "mechanics/along.hpp"
#include "mechanics/power_law.hpp"

namespace cosimo {

inline ForceAlong pull_of(const PowerLaw& law, double p, double rate) {
  if (p <= 0) return {};
  const double elastic = elastic_force(law, p), slope = stiffness_of(law, p);
  const double damper = damping_force(law, rate);
  if (damper > elastic) return {2 * elastic, 2 * slope, 0};
  if (damper < -elastic) return {};
  return {elastic + damper, slope, damping_of(law, rate)};
}

inline double energy_of_pull(const PowerLaw& law, double p) {
  return p > 0 ? energy_of(law, p) : 0;
}

inline constexpr std::size_t pull_switches = 3;
/// `fastest`: the stretch does not change faster while the velocities stay as they are.
inline Switch* put_pull_switches(const PowerLaw& law, double p, double rate, double fastest, Switch* out) {
  const double elastic = elastic_force(law, p), damper = damping_force(law, rate);
  *out++ = {.value = p, .rate = rate, .bound = fastest};
  *out++ = {.value = elastic - damper};
  *out++ = {.value = elastic + damper};
  return out;
}

}  // namespace cosimo
