// Markers, and models in files of their own that are used several times.
#include "config/submodels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Submodels : public ::testing::Test {
 protected:
  Submodels() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("submodels_" + std::string(test->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "parts");
  }
  ~Submodels() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Scenario parse(const std::string& model, std::vector<std::string> set = {}) const {
    return parse_scenario("cosimo: 1\nmodel:\n" + model + "simulate: {end: 1, output: 0.1}\n",
                          (folder_ / "s.yaml").string(), set);
  }
  Fault fault(const std::string& model) const {
    try {
      parse(model);
    } catch (const Error& error) {
      EXPECT_EQ(error.faults().size(), 1U) << error.what();
      return error.faults().at(0);
    }
    ADD_FAILURE() << "accepted: " << model;
    return {};
  }

  std::filesystem::path folder_;
};

const char* const link = R"Y(parameters: {m: 2, L: 1, r: L/10}
bodies:
  - name: bar
    kind: rigid
    shape: {box: [L, r, r]}
    mass: m
    position: [L/2, 0, 0]
    markers: {left: [-L/2, 0, 0], right: ["L/2", 0, 0]}
joints:
  - {name: pin, kind: revolute, from: previous, to: bar.left, axis: [0, 1, 0]}
elements:
  - {name: pull, kind: spring, to: bar, at_to: right, c: "k*m"}
  - {name: push, kind: applied, to: bar, force: [0, 0, "m*wind(t) + g(t)"]
}
curves:
  - {name: wind, file: wind.csv, factor: m}
)Y";

/// Three links in a row, the first of them in a place of its own.
const char* const row = R"(  parameters: {n: 2, k: 7, m: 100}
  curves: [{name: g, file: parts/wind.csv}]
  submodels:
    - {use: parts/link.yaml, name: link1, set: {L: 3}, join: {previous: ground.nail}, position: [0, 0, 5]}
    - {use: parts/link.yaml, count: n, first: 2, set: {m: "10*i", L: k}, position: ["3*i", 0, 5],
       join: {previous: "link{i-1}.bar.right"}}
  markers: {nail: [0, 0, 6]}
  bodies: [{name: bob, kind: point, mass: m}]
  joints: [{name: end, kind: spherical, from: link3.bar.right, to: bob}]
)";

TEST_F(Submodels, AreCopiesWithNamesAndParametersOfTheirOwn) {
  write("parts/link.yaml", link);
  write("parts/wind.csv", "0,1\n1,2\n");
  const Scenario s = parse(row);
  const Mechanism& m = *s.mechanism;
  ASSERT_EQ(m.bodies.size(), 4U);
  EXPECT_EQ(m.bodies[0].name, "link1.bar");
  EXPECT_EQ(m.bodies[2].name, "link3.bar");
  EXPECT_EQ(m.bodies[3].name, "bob");
  EXPECT_EQ(m.bodies[3].mass, 100);
  EXPECT_EQ(m.bodies[0].mass, 2);
  EXPECT_EQ(m.bodies[2].mass, 30);
  EXPECT_THAT(m.bodies[0].position, ElementsAre(1.5, 0, 5));
  EXPECT_THAT(m.bodies[2].position, ElementsAre(9 + 3.5, 0, 5));
  EXPECT_DOUBLE_EQ(m.bodies[1].inertia[0], 20 * (2 * 0.49) / 12) << "r follows from the L that was set";

  ASSERT_EQ(m.joints.size(), 4U);
  EXPECT_EQ(m.joints[0].from, on_ground);
  EXPECT_THAT(*m.joints[0].at_from, ElementsAre(0, 0, 6)) << "a marker of the ground is not shifted";
  EXPECT_THAT(*m.joints[0].at_to, ElementsAre(-1.5, 0, 0));
  EXPECT_EQ(m.joints[2].name, "link3.pin");
  EXPECT_EQ(m.joints[2].from, 1);
  EXPECT_EQ(m.joints[2].to, 2);
  EXPECT_THAT(*m.joints[2].at_from, ElementsAre(3.5, 0, 0));
  EXPECT_EQ(m.joints[3].from, 2);
  EXPECT_EQ(m.joints[3].to, 3);

  EXPECT_EQ(m.elements[4].name, "link3.pull");
  EXPECT_EQ(m.elements[4].c, 7 * 30) << "k is that of the model which uses it";
  EXPECT_THAT(*m.elements[4].at_from, ElementsAre(9, 0, 5)) << "the origin of the ground is shifted";
  EXPECT_THAT(*m.elements[4].at_to, ElementsAre(3.5, 0, 0));
  EXPECT_EQ(m.elements[5].force[2], "(30)*link3_wind(t) + g(t)");
}

