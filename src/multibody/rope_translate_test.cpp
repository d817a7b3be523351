// Ropes, teeth and cylinders from a scenario to the mechanism.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <string>

#include "core/error.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/rope.hpp"
#include "multibody/mechanism_translate.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

PlacedMechanism place(const std::string& model) {
  return place_mechanism(
      config::parse_scenario("cosimo: 1\nmodel:\n" + model + "simulate: {end: 1}\n", "model.yaml", {}));
}

Frame frame(const PlacedMechanism& placed, std::size_t body) {
  const std::size_t first = placed.mechanism->coordinate_offsets()[body];
  return frame_of(placed.mechanism->bodies[body].kind, placed.q.data() + first, placed.v.data() + first);
}

const std::string wheels = R"(  bodies:
    - {name: one, kind: planar, mass: 1, inertia: 1, center: [0.1, 0], position: [1, 1], angle: 0.4}
    - {name: two, kind: planar, mass: 1, inertia: 1, position: [2, 1]}
    - {name: load, kind: point, dimensions: 2, mass: 1, position: [0.9, -1]}
  joints:
    - {name: axle 1, kind: revolute, to: one, at: [1, 1]}
    - {name: axle 2, kind: revolute, to: two, at: [2, 1]}
)";

std::string refusal(const std::string& rest) {
  try {
    place(wheels + rest);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RopeTranslate, RunsOverTheBodiesWhereTheyArePlaced) {
  const PlacedMechanism placed = place(wheels + R"(  ropes:
    - name: rope
      stiffness: 1.0e8
      tension: 7
      path: [{body: load}, {body: one, radius: 0.1, around: clockwise}, {body: two, radius: 0.1, around: clockwise},
             {at: [2.1, 0]}]
)");
  ASSERT_EQ(placed.mechanism->groups.size(), 1U);
  const ForceGroup& rope = *placed.mechanism->groups[0];
  EXPECT_EQ(rope.name, "rope");
  EXPECT_EQ(rope.kind(), "rope");
  ASSERT_EQ(rope.bodies().size(), 3U);
  std::vector<Frame> frames;
  for (const BodyId body : rope.bodies()) frames.push_back(frame(placed, body.index()));
  std::vector<Wrench> out(3);
  ASSERT_TRUE(rope.wrenches({0, frames}, out));
  EXPECT_NEAR((out[0].force - Vec3(0, 7, 0)).norm(), 0, 1e-5) << "straight up the side of the pulley";
  EXPECT_NEAR((out[1].force - Vec3(7, -7, 0)).norm(), 0, 1e-5);
  EXPECT_NEAR((out[2].force - Vec3(-7, -7, 0)).norm(), 0, 1e-5);
  EXPECT_EQ(rope.lines().size(), 3U);
}

TEST(RopeTranslate, TeethDivideTheDistanceOfTheAxes) {
  const PlacedMechanism placed = place(wheels + R"(  elements:
    - {name: mesh, kind: gear_mesh, joints: [axle 1, axle 2], teeth: [10, 30], stiffness: 1000}
)");
  const ForceElement& mesh = *placed.mechanism->elements[0];
  Frame from = marker_frame(frame(placed, 0), mesh.at_from), to = marker_frame(frame(placed, 1), mesh.at_to);
  EXPECT_NEAR((from.r - Vec3(1, 1, 0)).norm(), 0, 1e-12) << "at its joint, not its centre of mass";
  Effort effort;
  ASSERT_TRUE(mesh.effort(0, from, to, effort));
  EXPECT_NEAR(effort.torque_from.norm(), 0, 1e-9) << "in the middle of the gap";
  const double angle = 1e-3;
  from.R = Eigen::AngleAxisd(angle, Vec3::UnitZ()) * from.R;
  ASSERT_TRUE(mesh.effort(0, from, to, effort));
  EXPECT_NEAR(effort.torque_from.z(), -0.25 * 1000 * 0.25 * angle, 1e-9);
  EXPECT_NEAR(effort.torque_to.z(), -0.75 * 1000 * 0.25 * angle, 1e-9);
}

TEST(RopeTranslate, CylindersHaveTheirDefaults) {
  const PlacedMechanism placed = place(wheels + R"(  elements:
    - {name: ram, kind: cylinder, to: load, at_from: [0.9, -2], retracted: 0.5, stroke: 1, areas: [2, 1], bulk: 1e9,
       supply: 8, flow: 1, drop: 1, command: 0}
)");
  const ForceElement& ram = *placed.mechanism->elements[0];
  ASSERT_NE(ram.memory(), nullptr);
  EXPECT_TRUE(ram.memory()->essential());
  std::array<double, 2> z{};
  ram.memory()->begin({}, {}, z.data(), nullptr);
  EXPECT_EQ(z[0], 4);
  EXPECT_EQ(z[1], 4);
}

TEST(RopeTranslate, WhatCannotBeIsRefusedWhereItIsWritten) {
  const std::string inside = refusal(R"(  ropes:
    - {name: rope, stiffness: 1, path: [{body: load}, {body: one, radius: 5, around: clockwise}, {at: [9, 9]}]}
)");
  EXPECT_THAT(inside, HasSubstr("model.yaml:11"));
  EXPECT_THAT(inside, HasSubstr("model.ropes.rope.path"));
  EXPECT_THAT(inside, HasSubstr("no rope can run there"));
  const std::string same = refusal(R"(    - {name: pin, kind: revolute, from: one, to: two, at: [1, 1]}
  elements:
    - {name: mesh, kind: gear_mesh, joints: [axle 1, pin], teeth: [10, 30], stiffness: 1000}
)");
  EXPECT_THAT(same, HasSubstr("model.elements.mesh.joints"));
  EXPECT_THAT(same, HasSubstr("coincide"));
  // 40 teeth over a distance of 1: a pitch of 0.157.
  const std::string wide = refusal(R"(  elements:
    - {name: mesh, kind: gear_mesh, joints: [axle 1, axle 2], teeth: [10, 30], stiffness: 1000, gap: 0.16}
)");
  EXPECT_THAT(wide, HasSubstr("model.yaml:11"));
  EXPECT_THAT(wide, HasSubstr("model.elements.mesh.gap"));
  EXPECT_THAT(wide, HasSubstr("never touch"));
  for (const char* retracted : {"3", "0.1"}) {
    const std::string ram =
        refusal(std::string("  elements:\n    - {name: ram, kind: cylinder, to: load, at_from: "
                            "[0.9, -3], stroke: 0.5, areas: [2, 1], bulk: 1e9, supply: 8, "
                            "flow: 1, drop: 1, command: 0, retracted: ") +
                retracted + "}\n");
    EXPECT_THAT(ram, HasSubstr("model.elements.ram.retracted"));
    EXPECT_THAT(ram, HasSubstr("2.000000 apart at the start"));
  }
}

}  // namespace
}  // namespace cosimo
