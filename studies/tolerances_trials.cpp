#include "studies/tolerances_trials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace cosimo::studies {

std::string linear_chain() {
  return R"(cosimo: 1
model:
  chain:
    masses: 1000
    mass: 7.5e-4
    spring: {c: {half_sine: {base: 2.0e11, factor: 9, period: 10}}, d: 2.5e4}
    ends: [fixed, free]
    initial: {x: {ramp: [3.0e-7, 3.0e-4]}}
)";
}

std::string alternating_chain(std::int64_t size, bool shifted, std::uint64_t seed) {
  constexpr int parts = 11;
  std::vector<std::string> blocks;
  std::vector<std::int64_t> cuts;
  std::int64_t body = 0;
  for (int part = 0; part < parts; ++part) {
    const bool heavy = part % 2 == 0;
    const std::int64_t count = (heavy ? 40 : 10) * size;
    blocks.push_back(fmt::format("{{count: {}, value: {}}}", count, heavy ? "10" : "0.1"));
    body += count;
    // Element i joins body i-1 to body i. A heavy mass goes over to the light block: the cut after a heavy
    // part moves left, the one after a light part right.
    if (part + 1 < parts) cuts.push_back(body + 1 + (shifted ? (heavy ? -1 : 1) : 0));
  }
  return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: {}
    mass: {{blocks: [{}]}}
    spring: {{c: 1.0e7, d: 1.0e3, C: 1.0e14, D: 1.0e4}}
    initial: {{x: {{uniform: [-1.0e-4, 1.0e-4]}}, v: {{uniform: [-1.0e-2, 1.0e-2]}}}}
    seed: {}
    loads:
      - powersine: {{bodies: {{fraction: 0.2}}, sign: random, amplitude: {{uniform: [1.0e5, 1.0e6]}},
                    omega: {{uniform: [750, 1000]}}, exponent: 95}}
partition: {{method: manual, cuts: [{}]}}
)",
                     body, fmt::join(blocks, ", "), seed, fmt::join(cuts, ", "));
}

}  // namespace cosimo::studies