TEST_F(Submodels, NestAndInclude) {
  std::filesystem::create_directories(folder_ / "parts" / "small");
  write("parts/small/bolt.yaml", "parameters: {m: 1}\nbodies: [{name: head, kind: point, mass: m}]\n");
  write("parts/mass.yaml", "parameters: {density: 3}\n");
  write("parts/plate.yaml",
        "include: mass.yaml\nparameters: {V: 2}\nsubmodels: [{use: small/bolt.yaml, count: 2, set: {m: "
        "\"density*V*i\"}, position: [i, 0, 0]}]\nelements: [{name: s, kind: spring, from: bolt1.head, to: "
        "bolt2.head, c: V}]\n");
  const Scenario s =
      parse("  submodels: [{use: parts/plate.yaml, count: 2, set: {V: i}, position: [0, 0, i]}]\n",
            {"model.submodels.1.count=3"});
  const Mechanism& m = *s.mechanism;
  ASSERT_EQ(m.bodies.size(), 6U);
  EXPECT_EQ(m.bodies[5].name, "plate3.bolt2.head");
  EXPECT_EQ(m.bodies[5].mass, 3 * 3 * 2);
  EXPECT_THAT(m.bodies[5].position, ElementsAre(2, 0, 3));
  EXPECT_EQ(m.elements[2].name, "plate3.s");
  EXPECT_EQ(m.elements[2].from, 4);
  EXPECT_EQ(m.elements[2].c, 3);
}

TEST_F(Submodels, MayHoldMotorsLawsInJointsAndTables) {
  write(
      "drive.yaml",
      "parameters: {k: 5, s: 8}\nbodies: [{name: cart, kind: rigid, mass: s, inertia: [1, 1, 1]}]\njoints:\n"
      "  - {name: rail, kind: prismatic, to: cart, at: [0, 0, 0], axis: [1, 0, 0]}\n"
      "  - {name: drive, kind: motor, joint: rail, speed: {table: {points: [[0, 0], [1, k]]}}}\n"
      "elements: [{name: brake, kind: law, joint: rail, force: \"k*s\"}]\n");
  const Scenario s = parse("  submodels: [{use: drive.yaml, count: 2, set: {k: i}, position: [0, i, 0]}]\n");
  const Mechanism& m = *s.mechanism;
  EXPECT_THAT(*m.joints[2].at, ElementsAre(0, 2, 0));
  EXPECT_EQ(m.joints[3].joint, 2);
  EXPECT_EQ(m.joints[3].motion, "drive2_table_1(t)");
  EXPECT_EQ(s.curves.at(1).curve->at(1).value, 2);
  EXPECT_EQ(m.elements[1].joint, 2);
  EXPECT_EQ(m.elements[1].law, "(2)*s") << "the variable, not the parameter";
  EXPECT_EQ(m.bodies[1].mass, 8);
}

