// Models made by a generator: every key, defaults, the effective file.
#include "config/generators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;

Scenario parse(const std::string& model, const std::string& settings = "") {
  return parse_scenario("cosimo: 1\nmodel: " + model + "\nsimulate: {end: 1}\n" + settings, "scenario", {});
}

/// Reads the model, and what its effective file says.
template <class Check>
void both(const std::string& model, Check check) {
  const Scenario first = parse(model);
  check(first);
  check(parse_scenario(first.effective, "effective", {}));
}

TEST(Generators, PendulumHasEveryKey) {
  both(
      "{pendulum: {links: 4, length: {ramp: [1, 2]}, mass: [1, 2, 3, 4], joint: spherical, body: rod, angle: "
      "0.5, angular_velocity: 1, damping: 0.1, gravity: 10, seed: 3, compliant: {every: 2, stiffness: 1e6, "
      "damping: 5, rotational_stiffness: 7, rotational_damping: 8}}, start: {equilibrium: true}}",
      [](const Scenario& s) {
        EXPECT_EQ(s.model, ModelKind::pendulum);
        const auto& p = std::get<Pendulum>(s.generator);
        EXPECT_EQ(p.links, 4);
        EXPECT_EQ(std::get<Ramp>(p.length).last, 2);
        EXPECT_EQ(std::get<std::vector<double>>(p.mass).size(), 4U);
        EXPECT_EQ(p.formulation, Formulation::absolute);
        EXPECT_EQ(p.joint, LinkJoint::spherical);
        EXPECT_EQ(p.body, LinkBody::rod);
        EXPECT_EQ(p.dimensions, 3) << "follows from the joints";
        EXPECT_EQ(std::get<double>(p.angle), 0.5);
        EXPECT_EQ(std::get<double>(p.angular_velocity), 1);
        EXPECT_EQ(p.damping, 0.1);
        EXPECT_EQ(p.gravity, 10);
        EXPECT_EQ(p.seed, 3U);
        ASSERT_TRUE(p.compliant);
        EXPECT_EQ(p.compliant->every, 2);
        EXPECT_EQ(p.compliant->stiffness, 1e6);
        EXPECT_EQ(p.compliant->rotational_damping, 8);
        EXPECT_TRUE(s.start.equilibrium);
      });
}

TEST(Generators, DefaultsOfTheTableAreThoseOfTheStructs) {
  const Scenario pendulum_file = parse("{pendulum: {links: 2}}");
  const auto& pendulum = std::get<Pendulum>(pendulum_file.generator);
  const Pendulum p;
  EXPECT_EQ(pendulum.formulation, p.formulation);
  EXPECT_EQ(pendulum.dimensions, p.dimensions);
  EXPECT_EQ(pendulum.gravity, p.gravity);
  EXPECT_EQ(std::get<double>(pendulum.length), std::get<double>(p.length));
  EXPECT_FALSE(pendulum.compliant);
  const Scenario network_file = parse("{network: {masses: 10, spring: {c: 1}}}");
  const auto& network = std::get<Network>(network_file.generator);
  EXPECT_EQ(network.neighbours, Network{}.neighbours);
  EXPECT_EQ(network.dimensions, Network{}.dimensions);
  EXPECT_EQ(network.radius, Network{}.radius);
  EXPECT_EQ(network.fixed, Network{}.fixed);
  EXPECT_EQ(network.gravity, Network{}.gravity);
  const Scenario bars_file = parse("{four_bars: {loops: 3}}");
  const auto& bars = std::get<FourBars>(bars_file.generator);
  EXPECT_EQ(bars.loops, 3);
  EXPECT_EQ(bars.velocity, FourBars{}.velocity);
  EXPECT_EQ(bars.gravity, FourBars{}.gravity);
  EXPECT_EQ(bars.dimensions, FourBars{}.dimensions);
  const Scenario vehicle_file = parse("{vehicle: {}}");
  const auto& vehicle = std::get<Vehicle>(vehicle_file.generator);
  const Vehicle v;
  EXPECT_EQ(vehicle.axles, v.axles);
  EXPECT_EQ(vehicle.wheelbase, v.wheelbase);
  EXPECT_EQ(vehicle.track, v.track);
  EXPECT_EQ(vehicle.height, v.height);
  EXPECT_EQ(vehicle.chassis.mass, v.chassis.mass);
  EXPECT_EQ(vehicle.chassis.inertia, v.chassis.inertia);
  EXPECT_EQ(vehicle.wheel.inertia, v.wheel.inertia);
  EXPECT_EQ(vehicle.suspension.stiffness, v.suspension.stiffness);
  EXPECT_EQ(vehicle.suspension.damping, v.suspension.damping);
  EXPECT_EQ(vehicle.tyre.radius, v.tyre.radius);
  EXPECT_EQ(vehicle.tyre.stiffness, v.tyre.stiffness);
  EXPECT_EQ(vehicle.tyre.damping, v.tyre.damping);
  EXPECT_EQ(vehicle.tyre.friction, v.tyre.friction);
  EXPECT_EQ(vehicle.tyre.slip, v.tyre.slip);
  EXPECT_EQ(vehicle.suspension.length, v.suspension.length);
  EXPECT_EQ(vehicle.road.roughness, v.road.roughness);
  EXPECT_EQ(vehicle.road.length, v.road.length);
  EXPECT_EQ(vehicle.road.waves, v.road.waves);
  EXPECT_EQ(vehicle.speed, v.speed);
  EXPECT_EQ(vehicle.gravity, v.gravity);
}

