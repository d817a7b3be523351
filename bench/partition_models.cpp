#include "bench/partition_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/models.hpp"

namespace cosimo::bench {

namespace {

/// exCV with force/force, for all divisions of a case alike.
std::string explicit_yaml(double end, double rtol, const std::string& more = "") {
  return fmt::format(
      "simulate: {{end: {}, output: {}}}\n"
      "couple: {{scheme: explicit, decomposition: force-force}}\n"
      "control: {{estimator: exCV, rtol: {}{}}}\n"
      "solve: {{method: rk, rtol: {}}}\n",
      end, end / 50, rtol, more, 0.01 * rtol);
}

/// The second model of Section 5.4 (Table 5.5): 40 heavy masses and 10 light ones by turns.
PartitionCase section_5_4(bool quick) {
  PartitionCase model{.name = "n_K = 290 (Section 5.4)",
                      .text = R"(cosimo: 1
model:
  chain:
    masses: 290
    mass: {blocks: [{count: 40, value: 10}, {count: 10, value: 0.1}, {count: 40, value: 10},
                    {count: 10, value: 0.1}, {count: 40, value: 10}, {count: 10, value: 0.1},
                    {count: 40, value: 10}, {count: 10, value: 0.1}, {count: 40, value: 10},
                    {count: 10, value: 0.1}, {count: 40, value: 10}]}
    spring: {c: 1.0e7, d: 1.0e3, C: 1.0e14, D: 1.0e4}
    initial: {x: {uniform: [-1.0e-4, 1.0e-4]}, v: {uniform: [-1.0e-2, 1.0e-2]}}
    seed: 1
    loads: [{powersine: {bodies: {fraction: 0.2}, sign: random, amplitude: {uniform: [1.0e5, 1.0e6]},
                         omega: {uniform: [750, 1000]}, exponent: 95}}]
)" + explicit_yaml(quick ? 2e-3 : 2e-2, 1e-5, ", atol_u: 0.1"),
                      .parts = 11};
  // Element i joins bodies i-1 and i. The light masses are 41 to 50, 91 to 100, ...
  std::vector<std::int64_t> first, improved;
  for (std::int64_t light = 41; light < 290; light += 50) {
    first.insert(first.end(), {light, light + 10});
    improved.insert(improved.end(), {light - 1, light + 11});
  }
  model.published = {manual_division("first cut of the document", first),
                     manual_division("its improved cut", improved)};
  return model;
}

/// The last model of Section 5.8 in small, as in `multirate`: contacts kept closed near both ends.
PartitionCase contacts(bool quick) {
  constexpr int n = 2050;
  const std::string bodies = fmt::format("3, 5, 7, {}, {}, {}", n - 6, n - 4, n - 1);
  const std::string loads = fmt::format(
      "    initial: {{v: {{uniform: [-100, 100]}}}}\n"
      "    loads: [{{contact: {{bodies: [{0}], A: -1.0e-2, B: 5.0e5}}}},\n"
      "            {{harmonic: {{bodies: [{0}], amplitude: 2.0e4, omega: 0, phase: 1.5707963267948966}}}}]",
      bodies);
  return {.name = "chain with contacts (Section 5.8)",
          .text = table_5_9_yaml(n, loads) + explicit_yaml(quick ? 2e-5 : 1e-4, 1e-4),
          .parts = 4};
}

PartitionCase membrane(bool quick) {
  return {.name = "lattice 120 x 30",
          .text = R"(cosimo: 1
model:
  lattice:
    size: [120, 30]
    mass: 5.0e-5
    spring: {c: {uniform: [1.0e6, 4.0e6]}, d: 0.25, C: 1.0e10, D: 5.0e-5}
    initial: {v: {uniform: [-10, 10]}}
    seed: 3
)" + explicit_yaml(quick ? 1e-5 : 1e-4, 1e-4),
          .parts = 4};
}

PartitionCase random_network(bool quick) {
  return {.name = "random network in space",
          .text = R"(cosimo: 1
model:
  network: {masses: 300, neighbours: 4, spring: {c: {uniform: [1.0e3, 1.0e5]}, d: 1}, velocity: {uniform: [-1, 1]},
            fixed: 10, seed: 5}
)" + explicit_yaml(quick ? 2e-3 : 2e-2, 1e-4),
          .parts = 4};
}

/// Twelve pieces of ten rods, heavy ones above, light ones below.
PartitionCase compliant_pendulum(bool quick) {
  return {.name = "compliant pendulum chain",
          .text = R"(cosimo: 1
model:
  pendulum: {links: 120, body: rod, length: 0.5, mass: {blocks: [{count: 35, value: 20}, {count: 85, value: 2}]},
             angle: {ramp: [0.1, 0.5]}, compliant: {every: 5, stiffness: 1.0e5, damping: 200}}
)" + explicit_yaml(quick ? 0.02 : 0.2, 1e-4),
          .parts = 4};
}

}  // namespace

Division manual_division(std::string name, const std::vector<std::int64_t>& cuts) {
  return {std::move(name),
          {"partition.method=manual", fmt::format("partition.cuts=[{}]", fmt::join(cuts, ", "))}};
}

std::vector<PartitionCase> partition_cases(bool quick) {
  return {section_5_4(quick), contacts(quick), membrane(quick), random_network(quick),
          compliant_pendulum(quick)};
}

}  // namespace cosimo::bench
