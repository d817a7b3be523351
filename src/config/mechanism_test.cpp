// Models given by their bodies: every key, defaults, formulas, included files, the effective file.
#include "config/mechanism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const everything = R"(cosimo: 1
model:
  parameters: {L: 2, m: 3*L, k: "1e6", omega: 2*pi}
  gravity: [0, 0, -9.81]
  bodies:
    - {name: chassis, kind: rigid, mass: m, inertia: [1, 2, 2.5, 0.1, 0, -0.1], center: [0.1, 0, L/4], position: [L, 0, 1],
       orientation: {axis: [0, 0, 2], angle: pi/2}, velocity: [1, 2, 3], angular_velocity: [0, 0, 1]}
    - {name: wheel 1, kind: rigid, mass: 2, inertia: [1, 1, 1], orientation: {quaternion: [0, 0, 3, 4]}}
    - {name: arm, kind: rigid, mass: 2, inertia: [1, 1, 1], orientation: {euler: [pi/2, 0, pi/2]}}
    - {name: bead, kind: point, mass: 1, position: [1, 2, 3]}
    - {name: flat, kind: planar, mass: 1, inertia: 0.5, center: [1, 0], position: [2, 3], angle: 0.25, velocity: [1, 0],
       angular_velocity: 4}
    - {name: slider, kind: point, dimensions: 1, mass: 1, position: 0.5, velocity: [2]}
  joints:
    - {name: knee, kind: revolute, from: chassis, to: wheel 1, at: [1, 0, 0], axis: [0, 1, 0]}
    - {name: slide, kind: prismatic, to: arm, at_to: [0, 0, 1], axis: [0, 0, 1]}
    - {name: cross, kind: universal, from: wheel 1, to: arm, at: [0, 0, 0], axis: [1, 0, 0], second_axis: [0, 1, 0]}
    - {name: rod, kind: distance, from: bead, to: chassis, at_to: [0, 0, 1], length: L}
    - {name: soft, kind: fixed, from: chassis, to: arm, at: [0, 0, 0],
       compliant: {stiffness: k, damping: 10, rotational_stiffness: k/100, rotational_damping: 1}}
    - {name: drive, kind: motor, joint: knee, angle: 0.5*L*sin(omega*t), breakpoints: [1, 2]}
    - {name: wheel joint, kind: cylindrical, from: ground, to: wheel 1, at: [0, 0, 0]}
    - {name: g1, kind: gear, joints: [knee, wheel joint], teeth: [20, -41]}
  elements:
    - {name: s1, kind: spring, from: chassis, to: bead, at_from: [0, 0, 1], c: k, d: 1, C: 2, D: 3, ex: 2, ev: 1.5,
       length: L/2, damping: vector}
    - {name: t1, kind: torsion, from: chassis, to: arm, axis: [1, 0, 0], c: 5, angle: 0.1}
    - {name: b1, kind: bushing, to: arm, at: [1, 1, 1], axes: {axis: [0, 0, 1], angle: 0}, stiffness: k,
       damping: [1, 2, 3, 4, 5, 6]}
    - {name: c1, kind: contact, body: wheel 1, at: [0, 0, -0.3], radius: 0.1, stiffness: 1e5, damping: 0.5, exponent: 1.5,
       friction: 0.8, slip: 0.1, road: {height: -1, waves: [{amplitude: 0.1, wavelength: L}, {amplitude: 1, wavelength: 3, phase: 1}]}}
    - {name: f1, kind: applied, to: chassis, from: arm, force: [0, 0, "m*sin(t) - vx"], torque: [1, 2, length], breakpoints: [0.5]}
    - {name: u1, kind: user, library: ./magnet.so, function: magnet, to: bead, values: [1, L]}
    - {name: k1, kind: table, from: chassis, to: arm, measure: displacement, axis: [0, 1, 0], points: [[0, -k], [L, 0], [3, k]], d: 2}
    - {name: r1, kind: friction, to: bead, measure: displacement, axis: [1, 0, 0], limit: 5, sliding: 2*L, stiffness: k, d: 3}
    - {name: o1, kind: stop, from: chassis, to: arm, measure: angle, lower: -L, upper: 1, stiffness: k, exponent: 1.5, damping: 0.1}
    - {name: o2, kind: stop, to: arm, gap: 0.2, stiffness: k}
  start: {equilibrium: true, assemble: false}
