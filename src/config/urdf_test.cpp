// Robots in URDF: what becomes of them, and what is refused.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "config/robot_testing.hpp"

namespace cosimo::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::line_with;
using testing::replaced;

class Urdf : public testing::RobotFiles {};

const char* const arm = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="base">
    <inertial><mass value="5"/><inertia ixx="1" iyy="2" izz="2.5"/></inertial>
  </link>
  <link name="rod">
    <inertial>
      <origin xyz="0.5 0 0" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <origin xyz="0.5 0 0"/>
      <geometry><box size="1 0.1 0.1"/></geometry>
    </visual>
    <visual><geometry><sphere radius="0.1"/></geometry></visual>
  </link>
  <link name="slide">
    <inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
  </link>
  <link name="plate">
    <inertial><origin xyz="0 0 1"/><mass value="3"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
  </link>
  <link name="tool"/>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="rod"/>
    <origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>
    <axis xyz="1 0 0"/>
    <limit lower="-1" upper="2" effort="10" velocity="1"/>
    <dynamics damping="0.5" friction="0.2"/>
  </joint>
  <joint name="rail" type="prismatic">
    <parent link="rod"/><child link="slide"/>
    <origin xyz="1 0 0"/>
    <axis xyz="0 0 1"/>
  </joint>
  <joint name="seat" type="fixed">
    <parent link="slide"/><child link="plate"/>
    <origin xyz="0 0 1"/>
  </joint>
  <joint name="tip" type="fixed">
    <parent link="plate"/><child link="tool"/>
    <origin xyz="0 1 0"/>
  </joint>
</robot>
)";

TEST_F(Urdf, BecomesBodiesAndJoints) {
  write("arm.urdf", arm);
  const Scenario s = use("arm.urdf", ", position: [0, 0, 5]");
  const Mechanism& m = *s.mechanism;
  ASSERT_EQ(m.bodies.size(), 3U);
  EXPECT_EQ(m.bodies[0].name, "r.base");
  EXPECT_EQ(m.bodies[1].name, "r.rod");
  EXPECT_THAT(m.bodies[1].position, ElementsAre(0, 0, 6));
  EXPECT_NEAR(m.bodies[1].orientation[3], std::sqrt(0.5), 1e-15);
  EXPECT_THAT(m.bodies[1].center, ElementsAre(0.5, 0, 0));
  // Turned by a right angle: x is the old y, and the product changes its sign.
  EXPECT_NEAR(m.bodies[1].inertia[0], 0.2, 1e-15);
  EXPECT_NEAR(m.bodies[1].inertia[1], 0.1, 1e-15);
  EXPECT_NEAR(m.bodies[1].inertia[3], -0.01, 1e-15);
  ASSERT_EQ(m.joints.size(), 2U);
  EXPECT_EQ(m.joints[0].name, "r.hinge");
  EXPECT_EQ(m.joints[0].kind, JointKind::revolute);
  EXPECT_THAT(*m.joints[0].at_from, ElementsAre(0, 0, 1));
  EXPECT_NEAR(m.joints[0].axis[1], 1, 1e-15) << "along the axes of the child";
  EXPECT_EQ(m.joints[1].kind, JointKind::prismatic);
  ASSERT_EQ(m.elements.size(), 2U);
  EXPECT_EQ(m.elements[0].name, "r.hinge_friction");
  EXPECT_EQ(m.elements[0].limit, 0.2);
  EXPECT_EQ(m.elements[1].law, "0.5*rate");
  EXPECT_EQ(m.elements[1].joint, 0);
}

TEST_F(Urdf, MergesWhatIsFixed) {
  write("arm.urdf", arm);
  const Scenario s = parse(
      "  submodels: [{use: arm.urdf, name: r}]\n"
      "  elements: [{name: pull, kind: spring, to: r.slide.tool, c: 1}]\n");
  const Body& slide = s.mechanism->bodies[2];
  EXPECT_EQ(slide.mass, 4);
  EXPECT_THAT(slide.center, ElementsAre(0, 0, 1.5));  // 3 at height 2, 1 at 0
  EXPECT_NEAR(slide.inertia[0], 0.2 + 3 * 0.25 + 1 * 2.25, 1e-15);
  EXPECT_NEAR(slide.inertia[2], 0.2, 1e-15);
  EXPECT_THAT(*s.mechanism->elements[2].at_to, ElementsAre(0, 1, 1)) << "a marker by the name of the link";
  EXPECT_THAT(s.notes, Contains(HasSubstr("slide.plate, slide.tool")));
}

