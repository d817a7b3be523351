// The small chains of [K] Section 5 as scenario text: version and model. A study appends the other sections:
//
//   lab.run("M1-exMD", two_masses(1) + "partition: {parts: 2}\nsimulate: {end: 0.1}\n...");
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cosimo::studies {

/// Table 5.1: masses of 10 kg, one end fixed, the other free and pulled by a harmonic force. The published
/// chain has 50 masses in 10 subsystems; half of it is its driven end.
struct ConvergenceChain {
  bool linear = false;
  bool half = false;

  std::int64_t parts() const { return half ? 5 : 10; }
  std::int64_t masses() const { return 5 * parts(); }
  /// Simulated time. Of half the chain until the wave of the driven end is about to meet the wall: by then
  /// every coupling has moved. There it would still be far steeper than at the wall of the published chain,
  /// and its reflection needs macro steps well below the published ones.
  double end() const { return !half ? 0.25 : linear ? 0.1 : 0.03; }
  std::string text() const;
  std::string partition() const;  ///< the section
};

/// Table 5.2: the two-mass oscillators M1 (linear), M2 (nonlinear) and M3 (contact).
std::string two_masses(int model);
/// Force of the element between the masses, which is the coupling variable when they are cut: law (2.9) with
/// the parameters of Table 5.2. `dx`, `dv`: of the second mass relative to the first.
double coupling_force(int model, double dx, double dv);

/// Table 5.3: random pulses pull at half of the masses (150 in the published study, 1e5 in its Figure 5.61).
std::string safety_chain(std::int64_t masses, std::uint64_t seed);

}  // namespace cosimo::studies
