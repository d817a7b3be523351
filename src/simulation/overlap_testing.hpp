// Models for tests of whole runs with overlaps: those of the documents, made small.
#pragma once

#include <string>

#include "simulation/testing.hpp"

namespace cosimo::testing {

/// The chain of Table 5.9 from its violent random start, `parts` equal parts.
inline std::string table_5_9(int masses, int parts, const std::string& rest, const std::string& loads = "") {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: {}, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}, seed: 58, loads: [{}]}}
partition: {{parts: {}}}
{}
)",
                     masses, loads, parts, rest);
}

/// Section 5.8: the same with impulses on the bodies beside the cuts.
inline std::string impulses(int masses, int parts, const std::string& rest) {
  return table_5_9(
      masses, parts, rest,
      fmt::format("{{impulse: {{bodies: {{beside_cuts_of: {}}}, sign: alternating, amplitude: 1.0e6, "
                  "start: 1.0e-4, duration: 1.0e-3, steepness: 1.0e-6}}}}",
                  parts));
}

/// Table 5.1, nonlinear, with more masses and fewer parts.
inline std::string long_table_5_1(int masses, int parts, const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: {0}, mass: 10, spring: {{c: 1.0e6, d: 100, C: 1.0e12, D: 1, ex: 6, ev: 3}}, ends: [fixed, free],
          loads: [{{harmonic: {{bodies: [{0}], amplitude: 5.0e7, omega: 500}}}}]}}
partition: {{parts: {1}}}
{2}
)",
                     masses, parts, rest);
}

/// A linear chain with damping ratio d / (2 sqrt(c m)) = 10.
inline std::string damping_ratio_10(int masses, int parts, const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: {}, mass: 5.0e-5, spring: {{c: 2.5e6, d: 223.607}}, seed: 58,
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}}}
partition: {{parts: {}}}
{}
)",
                     masses, parts, rest);
}

/// Section 5.8: bodies pressed against stiff walls in a small part at each end of a soft chain.
inline std::string multirate(const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: 450
    mass: 5.0e-5
    spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}}
    initial: {{x: 0, v: {{uniform: [-100, 100]}}}}
    seed: 58
    loads:
      - contact: {{bodies: [3, 5, 7, 444, 446, 449], A: -1.0e-2, B: 5.0e5}}
      - harmonic: {{bodies: [3, 5, 7, 444, 446, 449], amplitude: 2.0e4, omega: 0, phase: 1.5707963267948966}}
partition: {{cuts: [26, 226, 426]}}
{}
)",
                     rest);
}

}  // namespace cosimo::testing
