// Robots in MJCF: what becomes of them, and what is refused.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "config/robot_testing.hpp"

namespace cosimo::config {
namespace {

using std::numbers::pi;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::line_with;
using testing::replaced;

class Mjcf : public testing::RobotFiles {
 protected:
  Mechanism robot(const std::string& body, const std::string& before = "",
                  const std::string& keys = "") const {
    write("r.xml", "<mujoco>" + before + "<worldbody>" + body + "</worldbody></mujoco>");
    return *use("r.xml", keys).mechanism;
  }
  Body body_of(const std::string& geoms, const std::string& before = "") const {
    return robot("<body name=\"b\"><freejoint/>" + geoms + "</body>", before).bodies.at(0);
  }
};

const char* const walker = R"(<mujoco model="walker">
  <compiler angle="degree"/>
  <option gravity="0 0 -9.81"/>
  <default>
    <geom density="500"/>
    <joint damping="0.1"/>
    <default class="leg"><joint axis="0 1 0" range="-30 60"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body name="torso" pos="0 0 1">
      <freejoint name="root"/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <site name="imu" pos="0 0 0.05"/>
      <body name="thigh" pos="0.2 0 0" euler="0 0 90" childclass="leg">
        <joint name="hip" pos="0 0 0.1"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/>
        <body name="foot" pos="0 0 -0.4">
          <joint name="ankle" type="slide" axis="0 0 1" range="-0.1 0.1" stiffness="200" springref="0.05" damping="2"/>
          <inertial pos="0 0 -0.1" mass="0.5" diaginertia="1e-3 2e-3 2e-3" euler="0 0 90"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="hip"/></actuator>
</mujoco>
)";

TEST_F(Mjcf, BecomesBodiesAndJoints) {
  write("walker.xml", walker);
  const Scenario s = use("walker.xml", ", import: {stops: {stiffness: 1e3}}");
  const Mechanism& m = *s.mechanism;
  ASSERT_EQ(m.bodies.size(), 3U);
  EXPECT_EQ(m.bodies[0].name, "r.torso");
  EXPECT_DOUBLE_EQ(m.bodies[0].mass, 500 * 8 * 0.2 * 0.1 * 0.05);
  EXPECT_DOUBLE_EQ(m.bodies[0].inertia[0], m.bodies[0].mass * (0.2 * 0.2 + 0.1 * 0.1) / 12);
  EXPECT_THAT(m.bodies[1].position, ElementsAre(0.2, 0, 1));
  EXPECT_THAT(m.bodies[1].center, ElementsAre(0, 0, -0.2));
  EXPECT_NEAR(m.bodies[2].inertia[0], 2e-3, 1e-18) << "its axes are turned";
  EXPECT_NEAR(m.bodies[2].inertia[1], 1e-3, 1e-18);
  ASSERT_EQ(m.joints.size(), 2U);
  EXPECT_EQ(m.joints[0].name, "r.hip");
  EXPECT_THAT(*m.joints[0].at_from, ElementsAre(0.2, 0, 0.1));
  EXPECT_THAT(*m.joints[0].at_to, ElementsAre(0, 0, 0.1));
  EXPECT_NEAR(m.joints[0].axis[0], -1, 1e-15) << "y of a body that is turned about z";
  ASSERT_EQ(m.elements.size(), 4U);
  EXPECT_EQ(m.elements[0].law, "0.1*rate") << "of the default class";
  EXPECT_NEAR(*m.elements[1].lower, -pi / 6, 1e-15);
  EXPECT_NEAR(*m.elements[1].upper, pi / 3, 1e-15);
  EXPECT_EQ(m.elements[2].law, "200*(s - (0.05)) + 2*rate");
  EXPECT_EQ(*m.elements[3].upper, 0.1);
  EXPECT_THAT(s.notes, Contains(HasSubstr("left out: actuator")));
  EXPECT_THAT(s.notes, Contains(HasSubstr("its gravity, 0 0 -9.81, is left out")));
}

TEST_F(Mjcf, MassesOfShapes) {
  const double r = 0.1, l = 0.3, ball = 4.0 / 3 * pi * r * r * r * 1000, tube = pi * r * r * l * 1000;
  const Body sphere = body_of("<geom size=\"0.1\"/>");
  EXPECT_NEAR(sphere.mass, ball, 1e-12);
  EXPECT_NEAR(sphere.inertia[1], 0.4 * ball * r * r, 1e-13);
  const Body cylinder = body_of("<geom type=\"cylinder\" size=\"0.1 0.15\" pos=\"1 0 0\"/>");
  EXPECT_NEAR(cylinder.inertia[2], 0.5 * tube * r * r, 1e-13);
  EXPECT_NEAR(cylinder.inertia[0], tube * (3 * r * r + l * l) / 12, 1e-13);
  EXPECT_THAT(cylinder.center, ElementsAre(1, 0, 0));
  const Body ellipsoid = body_of("<geom type=\"ellipsoid\" size=\"0.1 0.2 0.3\" mass=\"5\"/>");
  EXPECT_NEAR(ellipsoid.inertia[0], 5 * (0.04 + 0.09) / 5, 1e-15);
  const Body capsule =
      body_of("<geom type=\"capsule\" fromto=\"0 0 0 0.3 0 0\" size=\"0.1\" density=\"1000\"/>");
  EXPECT_NEAR(capsule.mass, ball + tube, 1e-12);
  EXPECT_NEAR(capsule.inertia[0], 0.5 * tube * r * r + 0.4 * ball * r * r, 1e-13) << "along x";
  EXPECT_THAT(capsule.center, ElementsAre(DoubleNear(0.15, 1e-15), 0, 0));
  // Two balls on a line: the theorem of Steiner.
  const Body two = body_of("<geom size=\"0.1\" pos=\"0 0 0\"/><geom size=\"0.1\" pos=\"1 0 0\"/>");
  EXPECT_NEAR(two.mass, 2 * ball, 1e-12);
  EXPECT_NEAR(two.inertia[2], 0.8 * ball * r * r + 2 * ball * 0.25, 1e-12);
}

TEST_F(Mjcf, OrientationsAreOneWayOrAnother) {
  const auto turned = [&](const std::string& how, const std::string& compiler = "") {
    return robot("<body name=\"b\" " + how + "><freejoint/><geom size=\"0.1\"/></body>", compiler)
        .bodies.at(0)
        .orientation;
  };
  const double h = std::sqrt(0.5);
  const auto quarter =
      ElementsAre(DoubleNear(h, 1e-15), DoubleNear(0, 1e-15), DoubleNear(0, 1e-15), DoubleNear(h, 1e-15));
  EXPECT_THAT(turned("euler=\"0 0 90\""), quarter);
  EXPECT_THAT(turned("axisangle=\"0 0 2 90\""), quarter);
  EXPECT_THAT(turned("quat=\"1 0 0 1\""), quarter);
  EXPECT_THAT(turned("xyaxes=\"0 2 0 -1 1 0\""), quarter);
  EXPECT_THAT(turned("euler=\"0 0 1.5707963267948966\"", "<compiler angle=\"radian\"/>"), quarter);
  // x, then the new y: x stays where the turn about y takes it, along -z turned about x to y.
  const auto both = turned("euler=\"90 90 0\"");
  const auto other = turned("euler=\"90 90 0\"", "<compiler eulerseq=\"XYZ\"/>");
  EXPECT_THAT(both, ElementsAre(DoubleNear(0.5, 1e-15), DoubleNear(0.5, 1e-15), DoubleNear(0.5, 1e-15),
                                DoubleNear(0.5, 1e-15)));
  EXPECT_THAT(other, ElementsAre(DoubleNear(0.5, 1e-15), DoubleNear(0.5, 1e-15), DoubleNear(0.5, 1e-15),
                                 DoubleNear(-0.5, 1e-15)));
}

TEST_F(Mjcf, FixHoldsWhatIsFree) {
  write("walker.xml", walker);
  const Joint mount = use("walker.xml", ", import: {fix: true}").mechanism->joints.at(0);
  EXPECT_EQ(mount.name, "r.torso_mount");
  EXPECT_EQ(mount.kind, JointKind::fixed);
  EXPECT_EQ(mount.from, on_ground);
  write("r.xml", "<mujoco><worldbody><body><joint/><geom size=\"1\"/></body></worldbody></mujoco>");
  EXPECT_THAT(use("r.xml", ", import: {fix: true}").notes, Contains(HasSubstr("nothing is free")));
}

TEST_F(Mjcf, SeveralJointsAreOne) {
  const auto joint = [&](const std::string& joints) {
    return robot("<body name=\"b\">" + joints + "<geom size=\"0.1\"/></body>").joints.at(0).kind;
  };
  EXPECT_EQ(joint("<joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/>"), JointKind::universal);
  EXPECT_EQ(joint("<joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/><joint axis=\"0 1 1\"/>"),
            JointKind::spherical);
  EXPECT_EQ(joint("<joint/><joint type=\"slide\"/>"), JointKind::cylindrical);
  EXPECT_EQ(joint("<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/><joint/>"),
            JointKind::planar);
  EXPECT_EQ(joint("<joint type=\"ball\"/>"), JointKind::spherical);
  EXPECT_EQ(joint(""), JointKind::fixed);
}

TEST_F(Mjcf, EqualitiesAreJoints) {
  const std::string bodies =
      "<body name=\"a\"><joint name=\"u\"/><geom size=\"0.1\"/></body>"
      "<body name=\"b\" pos=\"1 0 0\"><joint name=\"v\"/><geom size=\"0.1\"/></body>";
  const auto closed = [&](const std::string& equality) {
    return robot(bodies, "<equality>" + equality + "</equality>").joints.at(2);
  };
  const Joint connect = closed("<connect name=\"c\" body1=\"a\" body2=\"b\" anchor=\"0.5 0 0\"/>");
  EXPECT_EQ(connect.kind, JointKind::spherical);
  EXPECT_THAT(*connect.at_to, ElementsAre(-0.5, 0, 0));
  const Joint ground = closed("<connect body1=\"b\" anchor=\"0.5 0 0\"/>");
  EXPECT_EQ(ground.from, on_ground);
  EXPECT_EQ(ground.to, 1);
  EXPECT_THAT(*ground.at_to, ElementsAre(0.5, 0, 0));
  EXPECT_EQ(closed("<weld body1=\"a\" body2=\"b\"/>").kind, JointKind::fixed);
  EXPECT_THAT(closed("<joint joint1=\"u\" joint2=\"v\" polycoef=\"0 -2 0 0 0\"/>").teeth,
              ElementsAre(-2, -1));
}

TEST_F(Mjcf, Includes) {
  write("parts/leg.xml", "<mujoco><body name=\"leg\"><joint/><geom size=\"0.1\"/></body></mujoco>");
  const Mechanism m =
      robot("<body name=\"hip\"><geom size=\"0.2\"/><freejoint/><include file=\"parts/leg.xml\"/></body>");
  EXPECT_EQ(m.bodies.at(1).name, "r.leg");
  EXPECT_EQ(m.joints.at(0).from, 0);
}

TEST_F(Mjcf, ArmatureIsRefusedOrIgnored) {
  write("r.xml",
        "<mujoco><worldbody><body><joint armature=\"0.1\"/><geom size=\"1\"/></body></worldbody></mujoco>");
  EXPECT_THAT(faults("r.xml").at(0).remedy, HasSubstr("armature: ignore"));
  EXPECT_THAT(use("r.xml", ", import: {armature: ignore}").notes, Contains(HasSubstr("armature is ignored")));
}

struct Bad {
  const char *what, *by;
  const char* at;  ///< in the line that the message names
  const char *field, *problem, *remedy;
};

const Bad bad[] = {
    {"</mujoco>", "", "", "", "is no XML", ""},
    {"angle=\"degree\"", "angle=\"grad\"", "grad", "compiler.angle", "neither", ""},
    {"angle=\"degree\"", "eulerseq=\"xyw\"", "xyw", "compiler.eulerseq", "three of the letters", ""},
    {"angle=\"degree\"", "coordinate=\"global\"", "global", "compiler.coordinate", "global coordinates",
     "save it"},
    {"angle=\"degree\"", "settotalmass=\"3\"", "settotalmass", "compiler.settotalmass", "not scaled", ""},
    {"gravity=", "viscosity=\"0.1\" gravity=", "viscosity", "option.viscosity", "medium", "applied"},
    {"childclass=\"leg\"", "childclass=\"lag\"", "name=\"hip\"", "joint.class", "no default class",
     "did you mean `leg`"},
    {"<default class=\"leg\">", "<default>", "<default><joint", "default.class", "is missing", ""},
    {"type=\"box\" size=\"0.2 0.1 0.05\"", "type=\"box\" size=\"0.2 0.1\"", "0.2 0.1\"/", "torso.geom1.size",
     "is not 3 numbers", ""},
    {"type=\"box\" size=\"0.2 0.1 0.05\"", "type=\"box\" size=\"0.2 0 1\"", "0.2 0 1", "torso.geom1.size",
     "must be > 0", ""},
    {"type=\"box\" size=\"0.2 0.1 0.05\"", "type=\"cone\" size=\"1\"", "cone", "torso.geom1.type",
     "shape is not known", "known: sphere"},
    {"type=\"box\" size=\"0.2 0.1 0.05\"", "type=\"plane\" size=\"1 1 1\"", "1 1 1\"", "torso.geom1.type",
     "on the ground alone", ""},
    {"type=\"box\" size=\"0.2 0.1 0.05\"", "type=\"mesh\" mesh=\"m\"", "mesh=\"m\"", "torso.geom1.mesh",
     "no mesh of this name", ""},
    {"fromto=\"0 0 0 0 0 -0.4\"", "fromto=\"0 0 1 0 0 1\"", "0 0 1 0 0 1", "thigh.geom1.fromto",
     "has no length", ""},
    {"<freejoint name=\"root\"/>", "<joint type=\"screw\"/>", "screw", "torso_joint.type", "no such joint",
     "known: hinge"},
    {"<freejoint name=\"root\"/>", "<freejoint name=\"hip\"/>", "name=\"hip\" pos", "joint.name",
     "another joint", ""},
    {"name=\"foot\"", "name=\"torso\"", "\"0 0 -0.4\">", "body.name", "another body", "rename"},
    {"axis=\"0 0 1\" range", "axis=\"0 0 0\" range", "ankle", "ankle.axis", "no direction", ""},
    {"range=\"-0.1 0.1\"", "range=\"0.1 -0.1\"", "ankle", "ankle.range", "does not ascend", ""},
    {"stiffness=\"200\"", "stiffness=\"-1\"", "ankle", "ankle.stiffness", "is negative", ""},
    {"stiffness=\"200\"", "armature=\"0.1\"", "ankle", "ankle.armature", "of a rotor", "armature: ignore"},
    {"mass=\"0.5\"", "mass=\"-1\"", "diaginertia", "foot.inertial.mass", "must be > 0", ""},
    {"diaginertia=\"1e-3 2e-3 2e-3\"", "", "mass=\"0.5\"", "foot.inertial.diaginertia", "is missing", ""},
    {"diaginertia=\"1e-3 2e-3 2e-3\"", "fullinertia=\"1 1 1 2 0 0\"", "fullinertia",
     "foot.inertial.fullinertia", "not positive definite", ""},
    {"diaginertia=\"1e-3 2e-3 2e-3\"", "diaginertia=\"1e-3 2e-3 9e-3\"", "name=\"foot\"",
     "model.bodies.3.inertia", "triangle inequality", ""},
    {"<inertial pos=\"0 0 -0.1\" mass=\"0.5\" diaginertia=\"1e-3 2e-3 2e-3\" euler=\"0 0 90\"/>", "",
     "name=\"foot\"", "foot", "has no mass, and the joint `ankle`", ""},
    {"euler=\"0 0 90\" childclass", "quat=\"0 0 0 0\" childclass", "thigh", "thigh.quat", "no direction", ""},
    {"euler=\"0 0 90\" childclass", "quat=\"1 0 0 0\" euler=\"0 0 90\" childclass", "thigh", "thigh",
     "several times", "keep one"},
    {"<site", "<frame/><site", "<frame", "torso.frame", "not known here", "save it"},
    {"<site", "<plugin/><site", "<plugin", "torso.plugin", "plugins", ""},
    {"<site", "<include file=\"leg.xml\"/><site", "<include", "include.file", "no such file", ""},
    {"name=\"foot\"", "name=\"foot\" gravcomp=\"1\"", "foot", "foot.gravcomp", "without weight", "applied"},
    {"<actuator>", "<tendon><spatial stiffness=\"3\"/></tendon><actuator>", "<tendon", "tendon.stiffness",
     "pulls by itself", "spring"},
    {"<actuator>", "<equality><connect body1=\"fot\" anchor=\"0 0 0\"/></equality><actuator>", "<equality",
     "connect1.body1", "no body of this name", "did you mean `foot`"},
    {"<actuator>", "<equality><joint joint1=\"hip\" joint2=\"ankle\"/></equality><actuator>", "<equality",
     "hip.mimic", "only turns follow turns", ""},
    {"<actuator>", "<equality><joint joint1=\"hip\" polycoef=\"1\"/></equality><actuator>", "<equality",
     "polycoef", "ratio of two joints", ""},
    {"<actuator>", "<deformable><flex/></deformable><actuator>", "<deformable", "deformable",
     "not possible here", ""},
    {"<actuator>", "<muscles/><actuator>", "<muscles", "mujoco.muscles", "not known here", ""},
    {"<joint name=\"hip\" pos=\"0 0 0.1\"/>", "<joint name=\"hip\"/><joint name=\"hip2\" axis=\"1 0 0\"/>",
     "thigh", "hip", "single hinges", "small mass"},
    {"<joint name=\"hip\" pos=\"0 0 0.1\"/>", "<joint damping=\"0\"/><joint damping=\"0\" pos=\"1 0 0\"/>",
     "thigh", "thigh", "no joint known here", "small mass"},
};

TEST_F(Mjcf, BadFilesHaveTheirMessages) {
  for (const Bad& each : bad) {
    const std::string text = replaced(walker, each.what, each.by);
    write("r.xml", text);
    const std::vector<Fault> found = faults("r.xml");
    ASSERT_FALSE(found.empty()) << "accepted: " << each.by;
    const Fault& fault = found.front();
    EXPECT_THAT(fault.file, HasSubstr("r.xml")) << each.by;
    if (*each.at != 0) {
      EXPECT_EQ(fault.line, line_with(text, each.at)) << each.by << ": " << to_string(fault);
    }
    EXPECT_THAT(fault.field, HasSubstr(each.field)) << each.by;
    EXPECT_THAT(fault.problem, HasSubstr(each.problem)) << each.by;
    EXPECT_THAT(fault.remedy, HasSubstr(each.remedy)) << each.by;
    EXPECT_FALSE(fault.remedy.empty()) << each.by;
  }
}

}  // namespace
}  // namespace cosimo::config