TEST_F(Urdf, BaseIsFreeFixedOrOnAnotherBody) {
  write("arm.urdf", arm);
  EXPECT_EQ(use("arm.urdf").mechanism->joints.size(), 2U);
  const Scenario fixed = use("arm.urdf", ", import: {fix: true}");
  EXPECT_EQ(fixed.mechanism->joints[0].name, "r.base_mount");
  EXPECT_EQ(fixed.mechanism->joints[0].from, on_ground);
  const Scenario carried = parse(
      "  bodies: [{name: car, kind: rigid, mass: 1, inertia: [1, 1, 1], markers: {top: [0, 0, 3]}}]\n"
      "  submodels: [{use: arm.urdf, name: r, import: {fix: true}, position: [0, 0, 3], join: {world: "
      "car.top}}]\n");
  EXPECT_EQ(carried.mechanism->joints[0].from, 3);
  EXPECT_THAT(*carried.mechanism->joints[0].at_from, ElementsAre(0, 0, 3));
}

TEST_F(Urdf, WorldIsTheGround) {
  std::string text = replaced(arm, "<link name=\"tool\"/>", "<link name=\"tool\"/><link name=\"world\"/>");
  text =
      replaced(text, "</robot>",
               "<joint name=\"floor\" type=\"fixed\"><parent link=\"world\"/><child link=\"base\"/><origin "
               "xyz=\"1 2 3\"/></joint></robot>");
  write("arm.urdf", text);
  const Scenario s = use("arm.urdf");
  EXPECT_EQ(s.mechanism->joints[0].name, "r.floor");
  EXPECT_EQ(s.mechanism->joints[0].kind, JointKind::fixed);
  EXPECT_EQ(s.mechanism->joints[0].from, on_ground);
  EXPECT_THAT(s.mechanism->bodies[0].position, ElementsAre(1, 2, 3));
}

TEST_F(Urdf, LimitsAreStopsWhereAsked) {
  write("arm.urdf", arm);
  EXPECT_THAT(use("arm.urdf").notes, Contains(HasSubstr("limits of position are left out")));
  const Scenario s = use("arm.urdf", ", import: {stops: {stiffness: 2e3, damping: 0.1}}");
  ASSERT_EQ(s.mechanism->elements.size(), 3U);
  const Element& stop = s.mechanism->elements[2];
  EXPECT_EQ(stop.name, "r.hinge_stops");
  EXPECT_EQ(*stop.lower, -1);
  EXPECT_EQ(*stop.upper, 2);
  EXPECT_EQ(stop.law_stiffness, 2e3);
}

TEST_F(Urdf, MimicIsAGear) {
  std::string text = replaced(arm, "type=\"prismatic\"", "type=\"continuous\"");
  text = replaced(text, "<axis xyz=\"0 0 1\"/>",
                  "<axis xyz=\"0 0 1\"/><mimic joint=\"hinge\" multiplier=\"-0.75\"/>");
  write("arm.urdf", text);
  const Joint& gear = use("arm.urdf").mechanism->joints.at(2);
  EXPECT_EQ(gear.kind, JointKind::gear);
  EXPECT_THAT(gear.joints, ElementsAre(0, 1));
  EXPECT_THAT(gear.teeth, ElementsAre(-3, -4)) << "3 hinge + 4 rail stays";
}

TEST_F(Urdf, MayBeIncludedAndUsedSeveralTimes) {
  write("arm.urdf", arm);
  const Scenario included = parse("  include: arm.urdf\n");
  EXPECT_EQ(included.mechanism->bodies[1].name, "rod");
  const Scenario s = parse("  submodels: [{use: arm.urdf, count: 3, position: [2*i, 0, 0]}]\n");
  EXPECT_EQ(s.mechanism->bodies.size(), 9U);
  EXPECT_EQ(s.mechanism->bodies[8].name, "arm3.slide");
  EXPECT_EQ(parse("  submodels: [{use: arm.urdf, name: a}, {use: arm.urdf, name: b}]\n").notes, s.notes)
      << "each once";
  const Scenario again = parse_scenario(s.effective, "/elsewhere/scenario.effective.yaml");
  EXPECT_THAT(again.mechanism->bodies[7].position, ElementsAre(6, 0, 1));
  EXPECT_EQ(again.mechanism->elements.size(), s.mechanism->elements.size());
}