simulate: {end: 1, record: [chassis, 2], vtk: true}
partition: {parts: 2, fix: [s1], forbid: [b1, 4], add: [soft]}
couple: {scheme: explicit, decomposition: [{cut: s1, kind: force-displacement}]}
solve: {method: radau}
)";

Scenario parse(std::string_view text) {
  return parse_scenario(text, "models/scenario.yaml", {});
}

void expect_bodies(const Mechanism& m) {
  ASSERT_EQ(m.bodies.size(), 6U);
  const Body& chassis = m.bodies[0];
  EXPECT_EQ(chassis.mass, 6);
  EXPECT_THAT(chassis.inertia, ElementsAre(1, 2, 2.5, 0.1, 0, -0.1));
  EXPECT_THAT(chassis.center, ElementsAre(0.1, 0, 0.5));
  EXPECT_THAT(chassis.position, ElementsAre(2, 0, 1));
  EXPECT_NEAR(chassis.orientation[0], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(chassis.orientation[3], std::sqrt(0.5), 1e-15);
  EXPECT_THAT(chassis.velocity, ElementsAre(1, 2, 3));
  EXPECT_THAT(chassis.angular_velocity, ElementsAre(0, 0, 1));
  EXPECT_NEAR(m.bodies[1].orientation[2], 0.6, 1e-15);
  // Rz(90) Rx(90): a third of a turn about (1, 1, 1).
  for (const double x : m.bodies[2].orientation) EXPECT_NEAR(x, 0.5, 1e-15);
  EXPECT_EQ(m.bodies[3].dimensions, 3);
  EXPECT_THAT(m.bodies[3].position, ElementsAre(1, 2, 3));
  const Body& flat = m.bodies[4];
  EXPECT_EQ(flat.kind, BodyKind::planar);
  EXPECT_THAT(flat.inertia, ElementsAre(0, 0, 0.5, 0, 0, 0));
  EXPECT_THAT(flat.center, ElementsAre(1, 0, 0));
  EXPECT_EQ(flat.angle, 0.25);
  EXPECT_THAT(flat.angular_velocity, ElementsAre(0, 0, 4));
  EXPECT_EQ(m.bodies[5].dimensions, 1);
  EXPECT_THAT(m.bodies[5].position, ElementsAre(0.5, 0, 0));
  EXPECT_THAT(m.bodies[5].velocity, ElementsAre(2, 0, 0));
}

void expect_joints(const Mechanism& m) {
  ASSERT_EQ(m.joints.size(), 8U);
  EXPECT_EQ(m.joints[0].from, 0);
  EXPECT_EQ(m.joints[0].to, 1);
  EXPECT_THAT(*m.joints[0].at, ElementsAre(1, 0, 0));
  EXPECT_THAT(m.joints[0].axis, ElementsAre(0, 1, 0));
  EXPECT_FALSE(m.joints[0].compliant);
  EXPECT_EQ(m.joints[1].from, on_ground);
  EXPECT_THAT(*m.joints[1].at_to, ElementsAre(0, 0, 1));
  EXPECT_THAT(*m.joints[2].second_axis, ElementsAre(0, 1, 0));
  EXPECT_EQ(m.joints[3].length, 2);
  EXPECT_EQ(m.joints[4].compliant->stiffness, 1e6);
  EXPECT_EQ(m.joints[4].compliant->rotational_stiffness, 1e4);
  EXPECT_EQ(m.joints[4].compliant->rotational_damping, 1);
  EXPECT_EQ(m.joints[5].joint, 0);
  EXPECT_THAT(m.joints[5].breakpoints, ElementsAre(1, 2));
  EXPECT_THAT(m.joints[7].joints, ElementsAre(0, 6));
  EXPECT_THAT(m.joints[7].teeth, ElementsAre(20, -41));
}

void expect_elements(const Mechanism& m) {
  ASSERT_EQ(m.elements.size(), 10U);
  const Element& spring = m.elements[0];
  EXPECT_EQ(spring.c, 1e6);
  EXPECT_EQ(spring.D, 3);
  EXPECT_EQ(spring.ex, 2);
  EXPECT_EQ(spring.ev, 1.5);
  EXPECT_EQ(spring.length, 1);
  EXPECT_TRUE(spring.vector_damping);
  EXPECT_EQ(m.elements[1].angle, 0.1);
  EXPECT_THAT(m.elements[1].axis, ElementsAre(1, 0, 0));
  EXPECT_FALSE(m.elements[1].length);
  EXPECT_THAT(m.elements[2].stiffness, ElementsAre(1e6, 1e6, 1e6, 0, 0, 0));
  EXPECT_THAT(m.elements[2].damping, ElementsAre(1, 2, 3, 4, 5, 6));
  const Element& contact = m.elements[3];
  EXPECT_EQ(contact.to, 1);
  EXPECT_EQ(contact.contact_stiffness, 1e5);
  EXPECT_EQ(contact.exponent, 1.5);
  EXPECT_EQ(contact.road_height, -1);
  ASSERT_EQ(contact.waves.size(), 2U);
  EXPECT_EQ(contact.waves[0].wavelength, 2);
  EXPECT_EQ(contact.waves[1].phase, 1);
  const Element& applied = m.elements[4];
  EXPECT_EQ(applied.from, 2);
  EXPECT_EQ(applied.force[2], "(6)*sin(t) - vx");
  EXPECT_EQ(applied.torque[2], "length");
  EXPECT_THAT(applied.breakpoints, ElementsAre(0.5));
  const Element& user = m.elements[5];
  EXPECT_EQ(user.library, (std::filesystem::absolute("models") / "magnet.so").string());
  EXPECT_EQ(user.function, "magnet");
  EXPECT_THAT(user.values, ElementsAre(1, 2));
  const Element& friction = m.elements[7];
  EXPECT_EQ(friction.limit, 5);
  EXPECT_EQ(friction.sliding, 4);
  EXPECT_EQ(friction.law_stiffness, 1e6);
  EXPECT_EQ(friction.d, 3);
  EXPECT_FALSE(friction.law_damping);
  const Element& stop = m.elements[8];
  EXPECT_EQ(stop.measure, Measure::angle);
  EXPECT_EQ(stop.lower, -2);
  EXPECT_EQ(stop.upper, 1);
  EXPECT_EQ(stop.exponent, 1.5);
  EXPECT_EQ(stop.law_damping, 0.1);
  EXPECT_FALSE(stop.gap);
  EXPECT_EQ(m.elements[9].gap, 0.2);
  const Element& table = m.elements[6];
  EXPECT_EQ(table.measure, Measure::displacement);
  EXPECT_THAT(table.axis, ElementsAre(0, 1, 0));
  EXPECT_EQ(table.d, 2);
  EXPECT_THAT(table.points, ElementsAre(ElementsAre(0, -1e6), ElementsAre(2, 0), ElementsAre(3, 1e6)));
}

void expect_everything(const Scenario& s) {
  EXPECT_EQ(s.model, ModelKind::bodies);
  ASSERT_TRUE(s.mechanism);
  EXPECT_THAT(s.mechanism->gravity, ElementsAre(0, 0, -9.81));
  expect_bodies(*s.mechanism);
  expect_joints(*s.mechanism);
  expect_elements(*s.mechanism);
  EXPECT_TRUE(s.start.equilibrium);
  EXPECT_EQ(s.start.assemble, Assemble::never);
  EXPECT_TRUE(s.mechanism->bodies[0].velocity_given && s.mechanism->bodies[0].angular_velocity_given);
  EXPECT_FALSE(s.mechanism->bodies[1].velocity_given || s.mechanism->bodies[1].angular_velocity_given);
  EXPECT_EQ(s.simulate.record, Record::list);
  EXPECT_THAT(s.simulate.record_bodies, ElementsAre(2));
  EXPECT_THAT(s.simulate.record_names, ElementsAre("chassis"));
  EXPECT_TRUE(s.simulate.vtk);
  EXPECT_EQ(s.partition.method, CutMethod::automatic);
  EXPECT_THAT(s.partition.fix.names, ElementsAre("s1"));
  EXPECT_THAT(s.partition.forbid.names, ElementsAre("b1"));
  EXPECT_THAT(s.partition.forbid.numbers, ElementsAre(4));
  EXPECT_THAT(s.partition.add.names, ElementsAre("soft"));
  ASSERT_EQ(s.couple.cuts.size(), 1U);
  EXPECT_EQ(s.couple.cuts[0].cut, 0);
  EXPECT_EQ(s.couple.cuts[0].cut_name, "s1");
  EXPECT_EQ(s.solve.method, Method::radau);
}

TEST(Mechanism, ReadsEveryKey) {
  const Scenario s = parse(everything);
  expect_everything(s);
  EXPECT_THAT(s.mechanism->joints[5].motion, HasSubstr("sin((6.28318"));
  EXPECT_EQ(s.mechanism->bodies[1].place.line, 8);
}

TEST(Mechanism, EffectiveFileGivesTheSameModel) {
  const std::string effective = parse(everything).effective;
  expect_everything(parse(effective));
  EXPECT_EQ(parse(effective).effective, effective);
}

TEST(Mechanism, DefaultsOfTheTableAreThoseOfTheStructs) {
  const Scenario s = parse(R"(cosimo: 1
model:
  bodies: [{name: a, kind: rigid, mass: 1, inertia: [1, 1, 1]}, {name: b, kind: point, mass: 1}]
  joints: [{name: j, kind: revolute, to: a, at: [0, 0, 0]}]
  elements: [{name: s, kind: spring, from: a, to: b}, {name: c, kind: contact, body: a, stiffness: 1}]
simulate: {end: 1}
)");
  const Body& a = s.mechanism->bodies[0];
  EXPECT_EQ(a.center, Body{}.center);
  EXPECT_THAT(a.orientation, ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(s.mechanism->joints[0].axis, ElementsAre(0, 0, 1));
  EXPECT_EQ(s.mechanism->elements[0].ex, 3);
  EXPECT_FALSE(s.mechanism->elements[0].length);
  EXPECT_EQ(s.mechanism->elements[1].slip, 0.01);
  EXPECT_EQ(s.start.assemble, Assemble::nearby);
  EXPECT_FALSE(a.velocity_given || a.angular_velocity_given);
  EXPECT_FALSE(s.start.equilibrium);
  EXPECT_THAT(s.effective, Not(HasSubstr("second_axis")));
}

TEST(Mechanism, FormulasMayStandInChainsToo) {
  const Scenario s = parse(R"(cosimo: 1
model: {parameters: {n: 10, m: 1/n}, chain: {masses: 2*n, mass: m, spring: {c: "m^2"}, initial: {x: [-m, -m, -m, -m, -m, -m, -m, -m, -m, -m, m, m, m, m, m, m, m, m, m, m]}}}
simulate: {end: 1}
)");
  EXPECT_EQ(s.chain.masses, 20);
  EXPECT_EQ(std::get<double>(s.chain.mass), 0.1);
  EXPECT_DOUBLE_EQ(std::get<double>(s.chain.c), 0.01);
}

TEST(Mechanism, ManyBodiesAreReadInLinearTime) {
  std::string text = "cosimo: 1\nmodel:\n  bodies:\n";
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i)
    text += "  - {name: b" + std::to_string(i) + ", kind: point, mass: 1, position: [0, 0, " +
            std::to_string(i) + "]}\n";
  text += "  elements:\n";
  for (int i = 1; i < n; ++i)
    text += "  - {name: s" + std::to_string(i) + ", kind: spring, from: b" + std::to_string(i - 1) +
            ", to: b" + std::to_string(i) + ", c: 100}\n";
  const Scenario s = parse(text + "simulate: {end: 1}\n");
  EXPECT_EQ(s.mechanism->bodies.size(), static_cast<std::size_t>(n));
  EXPECT_EQ(s.mechanism->elements.back().to, n - 1);
}

class IncludedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("cosimo_include_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "parts");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  std::vector<Fault> faults() {
    try {
      load_scenario(folder_ / "main.yaml");
    } catch (const Error& error) {
      return error.faults();
    }
    return {};
  }

  std::filesystem::path folder_;
};

