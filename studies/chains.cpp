#include "studies/chains.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace cosimo::studies {

std::string ConvergenceChain::text() const {
  return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: {0}
    mass: 10
    spring: {{c: 1.0e6, d: 1.0e2, C: {1}, D: {2}, ex: 6, ev: 3}}
    ends: [fixed, free]
    loads: [{{harmonic: {{bodies: [{0}], amplitude: 5.0e7, omega: 5.0e2}}}}]
)",
                     masses(), linear ? "0" : "1.0e12", linear ? "0" : "1");
}

std::string ConvergenceChain::partition() const {
  return fmt::format("partition: {{parts: {}}}\n", parts());
}

std::string two_masses(int model) {
  static constexpr std::array physics{
      "mass: [2, 1], spring: {c: [1.0e5, 5.0e3, 1.0e3]}, initial: {x: [-2, 0], v: [100, -200]}",
      "mass: [5, 1], spring: {c: [1.0e3, 1.0e2, 1.0e4], C: [1.0e4, 1.0e5, 1.0e3], D: [1.0e-3, 5.0e-4, 0], "
      "ex: 7, ev: 3}, initial: {x: [-1, 0], v: [100, -200]}",
      "mass: [50, 1], spring: {c: [1.0e5, 1.0e5, 1.0e3], C: [0, 1.0e5, 0], D: [0, 1.0e-2, 0], ex: 3, ev: 3}, "
      "initial: {x: [-2, 0], v: [100, -200]}, loads: [{contact: {bodies: [1], A: -1.0e-2, B: 1.0e7}}]"};
  return fmt::format("cosimo: 1\nmodel: {{chain: {{masses: 2, {}}}}}\n",
                     physics.at(static_cast<std::size_t>(model - 1)));
}

double coupling_force(int model, double dx, double dv) {
  const auto power = [](double value, double exponent) {
    return std::copysign(std::pow(std::fabs(value), exponent), value);
  };
  switch (model) {
    case 1:
      return 5e3 * dx;
    case 2:
      return 1e2 * dx + 1e5 * power(dx, 7) + 5e-4 * power(dv, 3);
    default:
      return 1e5 * dx + 1e5 * power(dx, 3) + 1e-2 * power(dv, 3);
  }
}

std::string safety_chain(std::int64_t masses, std::uint64_t seed) {
  return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: {}
    mass: 5.0e-2
    spring: {{c: 2.5e6, d: 25, C: 1.0e10, D: 1.0e-4, ex: 3, ev: 3}}
    seed: {}
    loads:
      - powersine: {{bodies: {{fraction: 0.5}}, sign: random, amplitude: {{uniform: [1.0e6, 1.0e7]}},
                    omega: {{uniform: [5.0e2, 5.0e3]}}, exponent: 95}}
)",
                     masses, seed);
}

}  // namespace cosimo::studies
