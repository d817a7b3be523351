// Ropes, belts, teeth and cylinders in a scenario: what is read, and what is refused with its line and field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string bodies = R"(cosimo: 1
model:
  parameters: {r: 0.1}
  bodies:
    - {name: load, kind: point, dimensions: 2, mass: 2, position: [-r, -1]}
    - {name: wheel, kind: planar, mass: 1, inertia: 1, markers: {rim: [r, 0]}}
    - {name: other, kind: planar, mass: 1, inertia: 1, position: [1, 0]}
    - {name: rolling, kind: rigid, mass: 1, inertia: [1, 1, 1], position: [3, 0, 0]}
  joints:
    - {name: axle, kind: revolute, to: wheel, at: [0, 0]}
    - {name: second, kind: revolute, from: other, at: [1, 0]}
    - {name: across, kind: revolute, to: rolling, at: [3, 0, 0], axis: [1, 0, 0]}
    - {name: ball, kind: spherical, from: wheel, to: other, at: [0.5, 0]}
)";
const std::string end = "simulate: {end: 1}\n";

Mechanism read(const std::string& rest) {
  return *parse_scenario(bodies + rest + end, "model.yaml", {}).mechanism;
}

TEST(Ropes, AreReadWithTheirStations) {
  const Mechanism model = read(R"(  ropes:
    - name: hoist
      stiffness: 1e6
      damping: 10
      tension: 20*r
      pay_out: 0.1*t
      breakpoints: [0.5]
      path:
        - {body: load}
        - {body: wheel, radius: r, around: clockwise, friction: 0.2, turns: 1}
        - {at: [0.5, 0.5]}
        - {body: wheel.rim}
    - {name: loop, closed: true, stiffness: 100, length: 3,
       path: [{body: wheel, radius: r, around: counterclockwise}, {body: other, radius: 2*r, around: clockwise, at: [1, 0]}]}
)");
  ASSERT_EQ(model.ropes.size(), 2U);
  const Rope& hoist = model.ropes[0];
  EXPECT_EQ(hoist.name, "hoist");
  EXPECT_EQ(hoist.stiffness, 1e6);
  EXPECT_EQ(hoist.damping, 10);
  EXPECT_EQ(hoist.tension, 2);
  EXPECT_EQ(hoist.pay_out, "0.1*t");
  EXPECT_THAT(hoist.breakpoints, ElementsAre(0.5));
  EXPECT_FALSE(hoist.closed);
  ASSERT_EQ(hoist.path.size(), 4U);
  EXPECT_EQ(hoist.path[0].body, 0);
  EXPECT_FALSE(hoist.path[0].friction.has_value()) << "an end";
  EXPECT_EQ(hoist.path[1].sense, -1);
  EXPECT_EQ(hoist.path[1].radius, 0.1);
  EXPECT_EQ(hoist.path[1].friction, 0.2);
  EXPECT_EQ(hoist.path[1].turns, 1);
  EXPECT_EQ(hoist.path[2].body, on_ground);
  EXPECT_EQ(hoist.path[2].friction, 0) << "an eyelet";
  EXPECT_EQ(hoist.path[3].body, 1);
  EXPECT_THAT(*hoist.path[3].at_body, ElementsAre(0.1, 0, 0)) << "a marker";
  const Rope& loop = model.ropes[1];
  EXPECT_TRUE(loop.closed);
  EXPECT_EQ(loop.length, 3);
  EXPECT_FALSE(loop.path[0].friction.has_value()) << "does not slip";
  EXPECT_EQ(loop.path[1].sense, -1);
}