const char* const main_file = R"(cosimo: 1
model:
  include: [parts/a.yaml]
  parameters: {twice: 2*k}
  bodies:
    - {name: own, kind: point, mass: twice}
simulate: {end: 1}
)";

TEST_F(IncludedFiles, ComeFirstAndNest) {
  write("main.yaml", main_file);
  write("parts/a.yaml", "include: b.yaml\nbodies: [{name: a, kind: point, mass: k}]\n");
  write("parts/b.yaml",
        "parameters: {k: 4}\nbodies: [{name: b, kind: point, mass: twice}]\nelements: [{name: u, kind: user, "
        "library: u.so, function: f, from: a, to: own}]\n");
  const Scenario s = load_scenario(folder_ / "main.yaml");
  std::vector<std::string> names;
  for (const Body& body : s.mechanism->bodies) names.push_back(body.name);
  EXPECT_THAT(names, ElementsAre("b", "a", "own"));
  EXPECT_EQ(s.mechanism->bodies[2].mass, 8);
  EXPECT_EQ(s.mechanism->bodies[0].mass, 8) << "parameters are known to all files";
  EXPECT_EQ(s.mechanism->elements[0].library, std::filesystem::absolute(folder_ / "parts" / "u.so").string());
  EXPECT_EQ(s.sources.at(static_cast<std::size_t>(s.mechanism->bodies[0].place.source)),
            (folder_ / "parts" / "b.yaml").string());
  EXPECT_EQ(parse_scenario(s.effective, "other.yaml").mechanism->bodies[2].mass, 8) << "needs no other file";
}

