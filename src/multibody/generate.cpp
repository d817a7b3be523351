#include "multibody/generate.hpp"

#include <utility>
#include <variant>

#include "model/lattice.hpp"
#include "model/mechanisms.hpp"
#include "model/network.hpp"
#include "model/pendulum.hpp"
#include "multibody/mechanism_translate.hpp"
#include "multibody/start_state.hpp"

namespace cosimo {

namespace {

std::size_t count(std::int64_t n) {
  return static_cast<std::size_t>(n);
}

Compliance compliance(const config::Compliance& c) {
  return {c.stiffness, c.damping, c.rotational_stiffness, c.rotational_damping};
}

std::optional<Compliance> compliance(const std::optional<config::Compliance>& c) {
  return c ? std::optional(compliance(*c)) : std::nullopt;
}

Model generate(std::monostate) {
  return {};
}

Model generate(const config::Pendulum& from) {
  PendulumSpec spec;
  spec.links = count(from.links);
  spec.length = from.length;
  spec.mass = from.mass;
  spec.minimal = from.formulation == config::Formulation::minimal;
  spec.rods = from.body == config::LinkBody::rod;
  spec.spherical = from.joint == config::LinkJoint::spherical;
  spec.dimensions = count(from.dimensions);
  spec.angle = from.angle;
  spec.angular_velocity = from.angular_velocity;
  spec.damping = from.damping;
  spec.gravity = from.gravity;
  if (from.compliant) spec.compliant = {count(from.compliant->every), compliance(*from.compliant)};
  spec.seed = from.seed;
  return make_pendulum(spec);
}

Model generate(const config::Lattice& from) {
  LatticeSpec spec;
  for (const std::int64_t n : from.size) spec.size.push_back(count(n));
  spec.space = from.coordinates == config::Coordinates::space;
  spec.spacing = from.spacing;
  spec.diagonals = from.diagonals;
  spec.mass = from.mass;
  spec.c = from.spring.c;
  spec.d = from.spring.d;
  spec.C = from.spring.C;
  spec.D = from.spring.D;
  spec.ex = from.spring.ex;
  spec.ev = from.spring.ev;
  spec.x = from.x;
  spec.v = from.v;
  spec.fixed_ends = from.ends == End::fixed;
  spec.seed = from.seed;
  spec.loads = from.loads;
  return make_lattice(spec);
}

Model generate(const config::Network& from) {
  return make_network({.masses = count(from.masses),
                       .dimensions = count(from.dimensions),
                       .neighbours = from.neighbours,
                       .radius = from.radius,
                       .mass = from.mass,
                       .c = from.c,
                       .d = from.d,
                       .v = from.v,
                       .fixed = count(from.fixed),
                       .gravity = from.gravity,
                       .seed = from.seed});
}

Model generate(const config::FourBars& from) {
  return make_four_bars({.loops = count(from.loops),
                         .length = from.length,
                         .mass = from.mass,
                         .gravity = from.gravity,
                         .velocity = from.velocity,
                         .dimensions = count(from.dimensions),
                         .compliant = compliance(from.compliant)});
}

VehicleSpec::Box box(const config::Vehicle::Body& from) {
  return {from.mass, {from.inertia[0], from.inertia[1], from.inertia[2]}};
}

Model generate(const config::Vehicle& from) {
  VehicleSpec spec;
  spec.axles = count(from.axles);
  spec.wheelbase = from.wheelbase;
  spec.track = from.track;
  spec.height = from.height;
  spec.chassis = box(from.chassis);
  spec.wheel = box(from.wheel);
  spec.strut_stiffness = from.suspension.stiffness;
  spec.strut_damping = from.suspension.damping;
  spec.strut_length = from.suspension.length;
  spec.tyre_radius = from.tyre.radius;
  spec.tyre_stiffness = from.tyre.stiffness;
  spec.tyre_damping = from.tyre.damping;
  spec.tyre_friction = from.tyre.friction;
  spec.tyre_slip = from.tyre.slip;
  spec.compliant = compliance(from.compliant);
  spec.speed = from.speed;
  spec.gravity = from.gravity;
  spec.road = {from.road.roughness, from.road.length, count(from.road.waves), from.road.seed};
  PlacedMechanism made = make_vehicle(spec);
  return make_model(std::move(made.mechanism), made.q, made.v);
}

Model explicit_model(const config::Scenario& scenario) {
  PlacedMechanism made = place_mechanism(scenario);
  return make_model(std::move(made.mechanism), made.q, made.v);
}

}  // namespace

ChainSpec chain_spec(const config::Chain& chain) {
  ChainSpec spec;
  spec.masses = static_cast<std::size_t>(chain.masses);
  spec.mass = chain.mass;
  spec.c = chain.c;
  spec.d = chain.d;
  spec.C = chain.C;
  spec.D = chain.D;
  spec.ex = chain.ex;
  spec.ev = chain.ev;
  spec.x = chain.x;
  spec.v = chain.v;
  spec.ends = chain.ends;
  spec.seed = chain.seed;
  spec.loads = chain.loads;
  return spec;
}

std::optional<ChainGenerator> stretch_generator(const config::Scenario& scenario) {
  if (scenario.model != config::ModelKind::chain) return {};
  return ChainGenerator(chain_spec(scenario.chain));
}

Model generate_model(const config::Scenario& scenario, StartShifts* shifts) {
  if (const auto generator = stretch_generator(scenario)) return generator->make();
  Model model = scenario.mechanism
                    ? explicit_model(scenario)
                    : std::visit([](const auto& g) { return generate(g); }, scenario.generator);
  const StartShifts found = find_start(scenario, model);
  if (shifts != nullptr) *shifts = found;
  return model;
}

}  // namespace cosimo