TEST(Ropes, TeethAndCylindersAndSlackSprings) {
  const Mechanism model = read(R"(  elements:
    - {name: mesh, kind: gear_mesh, joints: [axle, second], teeth: [20, 30], stiffness: 1e6, damping: 5, gap: 1e-4}
    - {name: ram, kind: cylinder, to: load, retracted: 0.5, stroke: 1, areas: [2, 1], bulk: 1e9, supply: 2e7, flow: 1e-3,
       drop: 1e6, command: sin(t), d: 3, dead: [0.1, 0.2]}
    - {name: sling, kind: spring, to: load, c: 5, tension_only: true}
)");
  EXPECT_EQ(model.elements[0].from, 1);
  EXPECT_EQ(model.elements[0].to, 2) << "the ground is on the other side of its joint";
  EXPECT_THAT(model.elements[0].teeth, ElementsAre(20, 30));
  EXPECT_EQ(model.elements[0].gap, 1e-4);
  EXPECT_EQ(model.elements[0].law_stiffness, 1e6);
  EXPECT_EQ(model.elements[0].law_damping, 5);
  ASSERT_NE(model.elements[1].cylinder, nullptr);
  const Cylinder& ram = *model.elements[1].cylinder;
  EXPECT_THAT(ram.area, ElementsAre(2, 1));
  EXPECT_THAT(*ram.dead, ElementsAre(0.1, 0.2));
  EXPECT_FALSE(ram.pressures.has_value());
  EXPECT_EQ(ram.command, "sin(t)");
  EXPECT_EQ(model.elements[1].d, 3);
  EXPECT_TRUE(model.elements[2].tension_only);
}

struct Bad {
  const char* name;
  const char* text;
  int line;
  const char* field;
  const char* says;
};
#define ROPE(keys) "  ropes:\n    - {name: rope, " keys "}\n"
#define PATH(stations) ROPE("stiffness: 1, path: [" stations "]")
#define ELEMENT(keys) "  elements:\n    - {name: e, " keys "}\n"
#define RAM \
  "kind: cylinder, to: load, retracted: 0.5, stroke: 1, bulk: 1e9, flow: 1e-3, drop: 1e6, command: t, "