TEST_F(Submodels, FormulasOfForcesKnowTheCoordinatesOfTheirInstance) {
  write("leg.yaml",
        "parameters: {foot: 3}\nbodies: [{name: foot, kind: rigid, mass: 1, inertia: [1, 1, 1]}]\njoints:\n"
        "  - {name: rail, kind: prismatic, to: foot, at: [0, 0, 0], axis: [1, 0, 0],\n"
        "     spring: {force: foot*s + load*hull.y + der(foot.x)}}\n"
        "elements: [{name: brake, kind: law, joint: rail, of: [load], force: 2*ref1 + rail.speed*foot.z}]\n");
  const Scenario s = parse(
      "  bodies: [{name: foot, kind: point, mass: 1}, {name: frame, kind: point, mass: 1}]\n"
      "  submodels: [{use: leg.yaml, name: left, join: {hull: frame}}]\n"
      "  sensors: [{name: load, kind: position, body: frame, direction: [1, 0, 0]}]\n");
  const std::vector<Element>& elements = s.mechanism->elements;
  ASSERT_EQ(elements.size(), 2U);
  EXPECT_EQ(elements[0].law, "2*[load] + [left.rail.speed]*[left.foot.z]");
  EXPECT_EQ(elements[1].law, "(3)*s + [load]*[frame.y] + [der(left.foot.x)]");
  const Scenario again = parse_scenario(s.effective, "/elsewhere/scenario.effective.yaml");
  EXPECT_EQ(again.mechanism->elements[1].law, elements[1].law);
}

TEST_F(Submodels, ATyreRollsOnGroundOfItsInstance) {
  write("track.yaml",
        "bodies: [{name: wheel, kind: rigid, mass: 1, inertia: [1, 1, 1]}]\n"
        "ground: [{name: track, shape: {plane: [0, 0, 1]}}]\nelements:\n"
        "  - {name: tyre, kind: tyre, body: wheel, model: brush, radius: 1, stiffness: 1, friction: 1, "
        "tread: 1,\n"
        "     patch: 1, load: 1, ground: track}\n");
  const Scenario s = parse("  submodels: [{use: track.yaml, count: 2, position: [0, i, 0]}]\n");
  EXPECT_EQ(s.mechanism->elements[1].tyre->ground, "track2.track");
}

TEST_F(Submodels, ANameOfASensorAndAParameterIsRefusedInAForce) {
  const std::string model =
      "  parameters: {k: 100}\n  bodies: [{name: a, kind: point, mass: 1, position: [1, 0, 0]}]\n"
      "  elements: [{name: law, kind: law, from: ground, to: a, force: k*(s - 1)}]\n  sensors:\n"
      "    - {name: ";
  const std::string rest = ", kind: position, body: a, direction: [1, 0, 0]}\n";
  const Fault both = fault(model + "k" + rest);
  EXPECT_EQ(both.value, "k");
  EXPECT_THAT(both.problem, HasSubstr("both a sensor and a parameter"));
  EXPECT_EQ(parse(model + "x" + rest).mechanism->elements[0].law, "(100)*(s - 1)");
}

TEST_F(Submodels, EffectiveFileHoldsTheInstances) {
  write("parts/link.yaml", link);
  write("parts/wind.csv", "0,1\n1,2\n");
  const Scenario s = parse(row);
  const Scenario again = parse_scenario(s.effective, "/elsewhere/scenario.effective.yaml");
  ASSERT_EQ(again.mechanism->bodies.size(), 4U);
  EXPECT_EQ(again.mechanism->bodies[2].name, "link3.bar");
  EXPECT_THAT(*again.mechanism->joints[2].at_from, ElementsAre(3.5, 0, 0));
}

