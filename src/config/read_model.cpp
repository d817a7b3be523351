// `model:` of chains and of the other generators.
#include <algorithm>
#include <span>
#include <utility>

#include "config/read.hpp"
#include "config/read_values.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

Sequence sequence(const Value& value) {
  if (value.is(Kind::number)) return value.number;
  if (value.is(Kind::numbers)) return value.numbers;
  const std::string& kind = value.keys[0]->name;
  const Value& described = value.items[0];
  if (kind == "uniform") return Uniform{described.numbers[0], described.numbers[1]};
  if (kind == "ramp") return Ramp{described.numbers[0], described.numbers[1]};
  if (kind == "half_sine") {
    return HalfSine{number(described, "base"), number(described, "factor"), integer(described, "period")};
  }
  std::vector<Block> blocks;
  for (const Value& block : described.items)
    blocks.push_back({integer(block, "count"), number(block, "value")});
  return blocks;
}

BodyChoice read_bodies(const Value& value) {
  if (value.is(Kind::integers)) return value.integers;
  if (const Value* fraction = value.find("fraction")) return FractionOfBodies{fraction->number};
  if (const Value* parts = value.find("beside_cuts_of")) return BesideCutsOf{parts->integer};
  return AllBodies{};
}

LoadSpec read_load(const Value& entry, std::span<const NamedCurve> curves) {
  const Value& value = entry.items[0];
  const auto row = [&](std::string_view name) { return sequence(at(value, name)); };
  LoadSpec load{read_bodies(at(value, "bodies")), chosen<Sign>(value, "sign"), {}};
  switch (choice_of<LoadKind>(entry.keys[0]->name).value()) {
    case LoadKind::harmonic:
      load.kind = HarmonicSpec{row("amplitude"), row("omega"), row("phase")};
      break;
    case LoadKind::contact:
      load.kind = ContactSpec{row("A"), row("B")};
      break;
    case LoadKind::impulse: {
      const Value& start = at(value, "start");
      load.kind =
          ImpulseSpec{row("amplitude"), start.is(Kind::number) ? std::vector{start.number} : start.numbers,
                      number(value, "duration"), number(value, "steepness")};
      break;
    }
    case LoadKind::powersine:
      load.kind = PowerSineSpec{row("amplitude"), row("omega"), row("phase"), number(value, "exponent")};
      break;
    case LoadKind::curve:
      load.kind = CurveSpec{row("amplitude"),
                            std::ranges::find(curves, word(value, "name"), &NamedCurve::name)->curve};
      break;
  }
  return load;
}

std::vector<LoadSpec> read_loads(const Value& value, std::span<const NamedCurve> curves) {
  std::vector<LoadSpec> loads;
  for (const Value& load : value.items) loads.push_back(read_load(load, curves));
  return loads;
}

std::uint64_t read_seed(const Value& value) {
  return static_cast<std::uint64_t>(integer(value, "seed"));
}

Chain read_chain(const Value& value, std::span<const NamedCurve> curves) {
  Chain chain;
  chain.masses = integer(value, "masses");
  chain.mass = sequence(at(value, "mass"));
  chain.c = sequence(at(value, "spring.c"));
  chain.d = sequence(at(value, "spring.d"));
  chain.C = sequence(at(value, "spring.C"));
  chain.D = sequence(at(value, "spring.D"));
  chain.ex = number(value, "spring.ex");
  chain.ev = number(value, "spring.ev");
  chain.x = sequence(at(value, "initial.x"));
  chain.v = sequence(at(value, "initial.v"));
  chain.ends = {chosen<End>(value, "ends.1"), chosen<End>(value, "ends.2")};
  chain.seed = read_seed(value);
  chain.loads = read_loads(at(value, "loads"), curves);
  return chain;
}

std::optional<EveryNth> read_every(const Value& value) {
  const Value* compliant = value.find("compliant");
  if (compliant == nullptr) return std::nullopt;
  EveryNth every;
  static_cast<Compliance&>(every) = read_compliance(*compliant);
  every.every = integer(*compliant, "every");
  return every;
}

Pendulum read_pendulum(const Value& value) {
  Pendulum pendulum;
  pendulum.links = integer(value, "links");
  pendulum.length = sequence(at(value, "length"));
  pendulum.mass = sequence(at(value, "mass"));
  pendulum.formulation = chosen<Formulation>(value, "formulation");
  pendulum.joint = chosen<LinkJoint>(value, "joint");
  pendulum.body = chosen<LinkBody>(value, "body");
  pendulum.dimensions = integer(value, "dimensions");
  pendulum.angle = sequence(at(value, "angle"));
  pendulum.angular_velocity = sequence(at(value, "angular_velocity"));
  pendulum.damping = number(value, "damping");
  pendulum.gravity = number(value, "gravity");
  pendulum.seed = read_seed(value);
  pendulum.compliant = read_every(value);
  return pendulum;
}

