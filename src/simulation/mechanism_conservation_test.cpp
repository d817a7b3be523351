// What mechanisms must conserve over 10 s, per method and tolerance: energy, angular momentum, steady
// precession, and the constraints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "simulation/mechanism_testing.hpp"

namespace cosimo::testing {
namespace {

using ::testing::Values;

/// Largest drift over 10 s, in multiples of rtol.
struct Case {
  Solver solver;
  double allowed;
};
void PrintTo(const Case& c, std::ostream* out) {
  PrintTo(c.solver, out);
}

class FreeBody : public ::testing::TestWithParam<Case> {};

/// Turns about its middle axis, which is unstable: it tumbles again and again.
TEST_P(FreeBody, KeepsEnergyAndAngularMomentum) {
  const auto& [solver, allowed] = GetParam();
  const WholeRun run(scenario_of(R"(  bodies:
    - {name: body, kind: rigid, mass: 2, inertia: [1, 2, 2.8, 0.05, 0.1, 0.02], center: [0.1, 0.2, -0.1],
       velocity: [0.3, -0.2, 0.1], angular_velocity: [0.05, 3, 0.02]}
)",
                                 10, 0.1, solver));
  EXPECT_LT(run.energy_drift(), allowed * solver.rtol);
  const Body& body = run.model().mechanism->bodies[0];
  const auto momentum = [&](std::size_t row) {
    const Frame f = run.frame(row, "body");
    return Vec3(f.R * (body.inertia * (f.R.transpose() * f.w)));
  };
  double most = 0;
  for (std::size_t row = 0; row < run.rows(); ++row)
    most = std::max(most, (momentum(row) - momentum(0)).norm());
  EXPECT_LT(most, allowed * solver.rtol * momentum(0).norm());
  // It did tumble.
  double lowest = 1;
  for (std::size_t row = 0; row < run.rows(); ++row)
    lowest = std::min(lowest, run.frame(row, "body").R(1, 1));
  EXPECT_LT(lowest, -0.5);
}
INSTANTIATE_TEST_SUITE_P(Methods, FreeBody,
                         Values(Case{{"rk", 1e-6}, 5}, Case{{"rk", 1e-9}, 10}, Case{{"radau", 1e-6}, 1},
                                Case{{"radau", 1e-9}, 1}, Case{{"ida", 1e-6}, 10}, Case{{"ida", 1e-9}, 60}));

class Network : public ::testing::TestWithParam<Case> {};

TEST_P(Network, UndampedInSpaceKeepsItsEnergy) {
  const auto& [solver, allowed] = GetParam();
  const WholeRun run(
      scenario_of("  network: {masses: 16, neighbours: 5, mass: {uniform: [0.5, 1.5]}, spring: {c: {uniform: "
                  "[50, 150]}}, "
                  "velocity: {uniform: [-0.3, 0.3]}, fixed: 3, seed: 4}\n",
                  10, 0.1, solver));
  EXPECT_LT(run.energy_drift(), allowed * solver.rtol);
}
INSTANTIATE_TEST_SUITE_P(Methods, Network,
                         Values(Case{{"rk", 1e-6}, 300}, Case{{"rk", 1e-9}, 400}, Case{{"radau", 1e-6}, 30},
                                Case{{"ida", 1e-6}, 4000}, Case{{"ida", 1e-8}, 8000}));

class Top : public ::testing::TestWithParam<Case> {};

/// examples/spinning_top.yaml: the axis goes round at 2 rad/s at constant height.
TEST_P(Top, PrecessesSteadilyAsTheorySays) {
  const auto& [solver, allowed] = GetParam();
  const WholeRun run(example("spinning_top", 10, 0.05, solver));
  constexpr double theta = std::numbers::pi / 6, Omega = 2, l = 0.1;
  double most = 0;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double turned = Omega * run.time(row);
    const Vec3 expected =
        l * Vec3(std::sin(theta) * std::cos(turned), std::sin(theta) * std::sin(turned), std::cos(theta));
    most = std::max(most, (run.frame(row, "top").r - expected).norm());
  }
  EXPECT_LT(most, allowed * solver.rtol * l);
  EXPECT_LT(run.energy_drift(), allowed * solver.rtol);
  const Dynamics::Residuals residuals = run.residuals();
  EXPECT_LT(residuals.position, solver.rtol * l);
  EXPECT_LT(residuals.velocity, solver.rtol * Omega);
}
INSTANTIATE_TEST_SUITE_P(Methods, Top,
                         Values(Case{{"rk", 1e-6}, 500}, Case{{"rk", 1e-9}, 200}, Case{{"radau", 1e-6}, 5},
                                Case{{"ida", 1e-4}, 400}, Case{{"ida", 1e-6}, 4000},
                                Case{{"ida", 1e-8}, 10000}));

class LongRun : public ::testing::TestWithParam<Solver> {};

/// A chain in space and a closed loop, a hundred swings each.
TEST_P(LongRun, ConstraintsDoNotDrift) {
  const Solver solver = GetParam();
  const std::string chain =
      "  pendulum: {links: 3, body: rod, joint: spherical, dimensions: 3, length: 0.25, angle: [0.4, 0.5, "
      "0.6]}\n";
  const std::string crank = R"(  gravity: [0, -9.81]
  bodies:
    - {name: crank, kind: planar, mass: 1, inertia: 0.01, center: [0.1, 0]}
    - {name: rod, kind: planar, mass: 1, inertia: 0.02, center: [0.25, 0], position: [0.2, 0]}
    - {name: slider, kind: planar, mass: 1, inertia: 0.01, position: [0.7, 0]}
  joints:
    - {name: shaft, kind: revolute, to: crank, at: [0, 0]}
    - {name: crank pin, kind: revolute, from: crank, to: rod, at: [0.2, 0]}
    - {name: wrist pin, kind: revolute, from: rod, to: slider, at: [0.7, 0]}
    - {name: guide, kind: prismatic, to: slider, at: [0.7, 0], axis: [1, 0]}
)";
  for (const std::string& model : {chain, crank}) {
    const WholeRun run(scenario_of(model, 60, 0.5, solver));
    const Dynamics::Residuals residuals = run.residuals();
    EXPECT_LT(residuals.position, solver.rtol);
    EXPECT_LT(residuals.velocity, solver.rtol * 10);  // the speeds here
    EXPECT_LT(run.energy_drift(), 1e-3);
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, LongRun,
                         Values(Solver{"rk", 1e-6}, Solver{"radau", 1e-6}, Solver{"ida", 1e-6}));

}  // namespace
}  // namespace cosimo::testing
