#include "model/mechanisms.hpp"
#include "model/graphs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/dynamics.hpp"

namespace cosimo {
namespace {

Dynamics whole(const Mechanism& mechanism) {
  std::vector<BodyId> bodies;
  std::vector<ElementId> elements;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) bodies.emplace_back(i);
  for (std::size_t i = 0; i < mechanism.elements.size(); ++i) elements.emplace_back(i);
  return {mechanism, bodies, elements};
}

/// One freedom: the upright bars turn by phi, couplers move along a circle. With k = loops + 1 uprights
/// (k/3 + loops) m l^2 phi'' = (k/2 + loops) m g l sin(phi): it starts at phi = 0 with v/l.
TEST(FourBars, AccelerateAsTheirOneFreedomSays) {
  for (const std::size_t dimensions : {2U, 3U}) {
    for (const std::size_t loops : {1U, 5U}) {
      const Model model =
          make_four_bars({.loops = loops, .length = 0.8, .mass = 3, .velocity = 2, .dimensions = dimensions});
      const Dynamics dynamics = whole(*model.mechanism);
      ASSERT_EQ(dynamics.bodies(), 2 * loops + 1);
      const double *q = model.bodies.x.data(), *v = model.bodies.v.data();
      EXPECT_LT(dynamics.residuals(0, q, v).position, 1e-14);
      EXPECT_LT(dynamics.residuals(0, q, v).velocity, 1e-14);
      const double k = static_cast<double>(loops) + 1, n = static_cast<double>(loops);
      EXPECT_NEAR(dynamics.kinetic_energy(q, v), 0.5 * 3 * 4 * (k / 3 + n), 1e-12);
      EXPECT_NEAR(dynamics.potential_energy(0, q), 3 * 9.81 * 0.8 * (k / 2 + n), 1e-12);
      std::vector<double> a(dynamics.size());
      const auto work = dynamics.make_workspace();
      ASSERT_TRUE(dynamics.acceleration(0, q, v, {}, a.data(), nullptr, *work));
      // Upright: no turning acceleration, the top is drawn down by v^2 / l, a coupler with it.
      const std::size_t coupler = dynamics.first_coordinate(2);
      EXPECT_NEAR(a[coupler], 0, 1e-10);
      EXPECT_NEAR(a[coupler + dimensions - 1], -4 / 0.8, 1e-10);
    }
  }
}

TEST(FourBars, MayBeCutAtCompliantJoints) {
  const Model model = make_four_bars({.loops = 3, .compliant = Compliance{1e6, 100, 0, 0}});
  EXPECT_EQ(model.mechanism->elements.size(), 2U);
  const auto groups = make_graph(model)->groups();
  EXPECT_NE(groups.front(), groups.back());
}

TEST(Vehicle, HasWhatItsDescriptionSays) {
  VehicleSpec spec;
  spec.axles = 3;
  spec.engine = {150, {5, 6, 7}};
  const PlacedMechanism made = make_vehicle(spec);
  EXPECT_EQ(made.mechanism->bodies.size(), 8U);
  EXPECT_EQ(made.mechanism->constraints.size(), 6U);
  EXPECT_TRUE(made.mechanism->find_body("wheel3_right").valid());
  EXPECT_TRUE(made.mechanism->find_element("mount4").valid());
  EXPECT_EQ(made.mechanism->elements.size(), 4U + 2 * 6);
  const Dynamics dynamics = whole(*made.mechanism);
  EXPECT_LT(dynamics.residuals(0, made.q.data(), made.v.data()).velocity, 1e-12);
  EXPECT_NEAR(dynamics.kinetic_energy(made.q.data(), made.v.data()), 0.5 * (1200 + 150 + 6 * 40) * 400, 1e-6);

  spec.compliant = Compliance{1e6, 1e3, 1e5, 100};
  EXPECT_TRUE(make_vehicle(spec).mechanism->constraints.empty());
}

/// The variance of the heights is the integral of the spectral density over the wave numbers of the road.
TEST(Vehicle, RoadIsAsRoughAsAsked) {
  VehicleSpec spec;
  spec.road = {.roughness = 1e-6, .length = 100, .waves = 200, .seed = 3};
  const PlacedMechanism made = make_vehicle(spec);
  const ElementId tyre = made.mechanism->find_element("tyre1_left");
  ASSERT_TRUE(tyre.valid());
  // Height below the wheel from the force of a tyre that is pressed in far.
  const ForceElement& element = *made.mechanism->elements[tyre.index()];
  double sum = 0, square = 0;
  constexpr int points = 4000;
  for (int i = 0; i < points; ++i) {
    Frame wheel;
    wheel.r = {0.5 * i, 0, -1};
    Effort effort;
    ASSERT_TRUE(element.effort(0, Frame{}, wheel, effort));
    const double height = std::fabs(effort.force[2]) / spec.tyre_stiffness;
    sum += height;
    square += height * height;
  }
  const double mean = sum / points, variance = square / points - mean * mean;
  // G(k) = 1e-6 / k^2 from k = 2 pi / 100 on.
  const double expected = 1e-6 * 100 / (2 * 3.14159265);
  EXPECT_NEAR(variance, expected, 0.15 * expected);
}

}  // namespace
}  // namespace cosimo