Lattice read_lattice(const Value& value, std::span<const NamedCurve> curves) {
  Lattice lattice;
  for (const Value& along : at(value, "size").items) lattice.size.push_back(along.integer);
  lattice.coordinates = chosen<Coordinates>(value, "coordinates");
  lattice.mass = sequence(at(value, "mass"));
  lattice.spring.c = sequence(at(value, "spring.c"));
  lattice.spring.d = sequence(at(value, "spring.d"));
  lattice.spring.C = sequence(at(value, "spring.C"));
  lattice.spring.D = sequence(at(value, "spring.D"));
  lattice.spring.ex = number(value, "spring.ex");
  lattice.spring.ev = number(value, "spring.ev");
  lattice.spacing = number(value, "spacing");
  lattice.x = sequence(at(value, "initial.x"));
  lattice.v = sequence(at(value, "initial.v"));
  lattice.diagonals = at(value, "diagonals").boolean;
  lattice.ends = chosen<End>(value, "ends");
  lattice.seed = read_seed(value);
  lattice.loads = read_loads(at(value, "loads"), curves);
  return lattice;
}

Network read_network(const Value& value) {
  Network network;
  network.masses = integer(value, "masses");
  network.neighbours = number(value, "neighbours");
  network.dimensions = integer(value, "dimensions");
  network.mass = sequence(at(value, "mass"));
  network.c = sequence(at(value, "spring.c"));
  network.d = sequence(at(value, "spring.d"));
  network.radius = number(value, "radius");
  network.v = sequence(at(value, "velocity"));
  network.fixed = integer(value, "fixed");
  network.gravity = number(value, "gravity");
  network.seed = read_seed(value);
  return network;
}

FourBars read_four_bars(const Value& value) {
  FourBars bars;
  bars.loops = integer(value, "loops");
  bars.length = number(value, "length");
  bars.mass = number(value, "mass");
  bars.velocity = number(value, "velocity");
  bars.gravity = number(value, "gravity");
  bars.dimensions = integer(value, "dimensions");
  bars.compliant = read_every(value);
  return bars;
}

Vehicle::Body read_vehicle_body(const Value& value) {
  const std::vector<double>& inertia = at(value, "inertia").numbers;
  return {number(value, "mass"), {inertia[0], inertia[1], inertia[2]}};
}

Vehicle read_vehicle(const Value& value) {
  Vehicle vehicle;
  vehicle.axles = integer(value, "axles");
  vehicle.wheelbase = number(value, "wheelbase");
  vehicle.track = number(value, "track");
  vehicle.height = number(value, "height");
  vehicle.chassis = read_vehicle_body(at(value, "chassis"));
  vehicle.wheel = read_vehicle_body(at(value, "wheel"));
  vehicle.suspension = {number(value, "suspension.stiffness"), number(value, "suspension.damping"),
                        number(value, "suspension.length")};
  vehicle.tyre = {number(value, "tyre.radius"), number(value, "tyre.stiffness"),
                  number(value, "tyre.damping"), number(value, "tyre.friction"), number(value, "tyre.slip")};
  vehicle.road = {number(value, "road.roughness"), number(value, "road.length"), integer(value, "road.waves"),
                  read_seed(at(value, "road"))};
  vehicle.speed = number(value, "speed");
  vehicle.gravity = number(value, "gravity");
  if (const Value* compliant = value.find("compliant")) vehicle.compliant = read_compliance(*compliant);
  return vehicle;
}

Assemble read_assemble(const Value& value) {
  if (!value.is(Form::Kind::boolean)) return Assemble::nearby;
  return value.boolean ? Assemble::always : Assemble::never;
}

}  // namespace

void read_model(const Value& model, const ShapeMasses& shapes, Scenario& scenario) {
  if (const Value* start = model.find("start"))
    scenario.start = {at(*start, "equilibrium").boolean, read_assemble(at(*start, "assemble"))};
  const ModelKind kind = scenario.model.value();
  const Value& described = at(model, word_of(kind));
  switch (kind) {
    case ModelKind::chain:
      scenario.chain = read_chain(described, scenario.curves);
      break;
    case ModelKind::bodies:
      scenario.mechanism = read_mechanism(model, shapes);
      break;
    case ModelKind::pendulum:
      scenario.generator = read_pendulum(described);
      break;
    case ModelKind::lattice:
      scenario.generator = read_lattice(described, scenario.curves);
      break;
    case ModelKind::network:
      scenario.generator = read_network(described);
      break;
    case ModelKind::four_bars:
      scenario.generator = read_four_bars(described);
      break;
    case ModelKind::vehicle:
      scenario.generator = read_vehicle(described);
      break;
  }
}

}  // namespace cosimo::config