TEST_F(Submodels, FaultsNameFileAndLineOnce) {
  write("parts/a.yaml", "parameters: {m: 1}\nbodies:\n  - {name: b, kind: point, mass: m}\n");
  const auto use = [](const std::string& keys) {
    return "  submodels:\n    - {use: parts/a.yaml" + keys + "}\n";
  };
  EXPECT_EQ(parse(use("")).mechanism->bodies[0].name, "a.b");
  const Fault negative = fault(use(", count: 4, set: {m: -i}"));
  EXPECT_THAT(negative.file, HasSubstr("parts/a.yaml"));
  EXPECT_EQ(negative.line, 3);
  EXPECT_EQ(negative.field, "model.bodies.1.mass");
  const Fault unknown = fault(use(", set: {M: 1}"));
  EXPECT_EQ(unknown.line, 4);
  EXPECT_EQ(unknown.field, "model.submodels.1.set.M");
  EXPECT_THAT(unknown.remedy, HasSubstr("did you mean `m`"));
  EXPECT_THAT(fault(use(", count: 0")).problem, HasSubstr("out of range"));
  EXPECT_THAT(fault(use(", count: 1.5")).problem, HasSubstr("out of range"));
  EXPECT_THAT(fault(use(", cuont: 2")).remedy, HasSubstr("did you mean `count`"));
  EXPECT_THAT(fault(use(", name: 2 wheels")).problem, HasSubstr("no name"));
  EXPECT_THAT(fault(use(", position: 3")).problem, HasSubstr("not a list"));
  EXPECT_THAT(fault(use(", join: {x: \"b{i\"}")).problem, HasSubstr("not closed"));
  EXPECT_THAT(fault(use(", join: {x: \"b{1/2}\"}")).problem, HasSubstr("whole number"));
  EXPECT_THAT(fault("  parameters: {i: 1}\n" + use(", count: 2")).problem,
              HasSubstr("the number of the instance"));
  EXPECT_THAT(fault("  submodels: [{file: parts/a.yaml}]\n").problem, HasSubstr("names no file"));
  EXPECT_THAT(fault("  submodels: [{use: parts/b.yaml}]\n").remedy, HasSubstr("a.yaml"));
  write("parts/a.yaml", "submodels: [{use: a.yaml}]\n");
  const Fault itself = fault(use(""));
  EXPECT_THAT(itself.problem, HasSubstr("uses itself"));
  EXPECT_THAT(itself.file, HasSubstr("parts/a.yaml"));
  write("parts/a.yaml", "parameters: {m: 1/}\nbodies:\n  - {name: b, kind: point, mass: m}\n");
  EXPECT_EQ(fault(use(", count: 3")).line, 1);
}

TEST_F(Submodels, SeeTheParametersOutsideThem) {
  write("parts/inner.yaml", "parameters: {k: 1, G: k*5}\nbodies: [{name: c, kind: point, mass: G}]\n");
  write("parts/outer.yaml",
        "parameters: {b: \"G*2\", H: 4}\nsubmodels: [{use: inner.yaml, set: {k: \"G*H\"}}]\n"
        "bodies: [{name: a, kind: point, mass: b}, {name: d, kind: point, mass: G}]\n");
  const Scenario s = parse("  parameters: {G: 3, H: 100}\n  submodels: [{use: parts/outer.yaml}]\n");
  const Mechanism& m = *s.mechanism;
  ASSERT_EQ(m.bodies.size(), 3U);
  EXPECT_EQ(m.bodies[0].name, "outer.inner.c");
  EXPECT_EQ(m.bodies[0].mass, 3 * 4 * 5) << "a name of its own hides that outside";
  EXPECT_EQ(m.bodies[1].mass, 6);
  EXPECT_EQ(m.bodies[2].mass, 3);
}

TEST_F(Submodels, JoinNamesWhatTheFileUses) {
  write("parts/link.yaml", link);
  write("parts/wind.csv", "0,1\n1,2\n");
  std::string misspelt = row;
  misspelt.replace(misspelt.find("join: {previous: ground"), 15, "join: {previuos");
  const Fault unknown = fault(misspelt);
  EXPECT_EQ(unknown.field, "model.submodels.1.join.previuos");
  EXPECT_EQ(unknown.line, 6);
  EXPECT_THAT(unknown.remedy, HasSubstr("did you mean `previous`"));
  write("parts/a.yaml", "bodies: [{name: b, kind: point, mass: 1}]\n");
  EXPECT_THAT(fault("  submodels: [{use: parts/a.yaml, join: {frame: ground}}]\n").remedy,
              HasSubstr("names nothing outside"));
}