TEST_F(Urdf, ShowsAllVisualsInOneSurface) {
  write("arm.urdf", arm);
  const Body rod = use("arm.urdf").mechanism->bodies[1];
  ASSERT_NE(rod.shape, nullptr);
  EXPECT_EQ(rod.shape->kind, SolidShape::Kind::mesh);
  std::array<double, 3> low{9, 9, 9}, high{-9, -9, -9};
  for (const auto& p : rod.shape->points)
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i]);
      high[i] = std::max(high[i], p[i]);
    }
  EXPECT_NEAR(low[0], -0.1, 1e-12) << "the sphere";
  EXPECT_NEAR(high[0], 1, 1e-12) << "the box";
  EXPECT_NEAR(high[2], 0.1, 1e-12);
  // Its triangles look outwards: it encloses what box and sphere do.
  double volume = 0;
  for (const auto& t : rod.shape->triangles) {
    const auto &a = rod.shape->points[t[0]], &b = rod.shape->points[t[1]], &c = rod.shape->points[t[2]];
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
               a[2] * (b[0] * c[1] - b[1] * c[0])) /
              6;
  }
  const double ball = 4.0 / 3 * std::numbers::pi * 1e-3;
  EXPECT_NEAR(volume, 0.01 + ball, 0.05 * ball);
}

