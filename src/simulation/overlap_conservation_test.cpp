// Long runs of an undamped chain with free ends: what the cuts add to the drift of energy and momentum.
#include <gtest/gtest.h>

#include <cmath>

#include "model/equations.hpp"
#include "model/graphs.hpp"
#include "simulation/overlap_testing.hpp"

namespace cosimo::testing {
namespace {

std::string undamped_chain(double end, double output) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 200, mass: 1, spring: {{c: 1, d: 0, C: 0.5, D: 0}}, ends: [free, free], seed: 4,
          initial: {{x: {{uniform: [-0.3, 0.3]}}, v: {{uniform: [-0.3, 0.3]}}}}}}
partition: {{parts: 4}}
simulate: {{end: {}, output: {}}}
)",
                     end, output);
}

struct Drift {
  double energy = 0;    ///< largest change, relative to the energy
  double momentum = 0;  ///< largest change, relative to the sum of |m v|
  std::int64_t micro_steps = 0;
};

Drift drift(const std::string& text, const std::vector<std::string>& settings) {
  Bench bench(text, 2, {}, settings);
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  const Model& model = *bench.assembly->model;
  const Partition whole = uncut(model);
  const Equations equations(model, whole.parts.front());
  const std::size_t n = model.bodies.count;
  const Memory& m = bench.memory;
  const auto momentum = [&](std::size_t row) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += model.bodies.mass[i] * m.velocity[row * n + i];
    return sum;
  };
  double scale = 0;
  for (std::size_t i = 0; i < n; ++i) scale += std::fabs(model.bodies.mass[i] * m.velocity[i]);
  const double first = equations.energy(m.position.data(), m.velocity.data());
  Drift drift;
  for (std::size_t row = 1; row < m.time.size(); ++row) {
    const double energy = equations.energy(&m.position[row * n], &m.velocity[row * n]);
    drift.energy = std::max(drift.energy, std::fabs(energy / first - 1));
    drift.momentum = std::max(drift.momentum, std::fabs(momentum(row) - momentum(0)) / scale);
  }
  for (std::size_t i = 0; i < bench.lanes->size(); ++i)
    drift.micro_steps += bench.lanes->lane(i).status().counters.steps;
  return drift;
}

/// Where all take the same micro steps and the layers reach past the cone, a cut leaves no trace but
/// rounding.
TEST(OverlapConservation, WideOverlapsDriftNoMoreThanTheUncutRun) {
  const std::string text = undamped_chain(1000, 10), solve = "solve={rtol: 1.0e-6, max_step: 0.01}";
  const Drift whole = drift(text, {solve, "partition=none"});
  const Drift cut =
      drift(text, {solve, "couple={decomposition: overlap, layers: 40}", "control={step: 0.5}"});
  EXPECT_GT(cut.micro_steps, 400'000);
  EXPECT_LT(cut.energy, 2 * whole.energy);
  EXPECT_LT(cut.momentum, 2 * whole.momentum + 5e-14);
}

/// With chosen layers and steps the energy drifts as uncut. Momentum, which a Runge-Kutta method keeps to
/// rounding, leaks by what comes through the overlaps: far below the tolerance.
TEST(OverlapConservation, ByDefaultEnergyDriftsAsUncutAndMomentumLittle) {
  const std::string text = undamped_chain(1000, 10), solve = "solve={rtol: 1.0e-8}";
  const Drift whole = drift(text, {solve, "partition=none"});
  const Drift cut = drift(text, {solve, "couple={decomposition: overlap}"});
  EXPECT_LT(cut.energy, 2 * whole.energy);
  EXPECT_LT(cut.momentum, 0.5 * 1e-8);
}

}  // namespace
}  // namespace cosimo::testing