TEST_F(Submodels, RefuseRepeatedKeys) {
  write("parts/a.yaml", "parameters: {m: 1}\nbodies: [{name: b, kind: point, mass: m}]\n");
  const std::string use = "  submodels:\n    - {use: parts/a.yaml, ";
  EXPECT_EQ(fault(use + "name: x, name: y}\n").field, "model.submodels.1.name");
  EXPECT_EQ(fault(use + "set: {m: 1, m: 2}}\n").field, "model.submodels.1.set.m");
  EXPECT_THAT(fault(use + "join: {f: b, f: c}}\n").problem, HasSubstr("a second time"));
}

const char* const crate = R"Y(bodies:
  - {name: box, kind: rigid, mass: 1, shape: {box: [1, 1, 1]}, position: [0, 0, 2]}
  - {name: lid, kind: rigid, mass: 1, shape: {box: [1, 1, 0.1]}, position: [0, 0, 3]}
ground:
  - {name: post, shape: {sphere: 0.5}, position: [0, 0, 1]}
  - {name: wall, shape: {plane: [1, 0, 0]}}
contacts:
  - {name: own, among: "*", stiffness: 1}
  - {name: below, between: ["*", [ground, post]], stiffness: 2}
  - {name: others, between: ["l*", [hook, "other.*"]], stiffness: 3}
)Y";

/// Names in a contact of a sub-model mean its own bodies first, and `ground` is all of the ground.
TEST_F(Submodels, HaveContactsOfTheirOwnAndWithOthers) {
  write("parts/crate.yaml", crate);
  const Scenario s = parse(R"(
  submodels:
    - {use: parts/crate.yaml, count: 2, position: ["10*i", 5], join: {hook: other.ball}}
  bodies: [{name: other.ball, kind: rigid, mass: 1, shape: {sphere: 1}}]
  ground: [{name: floor, shape: {plane: [0, 0, 1]}}]
  contacts: [{name: all, between: ["crate1.*", ["crate2.b*", floor]], stiffness: 4}]
)");
  const Mechanism& m = *s.mechanism;
  ASSERT_EQ(m.bodies.size(), 5U);
  ASSERT_EQ(m.ground.size(), 5U);
  EXPECT_EQ(m.ground[2].name, "crate2.post");
  EXPECT_THAT(m.ground[2].position, ElementsAre(20, 5, 1));
  EXPECT_THAT(m.ground[3].position, ElementsAre(20, 5, 0)) << "without a position, that of the instance";
  EXPECT_THAT(m.ground[4].position, ElementsAre(0, 0, 0));
  ASSERT_EQ(m.contacts.size(), 7U);
  EXPECT_EQ(m.contacts[3].name, "crate2.own");
  EXPECT_THAT(m.contacts[3].sides[0], ElementsAre(2, 3, 7, 8));
  EXPECT_THAT(m.contacts[4].sides[1], ElementsAre(5, 6, 7, 8, 9)) << "the ground of the whole model";
  EXPECT_THAT(m.contacts[5].sides[0], ElementsAre(3));
  EXPECT_THAT(m.contacts[5].sides[1], ElementsAre(4)) << "joined, or of the model that uses it";
  EXPECT_THAT(m.contacts[6].sides[0], ElementsAre(0, 1, 5, 6));
  EXPECT_THAT(m.contacts[6].sides[1], ElementsAre(2, 9));
}