TEST_F(IncludedFiles, AreNamedInFaults) {
  write("main.yaml", main_file);
  write("parts/a.yaml", "parameters: {k: 4}\nbodies:\n  - {name: a, kind: point, mass: -1}\n");
  const auto found = faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].file, (folder_ / "parts" / "a.yaml").string());
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[0].field, "model.bodies.1.mass");
}

TEST_F(IncludedFiles, MayNotIncludeThemselves) {
  write("main.yaml", main_file);
  write("parts/a.yaml", "include: [b.yaml]\n");
  write("parts/b.yaml", "\ninclude: [../parts/a.yaml]\n");
  const auto found = faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].file, (folder_ / "parts" / "b.yaml").string());
  EXPECT_EQ(found[0].line, 2);
  EXPECT_THAT(found[0].problem, HasSubstr("includes itself"));
}

TEST_F(IncludedFiles, MustExistAndHoldSections) {
  write("main.yaml", main_file);
  ASSERT_EQ(faults().size(), 1U);
  EXPECT_EQ(faults()[0].line, 3);
  EXPECT_THAT(faults()[0].problem, HasSubstr("no such file"));
  write("parts/a.yaml", "parameters: {k: 1}\nsimulate: {end: 1}\n");
  ASSERT_EQ(faults().size(), 1U);
  EXPECT_EQ(faults()[0].field, "simulate");
  EXPECT_THAT(faults()[0].problem, HasSubstr("not known in an included file"));
  write("parts/a.yaml", "- 1\n");
  EXPECT_THAT(faults()[0].problem, HasSubstr("no sections"));
}

TEST_F(IncludedFiles, AreTakenOnce) {
  write("main.yaml", main_file);
  write("parts/a.yaml", "include: [b.yaml, c.yaml]\n");
  write("parts/b.yaml", "include: [c.yaml]\n");
  write("parts/c.yaml", "parameters: {k: 1}\n");
  EXPECT_EQ(load_scenario(folder_ / "main.yaml").mechanism->bodies[0].mass, 2);
}

}  // namespace
}  // namespace cosimo::config