TEST_F(Urdf, FindsMeshesOfPackages) {
  write("robots/my_arm/meshes/rod.stl",
        "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "0\nendloop\nendfacet\nendsolid\n");
  write("robots/my_arm/urdf/arm.urdf",
        replaced(arm, "<box size=\"1 0.1 0.1\"/>",
                 "<mesh filename=\"package://my_arm/meshes/rod.stl\" scale=\"2 2 2\"/>"));
  const Scenario s = use("robots/my_arm/urdf/arm.urdf");
  EXPECT_EQ(s.mechanism->bodies[1].shape->triangles.front().size(), 3U);
  EXPECT_EQ(s.mechanism->bodies[1].shape->points[1], (std::array<double, 3>{2.5, 0, 0}));
  write("robots/my_arm/meshes/rod.dae", "");
  write("robots/my_arm/urdf/arm.urdf",
        replaced(arm, "<box size=\"1 0.1 0.1\"/>", "<mesh filename=\"package://my_arm/meshes/rod.dae\"/>"));
  EXPECT_THAT(use("robots/my_arm/urdf/arm.urdf").notes, Contains(HasSubstr("not in pictures")));
}

/// One change of the arm, and what is said about it.
struct Bad {
  const char *what, *by;
  const char* at;  ///< in the line that the message names, after the change
  const char *field, *problem, *remedy;
};

const Bad bad[] = {
    {"</robot>", "", "", "", "is no XML", "mend the file"},
    {"<robot name=\"arm\">", "<robot name=\"arm\"", "", "", "is no XML", ""},
    {"<mass value=\"2\"/>", "<mass value=\"two\"/>", "value=\"two\"", "rod.inertial.mass.value",
     "is not a number", "write a number"},
    {"<mass value=\"2\"/>", "<mass value=\"-2\"/>", "value=\"-2\"", "rod.inertial.mass.value", "is negative",
     "> 0"},
    {"<mass value=\"2\"/>", "<mass/>", "<mass/>", "rod.inertial.mass.value", "is missing", "<mass value"},
    {"<mass value=\"2\"/>", "", "<inertial>\n", "rod.inertial.mass", "is missing", "<mass value"},
    {"<mass value=\"2\"/>", "<mass value=\"0\"/>", "<inertial>\n", "rod.inertial",
     "has an inertia, but no mass", ""},
    {"ixx=\"0.1\" iyy=\"0.2\"", "ixx=\"0.1\"", "izz=\"0.25\"", "rod.inertial.inertia.iyy", "is missing", ""},
    {"ixy=\"0.01\"", "ixy=\"1\"", "ixy=\"1\"", "rod.inertial.inertia", "is not positive definite", "signs"},
    {"izz=\"0.25\" ixy", "izz=\"nan\" ixy", "nan", "rod.inertial.inertia.izz", "is not a number", ""},
    {"izz=\"0.25\" ixy", "izz=\"0.5\" ixy", "<link name=\"rod\">", "model.bodies.2.inertia",
     "triangle inequality", "check the three moments"},
    {"xyz=\"0.5 0 0\" rpy", "xyz=\"0.5 0\" rpy", "xyz=\"0.5 0\"", "rod.inertial.origin.xyz",
     "is not 3 numbers", "separated by blanks"},
    {"name=\"slide\"", "name=\"rod\"", "<link name=\"rod\">\n    <inertial><mass", "link.name",
     "another link has this name", "rename"},
    {"joint name=\"rail\"", "joint name=\"hinge\"", "type=\"prismatic\"", "joint.name",
     "another joint has this name", "rename"},
    {"type=\"prismatic\"", "type=\"prismatik\"", "prismatik", "rail.type", "there is no such joint",
     "did you mean `prismatic`"},
    {"type=\"prismatic\"", "type=\"screw\"", "screw", "rail.type", "there is no such joint", "known: fixed"},
    {"<child link=\"slide\"/>", "<child link=\"slid\"/>", "slid\"", "rail.child.link", "there is no link",
     "did you mean `slide`"},
    {"<parent link=\"rod\"/>", "", "<joint name=\"rail\"", "rail.parent", "is missing", "<parent link"},
    {"<child link=\"plate\"/>", "<child link=\"rod\"/>", "<joint name=\"seat\"", "seat.child", "a loop",
     "close the loop"},
    {"<parent link=\"base\"/>", "<parent link=\"slide\"/>", "<joint name=\"hinge\"", "hinge", "loop",
     "take one of"},
    {"<parent link=\"base\"/>", "<parent link=\"rod\"/>", "<joint name=\"hinge\"", "hinge.child",
     "between a link and itself", "two links"},
    {"<link name=\"tool\"/>", "<link name=\"tool\"/>\n<link name=\"stray\"/>", "stray", "stray",
     "several roots: base, stray", "a joint"},
    {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 0\"/>", "\"0 0 0\"", "rail.axis.xyz", "has no direction",
     "not zero"},
    {"lower=\"-1\"", "lower=\"3\"", "lower=\"3\"", "hinge.limit.lower", "above `upper`", "exchange"},
    {"damping=\"0.5\"", "damping=\"-0.5\"", "damping=", "hinge.dynamics.damping", "is negative", ">= 0"},
    {"damping=\"0.5\"", "spring=\"0.5\"", "spring=", "hinge.dynamics.spring", "not part of URDF",
     "take it out"},
    {"type=\"revolute\"", "type=\"floating\"", "<dynamics", "hinge.dynamics",
     "revolute and prismatic joints alone", "add elements"},
    {"<axis xyz=\"0 0 1\"/>", "<mimic joint=\"hinge\"/>", "<mimic", "rail.mimic", "only turns follow turns",
     "motor"},
    {"<dynamics damping=\"0.5\"", "<mimic joint=\"none\"/><dynamics damping=\"0.5\"", "<mimic",
     "hinge.mimic.joint", "no joint of this name", ""},
    {"<dynamics damping=\"0.5\"", "<mimic joint=\"rail\" offset=\"1\"/><dynamics damping=\"0.5\"", "<mimic",
     "hinge.mimic.offset", "has no offset", "origin"},
    {"<box size=\"1 0.1 0.1\"/>", "<box size=\"1 0.1\"/>", "<box", "rod.visual.box.size", "is not 3 numbers",
     ""},
    {"<box size=\"1 0.1 0.1\"/>", "<box size=\"1 0 1\"/>", "<box", "rod.visual.box.size", "must be > 0", ""},
    {"<box size=\"1 0.1 0.1\"/>", "<cone size=\"1\"/>", "<cone", "rod.visual.cone", "shape is not known",
     "known: box"},
    {"<box size=\"1 0.1 0.1\"/>", "<mesh filename=\"no.stl\"/>", "<mesh", "rod.visual.mesh.filename",
     "no such file", "relative"},
    {"<box size=\"1 0.1 0.1\"/>", "<mesh filename=\"package://none/no.stl\"/>", "<mesh",
     "rod.visual.mesh.filename", "no such file", "package"},
    {"<link name=\"tool\"/>", "<link name=\"tool\"/><spring k=\"3\"/>", "<spring", "robot.spring",
     "not known here", "take it out"},
    {"<link name=\"tool\"/>", "<link name=\"tool\"><buoyancy/></link>", "<buoyancy", "tool.buoyancy",
     "not known here", ""},
    {"<link name=\"tool\"/>", "<xacro:arm side=\"left\"/>", "<xacro", "xacro:arm", "macros of xacro",
     "run `xacro"},
    {"<mass value=\"2\"/>", "<mass value=\"${m}\"/>", "${m}", "mass", "macros of xacro", "run `xacro"},
    {"type=\"fixed\">\n    <parent link=\"plate\"", "type=\"continuous\">\n    <parent link=\"plate\"",
     "<link name=\"tool\"/>", "tool", "has no mass, and the joint `tip` moves it", "make the joint fixed"},
    {"<inertial><mass value=\"5\"/><inertia ixx=\"1\" iyy=\"2\" izz=\"2.5\"/></inertial>", "",
     "<link name=\"base\">", "base", "nothing holds it", "fix: true"},
};

TEST_F(Urdf, BadFilesHaveTheirMessages) {
  for (const Bad& each : bad) {
    const std::string text = replaced(arm, each.what, each.by);
    write("arm.urdf", text);
    const std::vector<Fault> found = faults("arm.urdf");
    ASSERT_FALSE(found.empty()) << "accepted: " << each.by;
    const Fault& fault = found.front();
    EXPECT_THAT(fault.file, HasSubstr("arm.urdf")) << each.by;
    if (*each.at != 0) {
      EXPECT_EQ(fault.line, line_with(text, each.at)) << each.by << ": " << to_string(fault);
    }
    EXPECT_THAT(fault.field, HasSubstr(each.field)) << each.by;
    EXPECT_THAT(fault.problem, HasSubstr(each.problem)) << each.by;
    EXPECT_THAT(fault.remedy, HasSubstr(each.remedy)) << each.by;
    EXPECT_FALSE(fault.remedy.empty()) << each.by;
  }
}

TEST_F(Urdf, AllFaultsAreToldAtOnce) {
  std::string text = replaced(arm, "<mass value=\"2\"/>", "<mass value=\"two\"/>");
  text = replaced(text, "<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0\"/>");
  text = replaced(text, "type=\"revolute\"", "type=\"hinge\"");
  write("arm.urdf", text);
  EXPECT_EQ(faults("arm.urdf").size(), 3U);
}

TEST_F(Urdf, FaultsOfTheEntry) {
  write("arm.urdf", arm);
  write("part.yaml", "bodies: [{name: b, kind: point, mass: 1}]\n");
  const auto first = [&](const std::string& file, const std::string& keys) {
    const std::vector<Fault> found = faults(file, keys);
    EXPECT_FALSE(found.empty()) << keys;
    return found.empty() ? Fault{} : found.front();
  };
  EXPECT_THAT(first("part.yaml", ", import: {fix: true}").remedy, HasSubstr("leave it out"));
  EXPECT_THAT(first("arm.urdf", ", import: {fixx: true}").remedy, HasSubstr("did you mean `fix`"));
  EXPECT_THAT(first("arm.urdf", ", import: {fix: 1}").problem, HasSubstr("neither"));
  EXPECT_THAT(first("arm.urdf", ", import: {stops: {damping: 1}}").problem, HasSubstr("no stiffness"));
  EXPECT_THAT(first("arm.urdf", ", import: {stops: {stiffness: -1}}").problem, HasSubstr("out of range"));
  EXPECT_THAT(first("arm.urdf", ", import: fix").problem, HasSubstr("not a section"));
  EXPECT_THAT(first("arm.urdf", ", set: {hinge: 1}").problem, HasSubstr("no parameter"));
  EXPECT_THAT(first("arm.urdf", ", join: {wrold: ground}").problem, HasSubstr("does not use this name"));
  EXPECT_THAT(first("ram.urdf", "").remedy, HasSubstr("arm.urdf"));
  write("arm.sdf.xml", "<sdf/>");
  EXPECT_THAT(first("arm.sdf.xml", "").remedy, HasSubstr("convert"));
}

}  // namespace
}  // namespace cosimo::config