TEST_F(Submodels, ContactsOfNobodyTellTheFileOfTheSubModel) {
  write("parts/a.yaml",
        "bodies: [{name: b, kind: rigid, mass: 1, shape: {sphere: 1}}]\n"
        "contacts: [{name: c, among: [b, bel], stiffness: 1}]\n");
  const Fault found = fault("  submodels: [{use: parts/a.yaml}]\n");
  EXPECT_EQ(found.line, 2);
  EXPECT_THAT(found.file, HasSubstr("a.yaml"));
  EXPECT_THAT(found.problem, HasSubstr("there is no body"));
}

TEST_F(Submodels, FaultsOfMarkers) {
  const std::string bodies =
      "  bodies:\n    - {name: a, kind: rigid, mass: 1, inertia: [1, 1, 1], markers: {tip: [1, 0, 0]}}\n"
      "  elements:\n    - {name: s, kind: spring, ";
  const auto spring = [&](const std::string& keys) { return bodies + keys + ", c: 1}\n"; };
  EXPECT_THAT(*parse(spring("to: a.tip")).mechanism->elements[0].at_to, ElementsAre(1, 0, 0));
  EXPECT_THAT(*parse(spring("to: a, at_to: tip")).mechanism->elements[0].at_to, ElementsAre(1, 0, 0));
  const Fault unknown = fault(spring("to: a.tipp"));
  EXPECT_EQ(unknown.line, 6);
  EXPECT_EQ(unknown.field, "model.elements.1.to");
  EXPECT_EQ(unknown.value, "a.tipp");
  EXPECT_THAT(unknown.remedy, HasSubstr("did you mean `tip`"));
  EXPECT_THAT(fault(spring("to: a, at_to: top")).field, HasSubstr("at_to"));
  EXPECT_THAT(fault(spring("to: a, from: ground.nail")).remedy,
              HasSubstr("add `markers: {nail: [x, y, z]}`"));
  const std::string arm =
      "  bodies: [{name: arm, kind: rigid, mass: 1, inertia: [1, 1, 1], markers: {tip: [1, 0, 0]}}]\n"
      "  elements: [{name: s, kind: ";
  EXPECT_THAT(fault(arm + "spring, to: arn.tip, c: 1}]\n").remedy, HasSubstr("did you mean `arm.tip`"));
  EXPECT_THAT(fault(arm + "bushing, to: arm.tip, stiffness: 1, C: 1}]\n").remedy, HasSubstr("known here"));
  const std::string ball = "  bodies: [{name: b, kind: point, mass: 1";
  EXPECT_THAT(fault(ball + "}]\n  elements: [{name: s, kind: spring, to: b.tip, c: 1}]\n").remedy,
              HasSubstr("write `b` alone"));
  EXPECT_THAT(fault(ball + ", markers: {tip: [1, 0, 0]}}]\n").remedy, HasSubstr("known here"));
  EXPECT_EQ(fault("  bodies: [{name: a, kind: rigid, mass: 1, inertia: [1, 1, 1], markers: {tip: 3}}]\n"
                  "  elements: [{name: s, kind: spring, to: a.tip, c: 1}]\n")
                .field,
            "model.bodies.1.markers.tip");
  EXPECT_THAT(fault(spring("to: a.tip, at_to: [0, 0, 0]")).problem, HasSubstr("so does `at_to`"));
  EXPECT_THAT(fault(spring("to: a.tip, at: [0, 0, 0]")).problem, HasSubstr("so does `at`"));
  EXPECT_THAT(fault(spring("to: b.tip")).problem, HasSubstr("no body of this name"));
  EXPECT_THAT(
      *parse("  bodies: [{name: a, kind: rigid, mass: 1, inertia: [1, 1, 1], markers: {foot: [0, 0, -1]}}]\n"
             "  elements: [{name: c, kind: contact, body: a.foot, stiffness: 1}]\n")
           .mechanism->elements[0]
           .at_to,
      ElementsAre(0, 0, -1));
}

}  // namespace
}  // namespace cosimo::config