TEST(Generators, LatticeHasEveryKey) {
  both(
      "{lattice: {size: [3, 2], coordinates: space, mass: 2, spring: {c: {uniform: [1, 2]}, d: 1, ex: 2}, "
      "spacing: 0.5, initial: {x: {uniform: [0, 1]}, v: 3}, diagonals: true, ends: free, seed: 9, loads: "
      "[{harmonic: {bodies: [6], amplitude: 1, omega: 2}}]}}",
      [](const Scenario& s) {
        const auto& l = std::get<Lattice>(s.generator);
        EXPECT_THAT(l.size, ElementsAre(3, 2));
        EXPECT_EQ(l.coordinates, Coordinates::space);
        EXPECT_EQ(std::get<double>(l.mass), 2);
        EXPECT_EQ(std::get<Uniform>(l.spring.c).high, 2);
        EXPECT_EQ(std::get<double>(l.spring.d), 1);
        EXPECT_EQ(l.spring.ex, 2);
        EXPECT_EQ(l.spacing, 0.5);
        EXPECT_EQ(std::get<double>(l.v), 3);
        EXPECT_TRUE(l.diagonals);
        EXPECT_EQ(l.ends, End::free);
        EXPECT_EQ(l.seed, 9U);
        ASSERT_EQ(l.loads.size(), 1U);
        EXPECT_THAT(std::get<std::vector<std::int64_t>>(l.loads[0].bodies), ElementsAre(6));
      });
}

TEST(Generators, OthersHaveTheirKeys) {
  both(
      "{network: {masses: 10, neighbours: 2.5, dimensions: 2, mass: 3, spring: {c: 4, d: 5}, radius: 6, "
      "velocity: {uniform: [-1, 1]}, fixed: 2, gravity: 1, seed: 7}}",
      [](const Scenario& s) {
        const auto& n = std::get<Network>(s.generator);
        EXPECT_EQ(n.masses, 10);
        EXPECT_EQ(n.neighbours, 2.5);
        EXPECT_EQ(n.dimensions, 2);
        EXPECT_EQ(std::get<double>(n.c), 4);
        EXPECT_EQ(std::get<double>(n.d), 5);
        EXPECT_EQ(n.radius, 6);
        EXPECT_EQ(std::get<Uniform>(n.v).low, -1);
        EXPECT_EQ(n.fixed, 2);
        EXPECT_EQ(n.seed, 7U);
      });
  both("{vehicle: {axles: 3, tyre: {friction: 0.5}, road: {seed: 4, waves: 0}, compliant: {stiffness: 1e6}}}",
       [](const Scenario& s) {
         const auto& v = std::get<Vehicle>(s.generator);
         EXPECT_EQ(v.axles, 3);
         EXPECT_EQ(v.tyre.friction, 0.5);
         EXPECT_EQ(v.road.seed, 4U);
         EXPECT_EQ(v.road.waves, 0);
         EXPECT_EQ(v.compliant->stiffness, 1e6);
       });
  both("{four_bars: {loops: 2, dimensions: 3, compliant: {stiffness: 1}}}", [](const Scenario& s) {
    EXPECT_EQ(std::get<FourBars>(s.generator).compliant->every, 1);
    EXPECT_EQ(std::get<FourBars>(s.generator).dimensions, 3);
  });
}

TEST(Generators, MayBeCutByNamesOfTheirOwn) {
  const Scenario s =
      parse("{pendulum: {links: 9, compliant: {every: 3, stiffness: 1}}}", "partition: {cuts: [joint4]}\n");
  EXPECT_EQ(s.partition.method, CutMethod::manual);
  EXPECT_EQ(s.partition.parts, 0) << "only chains fall into two at every cut";
  EXPECT_THAT(s.partition.cut_names, ElementsAre("joint4"));
  EXPECT_EQ(parse("{vehicle: {}}", "partition: {parts: auto}\n").partition.method, CutMethod::automatic);
}

}  // namespace
}  // namespace cosimo::config
