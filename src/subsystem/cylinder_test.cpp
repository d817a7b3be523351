// Hydraulic cylinders, slack ropes and teeth in motion, against closed forms.
#include "mechanics/cylinder_element.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/archive_testing.hpp"
#include "mechanics/pull_spring_element.hpp"
#include "subsystem/alone_testing.hpp"

namespace cosimo {
namespace {

using testing::add_point;
using testing::Alone;
using testing::along_x;

/// Between the origin and a mass at x = 1, half way out.
CylinderSpec machine() {
  CylinderSpec spec;
  spec.retracted = 0.5;
  spec.stroke = 1;
  spec.area = {5e-3, 3e-3};
  spec.dead = {2e-4, 2e-4};
  spec.bulk = 1.4e9;
  spec.supply = 16e6;
  spec.flow = 1e-3;
  spec.drop = 1e6;
  spec.pressures = {6e6, 10e6};
  spec.stop_stiffness = 1e9;
  spec.stop_damping = 1e5;
  return spec;
}
PlacedMechanism with_mass(const CylinderSpec& spec, double mass, double v) {
  MechanismBuilder builder;
  const BodyId body = add_point(builder, "mass", mass, 1, v);
  builder.add(make_cylinder("cylinder", along_x(builder, ground), along_x(builder, body), spec));
  return builder.finish();
}

class CylinderRuns : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, CylinderRuns,
                         ::testing::Values(Method::rk, Method::automatic, Method::radau, Method::ida));

TEST_P(CylinderRuns, SwingsOnItsOilWhenTheValveIsShut) {
  const CylinderSpec spec = machine();
  const double mass = 2000, v0 = 0.02;
  const double v1 = spec.dead[0] + 0.5 * spec.area[0], v2 = spec.dead[1] + 0.5 * spec.area[1];
  const double omega =
      std::sqrt(spec.bulk * (spec.area[0] * spec.area[0] / v1 + spec.area[1] * spec.area[1] / v2) / mass);
  Alone alone(with_mass(spec, mass, v0), GetParam(), 1e-8, 1e-10);
  const double before = alone.energy(0);
  for (int k = 1; k <= 8; ++k) {
    const double t = 0.25 * k * std::numbers::pi / omega;
    ASSERT_TRUE(alone.advance(t));
    EXPECT_NEAR(alone.x() - 1, v0 / omega * std::sin(omega * t), 2e-3 * v0 / omega) << k;
    EXPECT_NEAR(alone.energy(t), before, 1e-4 * 0.5 * mass * v0 * v0) << k;
  }
}

/// An open valve drives the rod at the speed at which both edges' pressure drops add up to the supply.
TEST_P(CylinderRuns, ComesOutWithTheSpeedOfTheOrificeLaw) {
  CylinderSpec spec = machine();
  spec.command = "min(1, 20*t)";
  spec.area = {4e-3, 4e-3};
  spec.pressures = {8e6, 8e6};
  spec.damping = 4000;
  Alone alone(with_mass(spec, 200, 0), GetParam(), 1e-7, 1e-9);
  ASSERT_TRUE(alone.advance(0.3));
  // A v = flow sqrt((supply/2 - F/2A)/drop), F = d v.
  const auto rest = [&](double v) {
    return spec.area[0] * v -
           spec.flow * std::sqrt((0.5 * spec.supply - 0.5 * spec.damping * v / spec.area[0]) / spec.drop);
  };
  double low = 0, high = 2;
  for (int k = 0; k < 60; ++k) (rest(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
  EXPECT_NEAR(alone.v(), low, 1e-4 * low);
  // At the end of its stroke it stands.
  ASSERT_TRUE(alone.advance(3));
  EXPECT_NEAR(alone.x(), 1.5, 2e-4);
  EXPECT_LT(std::fabs(alone.v()), 1e-5);
}

TEST_P(CylinderRuns, TakenBackAndRepeatedGivesTheSameBits) {
  CylinderSpec spec = machine();
  spec.command = "0.3*sin(40*t)";
  Alone alone(with_mass(spec, 500, 0), GetParam(), 1e-6, 1e-8);
  ASSERT_TRUE(alone.advance(0.03));
  const auto snapshot = alone.integrator->make_snapshot();
  alone.integrator->save(*snapshot);
  const testing::Bytes bytes = testing::archived(*alone.integrator);
  ASSERT_TRUE(alone.advance(0.1));
  const double x = alone.x(), p = alone.integrator->states()[0];
  alone.integrator->restore(*snapshot);
  ASSERT_TRUE(alone.advance(0.1));
  EXPECT_EQ(alone.x(), x);
  EXPECT_EQ(alone.integrator->states()[0], p);
  Alone other(with_mass(spec, 500, 0), GetParam(), 1e-6, 1e-8);
  testing::load(bytes, *other.integrator);
  ASSERT_TRUE(other.advance(0.1));
  EXPECT_EQ(other.x(), x);
  EXPECT_EQ(other.integrator->states()[0], p);
}

/// A mass flies freely, is caught by its rope, swings half a period and flies back.
TEST_P(CylinderRuns, ASlackRopeLetsGoAndCatches) {
  MechanismBuilder builder;
  const double c = 400, length = 1, v0 = 2;
  const BodyId body = add_point(builder, "mass", 1, 0, v0);
  builder.add(make_pull_spring("rope", along_x(builder, ground), along_x(builder, body), {c}, length));
  Alone alone(builder.finish(), GetParam(), 1e-8, 1e-10);
  const double omega = std::sqrt(c), flight = length / v0, caught = std::numbers::pi / omega;
  ASSERT_TRUE(alone.advance(0.5 * flight));
  EXPECT_NEAR(alone.x(), 0.5 * length, 1e-8);
  ASSERT_TRUE(alone.advance(flight + 0.5 * caught));
  EXPECT_NEAR(alone.x(), length + v0 / omega, 1e-6);
  ASSERT_TRUE(alone.advance(2 * flight + caught));
  EXPECT_NEAR(alone.x(), 0, 1e-6);
  EXPECT_NEAR(alone.v(), -v0, 1e-6);
}

}  // namespace
}  // namespace cosimo