const Bad all_bad[] = {
    {"WithoutPath", ROPE("stiffness: 1"), 15, "model.ropes.1.path", "is missing"},
    {"WithoutStiffness", ROPE("path: [{body: load}, {}]"), 15, "model.ropes.1.stiffness", "is missing"},
    {"OfOneStation", PATH("{body: load}"), 15, "model.ropes.1.path", "1 entry"},
    {"ToNobody", PATH("{body: laod}, {}"), 15, "model.ropes.1.path.1.body", "did you mean `load`"},
    {"ToNoMarker", PATH("{body: wheel.rum}, {}"), 15, "model.ropes.1.path.1.body", "no marker `rum`"},
    {"OverTheGroundAlone", PATH("{at: [0, 1]}, {}"), 15, "model.ropes.1.path", "name a body"},
    {"PulleyWithoutWay", PATH("{body: load}, {body: wheel, radius: 1}, {}"), 15,
     "model.ropes.1.path.2.around", "counterclockwise"},
    {"WayWithoutPulley", PATH("{body: load}, {body: wheel, around: clockwise}, {}"), 15,
     "model.ropes.1.path.2.around", "no pulley"},
    {"WayUnknown", PATH("{body: load}, {body: wheel, radius: 1, around: clokwise}, {}"), 15,
     "model.ropes.1.path.2.around", "did you mean `clockwise`"},
    {"RadiusOfAPoint", PATH("{body: load, radius: 1, around: clockwise}, {body: wheel}"), 15,
     "model.ropes.1.path.1.radius", "does not turn"},
    {"PulleyAcrossThePlane",
     PATH("{body: load}, {body: wheel, radius: 0.1, around: clockwise, axis: [1, 0, 0]}, {}"), 15,
     "model.ropes.1.path.2.axis", "about z alone"},
    {"FrictionAtAnEnd", PATH("{body: load, friction: 1}, {body: wheel}"), 15, "model.ropes.1.path.1.friction",
     "fixed where it ends"},
    {"FrictionNegative", PATH("{body: load}, {friction: -1}, {body: wheel}"), 15,
     "model.ropes.1.path.2.friction", ">= 0"},
    {"AtTwoPlaces", PATH("{body: load}, {body: wheel, at: [0, 0], at_body: [0, 0]}"), 15,
     "model.ropes.1.path.2.at_body", "keep one"},
    {"PulleysThatFaceDifferently",
     PATH("{body: load}, {body: wheel, radius: 0.1, around: clockwise}, {body: rolling, radius: 0.1, around: "
          "clockwise, axis: [1, 0, 0]}, {}"),
     15, "model.ropes.1.path.3", "not parallel"},
    {"TightTwice", ROPE("stiffness: 1, length: 2, tension: 1, path: [{body: load}, {}]"), 15,
     "model.ropes.1.tension", "keep one"},
    {"BeltPaidOut",
     ROPE("stiffness: 1, closed: true, pay_out: t, path: [{body: wheel, radius: 1, around: clockwise}, {}]"),
     15, "model.ropes.1.pay_out", "no end"},
    {"PaidOutByState", ROPE("stiffness: 1, pay_out: x, path: [{body: load}, {}]"), 15,
     "model.ropes.1.pay_out", "unknown symbol 'x'"},
    {"NameOfAJoint", "  ropes:\n    - {name: axle, stiffness: 1, path: [{body: load}, {}]}\n", 15,
     "model.ropes.1.name", "line 10 already"},
    {"MeshOfNoJoint", ELEMENT("kind: gear_mesh, joints: [axle, sekond], teeth: [1, 2], stiffness: 1"), 15,
     "model.elements.1.joints.2", "did you mean `second`"},
    {"MeshInABall", ELEMENT("kind: gear_mesh, joints: [axle, ball], teeth: [1, 2], stiffness: 1"), 15,
     "model.elements.1.joints.2", "no wheel turns"},
    {"MeshOfOneWheel", ELEMENT("kind: gear_mesh, joints: [axle, axle], teeth: [1, 2], stiffness: 1"), 15,
     "model.elements.1.joints.2", "two joints"},
    {"MeshAcross", ELEMENT("kind: gear_mesh, joints: [axle, across], teeth: [1, 2], stiffness: 1"), 15,
     "model.elements.1.joints.2", "not parallel"},
    {"MeshWithoutTeeth", ELEMENT("kind: gear_mesh, joints: [axle, second], teeth: [0, 2], stiffness: 1"), 15,
     "model.elements.1.teeth.1", "not 0"},
    {"MeshOfTheSameRing", ELEMENT("kind: gear_mesh, joints: [axle, second], teeth: [2, -2], stiffness: 1"),
     15, "model.elements.1.teeth", "different"},
    {"MeshWithANegativeGap",
     ELEMENT("kind: gear_mesh, joints: [axle, second], teeth: [1, 2], stiffness: 1, gap: -1"), 15,
     "model.elements.1.gap", ">= 0"},
    {"RamWithoutArea", ELEMENT(RAM "supply: 1"), 15, "model.elements.1.areas", "is missing"},
    {"RamOfNoArea", ELEMENT(RAM "supply: 1, areas: [1, 0]"), 15, "model.elements.1.areas.2", "> 0"},
    {"RamWithoutPressure", ELEMENT(RAM "supply: 1, tank: 2, areas: [1, 1]"), 15, "model.elements.1.supply",
     "not above"},
    {"RopeThatPushes", ELEMENT("kind: spring, to: load, c: -1, tension_only: true"), 15, "model.elements.1.c",
     "would push"},
    {"RopeThatDampsAcross", ELEMENT("kind: spring, to: load, c: 1, tension_only: true, damping: vector"), 15,
     "model.elements.1.damping", "along its line"},
};

class BadRopes : public ::testing::TestWithParam<Bad> {};

TEST_P(BadRopes, IsRefusedWithItsLineAndField) {
  const Bad& bad = GetParam();
  try {
    read(bad.text);
    FAIL() << bad.text << "was accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U) << error.what();
    EXPECT_EQ(error.faults()[0].line, bad.line) << error.what();
    EXPECT_EQ(error.faults()[0].field, bad.field) << error.what();
    EXPECT_FALSE(error.faults()[0].remedy.empty()) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(bad.says));
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, BadRopes, ::testing::ValuesIn(all_bad),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace cosimo::config
