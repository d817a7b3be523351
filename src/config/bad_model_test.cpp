// Wrong models are refused with one fault each: its line, its field and words that help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

/// Lines of `model:`, the first is line 3 of the file; `settings` follow after it.
struct BadModel {
  const char* name;
  const char* model;
  int line;
  const char* field;
  const char* text;
  const char* settings = "";
};

#define PLANE "{name: p, kind: planar, mass: 1, inertia: 1}"
#define RIGID(name) "{name: " name ", kind: rigid, mass: 1, inertia: [1, 1, 1]}"
#define TWO "bodies: [" RIGID("a") ", " RIGID("b") ", {name: dot, kind: point, mass: 1}, " PLANE "]\n"
#define JOINT(text) TWO "  joints:\n    - {name: j, " text "}\n"
#define HINGE "{name: h, kind: revolute, to: a, at: [0, 0, 0]}"
#define BALL "{name: ball, kind: spherical, to: b, at: [0, 0, 0]}"
#define AFTER(text) TWO "  joints:\n    - " HINGE "\n    - " BALL "\n    - {name: j, " text "}\n"
#define ELEMENT(text) TWO "  elements:\n    - {name: e, " text "}\n"
#define SENSOR(text) TWO "  joints: [" HINGE ", " BALL "]\n  sensors:\n    - {name: s, " text "}\n"
#define PARAMETERS(text) "parameters: {" text "}\n  bodies: [{name: a, kind: point, mass: 1}]\n"
/// As many parentheses as a formula may have (numerics/formula.hpp), not one more.
#define DEEP(text) "(((((((((((((((((((((((((((((((" text ")))))))))))))))))))))))))))))))"

const BadModel bad_models[] = {
    {"LawInNoJoint", ELEMENT("kind: law, joint: rail, force: s"), 5, "model.elements.1.joint",
     "no joint of this name"},
    {"NoBodies", "bodies: []\n", 3, "model.bodies", "empty list"},
    {"TwoModels", "bodies: [" RIGID("a") "]\n  vehicle: {}\n", 4, "model.vehicle", "second description"},
    {"JointsAlone", "joints: [" HINGE "]\n", 3, "model.joints", "add `bodies`"},
    {"GravityOfAGenerator", "gravity: [0, 0, -1]\n  pendulum: {links: 2}\n", 3, "model.gravity",
     "complete by itself"},
    {"BodyWithoutMass", "bodies:\n    - {name: a, kind: point}\n", 4, "model.bodies.1.mass",
     "is missing (add `mass`: a number > 0)"},
    {"BodyWithoutKind", "bodies:\n    - {name: a, mass: 1}\n", 4, "model.bodies.1.kind", "is missing"},
    {"BodyOfUnknownKind", "bodies:\n    - {name: a, kind: rigit, mass: 1}\n", 4, "model.bodies.1.kind",
     "did you mean `rigid`"},
    {"BodyWithoutName", "bodies:\n    - {kind: point, mass: 1}\n", 4, "model.bodies.1.name", "is missing"},
    {"BodyNamedByANumber", "bodies:\n    - {name: 5, kind: point, mass: 1}\n", 4, "model.bodies.1.name",
     "begin the name with a letter"},
    {"BodyNamedGround", "bodies:\n    - {name: ground, kind: point, mass: 1}\n", 4, "model.bodies.1.name",
     "another name"},
    {"BodyTwice", "bodies:\n    - {name: a, kind: point, mass: 1}\n    - {name: a, kind: point, mass: 1}\n",
     5, "model.bodies.2.name", "line 4 already"},
    {"MassNegative", "bodies:\n    - {name: a, kind: point, mass: -1}\n", 4, "model.bodies.1.mass", "> 0"},
    {"MassNaN", "bodies:\n    - {name: a, kind: point, mass: .nan}\n", 4, "model.bodies.1.mass", "finite"},
    {"InertiaOfAPoint", "bodies:\n    - {name: a, kind: point, mass: 1, inertia: 1}\n", 4,
     "model.bodies.1.inertia", "not known here"},
    {"InertiaNegative", "bodies:\n    - {name: a, kind: rigid, mass: 1, inertia: [1, -1, 1]}\n", 4,
     "model.bodies.1.inertia.2", "> 0"},
    {"InertiaTriangle", "bodies:\n    - {name: a, kind: rigid, mass: 1, inertia: [1, 1, 3]}\n", 4,
     "model.bodies.1.inertia", "triangle inequality"},
    {"InertiaTriangleTurned",
     "bodies:\n    - {name: a, kind: rigid, mass: 1, inertia: [2, 2, 1.5, 1, 0, 0]}\n", 4,
     "model.bodies.1.inertia", "triangle inequality"},
    {"InertiaIndefinite", "bodies:\n    - {name: a, kind: rigid, mass: 1, inertia: [1, 1, 1, 2, 0, 0]}\n", 4,
     "model.bodies.1.inertia", "positive definite"},
    {"InertiaOfFourNumbers", "bodies:\n    - {name: a, kind: rigid, mass: 1, inertia: [1, 1, 1, 0]}\n", 4,
     "model.bodies.1.inertia", "4 entries"},
    {"InertiaOfThePlaneNegative", "bodies:\n    - {name: a, kind: planar, mass: 1, inertia: -1}\n", 4,
     "model.bodies.1.inertia", "> 0"},
    {"PositionOfOtherDimensions",
     "bodies:\n    - {name: a, kind: point, dimensions: 2, mass: 1, position: [1, 2, 3]}\n", 4,
     "model.bodies.1.position", "2 dimensions"},
    {"OrientationTwice",
     "bodies:\n    - {name: a, kind: rigid, mass: 1, inertia: [1, 1, 1], orientation: {euler: [0, 0, 0], "
     "angle: 1}}\n",
     4, "model.bodies.1.orientation", "several things"},
    {"QuaternionZero",
     "bodies:\n    - {name: a, kind: rigid, mass: 1, inertia: [1, 1, 1], orientation: {quaternion: [0, 0, 0, "
     "0]}}\n",
     4, "model.bodies.1.orientation.quaternion", "no direction"},
    {"GravityOfThePlaneInSpace", TWO "  gravity: [0, -9.81]\n", 4, "model.gravity", "3 dimensions"},

    {"ParameterUnknown", PARAMETERS("m: 2*L"), 3, "model.parameters.m", "unknown symbol 'L'"},
    {"ParameterLater", PARAMETERS("m: 2*L, L: 1"), 3, "model.parameters.m", "unknown symbol 'L'"},
    {"ParameterReserved", PARAMETERS("t: 1"), 3, "model.parameters.t", "another name"},
    {"ParameterNamedAsAFunction", PARAMETERS("asinh: 1"), 3, "model.parameters.asinh", "another name"},
    {"ParameterTwice", PARAMETERS("a: 1, a: 2"), 3, "model.parameters.a", "before"},
    {"ParameterNotFinite", PARAMETERS("a: 1/0"), 3, "model.parameters.a", "finite"},
    {"ParameterNamedBadly", PARAMETERS("a-b: 1"), 3, "model.parameters.a-b", "letter"},
    {"ParametersList", "parameters: [1]\n  bodies: [{name: a, kind: point, mass: 1}]\n", 3,
     "model.parameters", "is a list"},
    {"FormulaWithUnknownSymbol",
     "parameters: {mass_1: 2}\n  bodies:\n    - {name: a, kind: point, mass: 2*mass_2}\n", 5,
     "model.bodies.1.mass", "did you mean mass_1"},
    {"FormulaWithUnknownSymbolInAList",
     "parameters: {stiff: 2}\n  bodies:\n    - {name: a, kind: point, mass: 1, position: [0, 0, stif]}\n", 5,
     "model.bodies.1.position.3", "did you mean stiff"},
    {"FormulaNotWhole", "parameters: {n: 2.5}\n  pendulum: {links: 3*n}\n", 4, "model.pendulum.links",
     "whole number"},
    {"FormulaOutOfRange", "parameters: {n: 2}\n  pendulum: {links: 2 - n}\n", 4, "model.pendulum.links",
     "out of range"},

    {"JointToUnknownBody", JOINT("kind: revolute, from: a, to: c, at: [0, 0, 0]"), 5, "model.joints.1.to",
     "no body of this name"},
    {"SlideOfAPointOfThePlane",
     "bodies: [" PLANE ", {name: d, kind: point, dimensions: 2, mass: 1}]\n  joints:\n"
     "    - {name: j, kind: prismatic, from: p, to: d, at: [0, 0], axis: [1, 0]}\n",
     5, "model.joints.1.kind", "make the point mass a `planar` body"},
    {"JointToNearlyABody", JOINT("kind: spherical, from: a, to: dott, at: [0, 0, 0]"), 5, "model.joints.1.to",
     "did you mean `dot`"},
    {"JointToItself", JOINT("kind: revolute, from: a, to: a, at: [0, 0, 0]"), 5, "model.joints.1.to",
     "itself"},
    {"JointOfTheGround", JOINT("kind: revolute, at: [0, 0, 0]"), 5, "model.joints.1", "ground to itself"},
    {"JointNowhere", JOINT("kind: revolute, to: a"), 5, "model.joints.1.at", "is missing"},
    {"JointAtTwoPlaces", JOINT("kind: revolute, to: a, at: [0, 0, 0], at_to: [0, 0, 0]"), 5,
     "model.joints.1.at", "both sides"},
    {"JointWithoutDirection", JOINT("kind: revolute, to: a, at: [0, 0, 0], axis: [0, 0, 0]"), 5,
     "model.joints.1.axis", "no direction"},
    {"JointAtAPointOfThePlane", JOINT("kind: revolute, to: a, at: [0, 0]"), 5, "model.joints.1.at",
     "3 dimensions"},
    {"JointOutsideThePlane", JOINT("kind: revolute, to: p, at: [0, 0, 1]"), 5, "model.joints.1.at.3",
     "plane"},
    {"JointOfUnknownKind", JOINT("kind: hinge, to: a, at: [0, 0, 0]"), 5, "model.joints.1.kind",
     "`revolute`"},
    {"SlideAcrossThePlane", JOINT("kind: prismatic, to: p, at: [0, 0]"), 5, "model.joints.1.kind",
     "axis: [x, y]"},
    {"TiltedHingeOfThePlane", JOINT("kind: revolute, to: p, at: [0, 0], axis: [0, 1, 1]"), 5,
     "model.joints.1.axis", "only about z"},
    {"CylindricalInThePlane", JOINT("kind: cylindrical, to: p, at: [0, 0]"), 5, "model.joints.1.kind",
     "plane"},
    {"HingeOfAPoint", JOINT("kind: revolute, from: a, to: dot, at: [0, 0, 0]"), 5, "model.joints.1.kind",
     "`spherical`"},
    {"UniversalNotPerpendicular", JOINT("kind: universal, to: a, at: [0, 0, 0], second_axis: [1, 0, 1]"), 5,
     "model.joints.1.second_axis", "perpendicular"},
    {"DistanceZero", JOINT("kind: distance, from: a, to: b, length: 0"), 5, "model.joints.1.length", "> 0"},
    {"DistanceAtOnePoint", JOINT("kind: distance, from: a, to: b, at: [0, 0, 0]"), 5, "model.joints.1.at",
     "coincide"},
    {"CompliantWithoutRotation", JOINT("kind: revolute, to: a, at: [0, 0, 0], compliant: {stiffness: 1}"), 5,
     "model.joints.1.compliant", "rotational_stiffness"},
    {"JointNamedAsAnother",
     AFTER("kind: spherical, from: a, to: b, at: [0, 0, 0]}\n    - {name: j, kind: fixed, to: p, at: [0, 0]"),
     8, "model.joints.4.name", "line 7 already"},
    {"MotorOfNoJoint", AFTER("kind: motor, joint: k, angle: t"), 7, "model.joints.3.joint",
     "no joint of this name"},
    {"MotorOfABall", AFTER("kind: motor, joint: ball, angle: t"), 7, "model.joints.3.joint",
     "revolute or a prismatic"},
    {"MotorWithoutMotion", AFTER("kind: motor, joint: h"), 7, "model.joints.3.angle", "is missing"},
    {"MotorThatSlides", AFTER("kind: motor, joint: h, displacement: t"), 7, "model.joints.3.displacement",
     "`angle`"},
    {"MotorFormula", AFTER("kind: motor, joint: h, angle: sin(tt)"), 7, "model.joints.3.angle",
     "unknown symbol 'tt'"},
    {"MotorFormulaDeepWithAValue", "parameters: {k: 2}\n  " AFTER("kind: motor, joint: h, angle: " DEEP("k")),
     8, "model.joints.3.angle", "use fewer parentheses"},
    {"MotorFormulaOfState", AFTER("kind: motor, joint: h, angle: 2*x"), 7, "model.joints.3.angle",
     "unknown symbol 'x'"},
    {"MotorBreakpoints", AFTER("kind: motor, joint: h, angle: t, breakpoints: [2, 1]"), 7,
     "model.joints.3.breakpoints.2", "ascend"},
    {"MotorsOfOneJoint",
     AFTER("kind: motor, joint: h, angle: t}\n    - {name: m, kind: motor, joint: h, angle: t"), 8,
     "model.joints.4.joint", "another motor"},
    {"GearOfABall", AFTER("kind: gear, joints: [h, ball], teeth: [1, 2]"), 7, "model.joints.3.joints.2",
     "revolute"},
    {"GearOfOneJoint", AFTER("kind: gear, joints: [h, h], teeth: [1, 2]"), 7, "model.joints.3.joints.2",
     "two joints"},
    {"GearOfNoJoint", AFTER("kind: gear, joints: [h, bal], teeth: [1, 2]"), 7, "model.joints.3.joints.2",
     "did you mean `ball`"},

    {"GearWithoutTeeth",
     AFTER(
         "kind: revolute, to: b, at: [0, 0, 0]}\n    - {name: g, kind: gear, joints: [h, j], teeth: [0, 2]"),
     8, "model.joints.4.teeth.1", "not 0"},
    {"JointFromANumber", JOINT("kind: revolute, from: 3, at: [0, 0, 0]"), 5, "model.joints.1.from", "number"},
    {"JointAtAWord", JOINT("kind: revolute, to: a, at: [0, 0, there]"), 5, "model.joints.1.at.3",
     "not a number"},
    {"ElementToUnknownBody", ELEMENT("kind: spring, from: a, to: c, c: 1"), 5, "model.elements.1.to",
     "no body"},
    {"ElementToItself", ELEMENT("kind: spring, from: a, to: a, c: 1"), 5, "model.elements.1.to", "itself"},
    {"ElementWithAForeignKey", ELEMENT("kind: spring, from: a, to: b, stiffness: 1"), 5,
     "model.elements.1.stiffness", "not known here"},
    {"SpringAtTwoPlaces", ELEMENT("kind: spring, from: a, to: b, at: [0, 0, 0], at_to: [0, 0, 0]"), 5,
     "model.elements.1.at_to", "keep one"},
    {"TorsionOfAPoint", ELEMENT("kind: torsion, from: dot, to: a, c: 1"), 5, "model.elements.1.from",
     "does not turn"},
    {"BushingWithoutStiffness", ELEMENT("kind: bushing, from: a, to: b"), 5, "model.elements.1.stiffness",
     "is missing"},
    {"BushingNegative", ELEMENT("kind: bushing, from: a, to: b, stiffness: [1, 1, 1, -1, 1, 1]"), 5,
     "model.elements.1.stiffness.4", "negative"},
    {"BushingOfFive", ELEMENT("kind: bushing, from: a, to: b, stiffness: [1, 1, 1, 1, 1]"), 5,
     "model.elements.1.stiffness", "5 entries"},
    {"ContactOfTheGround", ELEMENT("kind: contact, body: ground, stiffness: 1"), 5, "model.elements.1.body",
     "itself"},
    {"AppliedNothing", ELEMENT("kind: applied, to: a"), 5, "model.elements.1", "applies nothing"},
    {"AppliedFormula", ELEMENT("kind: applied, to: a, force: [0, 0, 3*vxx]"), 5, "model.elements.1.force.3",
     "unknown symbol 'vxx'"},
    {"AppliedDeepWithAValue",
     "parameters: {k: -2}\n  " ELEMENT("kind: applied, to: a, force: [0, 0, " DEEP("k") "]"), 6,
     "model.elements.1.force.3", "use fewer parentheses"},
    {"AppliedDeepWithASwitch", ELEMENT("kind: applied, to: a, force: [0, 0, '" DEEP("x") " > 0']"), 5,
     "model.elements.1.force.3", "use fewer parentheses"},
    {"AppliedArguments", ELEMENT("kind: applied, to: a, force: [0, 0, \"atan2(x)\"]"), 5,
     "model.elements.1.force.3", "give 2; all functions: docs/formulas.md"},
    {"AppliedSyntax", ELEMENT("kind: applied, to: a, force: [0, 0, 3*(t]"), 5, "model.elements.1.force.3",
     "formula"},
    {"AppliedInOneDirection", ELEMENT("kind: applied, to: a, force: [t]"), 5, "model.elements.1.force",
     "3 formulas"},
    {"AngleWithoutAxis", ELEMENT("kind: applied, to: a, torque: [0, 0, -3*angle]"), 5,
     "model.elements.1.torque.3", "`angle` has no axis"},
    {"AngleOfAPoint", ELEMENT("kind: applied, to: dot, force: [angle, 0, 0]"), 5, "model.elements.1.force.1",
     "a point mass has no `angle`"},
    {"TorqueOnAPoint", ELEMENT("kind: applied, to: dot, torque: [t, 0, 0]"), 5, "model.elements.1.torque",
     "does not turn"},
    {"TableOfOnePoint", ELEMENT("kind: table, from: a, to: b, points: [[0, 1]]"), 5,
     "model.elements.1.points", "is no curve (write at least two points"},
    {"TableThatDoesNotAscend", ELEMENT("kind: table, from: a, to: b, points: [[0, 1], [1, 2], [1, 3]]"), 5,
     "model.elements.1.points.3.1", "is not larger than that of the point before"},
    {"TableWithAPointOfThree", ELEMENT("kind: table, from: a, to: b, points: [[0, 0, 1], [1, 1]]"), 5,
     "model.elements.1.points.1", "has 3 entries"},
    {"TableWithAPointThatIsNone", ELEMENT("kind: table, from: a, to: b, points: [[0, 1], [.nan, 2]]"), 5,
     "model.elements.1.points.2.1", "finite"},
    {"TableOfADisplacementWithoutAxis",
     ELEMENT("kind: table, from: a, to: b, measure: displacement, points: [[0, 1], [1, 2]]"), 5,
     "model.elements.1.measure", "needs the direction in which it is measured (add `axis: [x, y, z]`"},
    {"TableOfALengthWithAxis",
     ELEMENT("kind: table, from: a, to: b, axis: [1, 0, 0], points: [[0, 1], [1, 2]]"), 5,
     "model.elements.1.axis", "a length has no axis"},
    {"TableOfTheAngleOfAPoint",
     ELEMENT("kind: table, from: a, to: dot, measure: angle, points: [[0, 1], [1, 2]]"), 5,
     "model.elements.1.to", "a point mass does not turn"},
    {"FrictionWithoutLimit", ELEMENT("kind: friction, from: a, to: b, stiffness: 1"), 5,
     "model.elements.1.limit", "missing"},
    {"FrictionThatSlidesHarder",
     ELEMENT("kind: friction, from: a, to: b, stiffness: 1, limit: 2, sliding: 3"), 5,
     "model.elements.1.sliding", "is more than `limit`"},
    {"StribeckWithoutSliding",
     ELEMENT("kind: friction, from: a, to: b, stiffness: 1, limit: 2, stribeck: 0.1"), 5,
     "model.elements.1.stribeck", "add `sliding`"},
    {"StribeckAtNoSpeed",
     ELEMENT("kind: friction, from: a, to: b, stiffness: 1, limit: 2, sliding: 1, stribeck: 0"), 5,
     "model.elements.1.stribeck", "> 0"},
    {"StribeckExponentAlone",
     ELEMENT("kind: friction, from: a, to: b, stiffness: 1, limit: 2, stribeck_exponent: 1"), 5,
     "model.elements.1.stribeck_exponent", "there is no `stribeck`"},
    {"StopWithRestitutionAndDamping",
     ELEMENT("kind: stop, from: a, to: b, stiffness: 1, lower: 0, restitution: 0.5, damping: 1"), 5,
     "model.elements.1.damping", "follows from `restitution`"},
    {"StopThatThrowsBackFaster",
     ELEMENT("kind: stop, from: a, to: b, stiffness: 1, lower: 0, restitution: 1.5"), 5,
     "model.elements.1.restitution", "<= 1"},
    {"StartOfABall", JOINT("kind: spherical, to: a, at: [0, 0, 0], start: {angle: 1}"), 5,
     "model.joints.1.start", "has no one coordinate"},
    {"StartOfASlideByAngle", JOINT("kind: prismatic, to: a, at: [0, 0, 0], start: {angle: 1}"), 5,
     "model.joints.1.start.angle", "write `displacement`"},
    {"StartOfAHingeByAngularSpeed", JOINT("kind: revolute, to: a, at: [0, 0, 0], start: {angular_speed: 1}"),
     5, "model.joints.1.start.angular_speed", "write `speed`"},
    {"StartBeyondHalfATurn", JOINT("kind: revolute, to: a, at: [0, 0, 0], start: {angle: 4}"), 5,
     "model.joints.1.start.angle", "more than half a turn"},
    {"StartOfADrivenJoint",
     TWO "  joints:\n    - {name: j, kind: revolute, to: a, at: [0, 0, 0], start: {angle: 1}}\n"
         "    - {name: m, kind: motor, joint: j, angle: t}\n",
     5, "model.joints.1.start", "the motor `m` says where"},
    {"StopWithoutBound", ELEMENT("kind: stop, from: a, to: b, stiffness: 1"), 5, "model.elements.1",
     "has no bound (add `lower`, `upper` or `gap`)"},
    {"StopWithANegativeGap", ELEMENT("kind: stop, from: a, to: b, stiffness: 1, gap: -1"), 5,
     "model.elements.1.gap", ">= 0"},
    {"StopAtNoNumber", ELEMENT("kind: stop, from: a, to: b, stiffness: 1, lower: .nan"), 5,
     "model.elements.1.lower", "finite"},
    {"StopWithTwoLowerBounds", ELEMENT("kind: stop, from: a, to: b, stiffness: 1, lower: 1, gap: 1"), 5,
     "model.elements.1.gap", "`lower` already says where it touches"},
    {"StopUpsideDown", ELEMENT("kind: stop, from: a, to: b, stiffness: 1, lower: 1, upper: 0"), 5,
     "model.elements.1.upper", "is not above `lower`"},
    {"SensorOfUnknownKind", SENSOR("kind: length, from: a"), 6, "model.sensors.1.kind", "`distance`"},
    {"SensorOfUnknownBody", SENSOR("kind: distance, from: c"), 6, "model.sensors.1.from", "no body"},
    {"SensorOfTheGround", SENSOR("kind: position, body: ground"), 6, "model.sensors.1.body", "does not move"},
    {"SensorWithoutDirection", SENSOR("kind: speed, body: a, direction: [0, 0, 0]"), 6,
     "model.sensors.1.direction", "no direction"},
    {"SensorOfUnknownJoint", SENSOR("kind: angle, joint: hh"), 6, "model.sensors.1.joint",
     "name one of `joints`"},
    {"SensorOfABall", SENSOR("kind: angle, joint: ball"), 6, "model.sensors.1.joint",
     "a spherical joint has no angle"},
    {"SensorOfAHingeThatSlides", SENSOR("kind: displacement, joint: h"), 6, "model.sensors.1.joint",
     "write kind `angle`"},
    {"SensorOfTwoSpeeds", SENSOR("kind: speed, joint: h, body: a"), 6, "model.sensors.1",
     "says several things"},
    {"SensorOfNoSpeed", SENSOR("kind: speed"), 6, "model.sensors.1", "write `joint` or `body`"},
    {"SensorOfUnknownElement", SENSOR("kind: force, of: spring"), 6, "model.sensors.1.of",
     "no element, joint, rope or contact"},
    {"SensorOfThePowerOfAJoint", SENSOR("kind: power, of: h"), 6, "model.sensors.1.of", "has no power"},
    {"SensorWithADot", SENSOR("kind: angle, joint: h}\n    - {name: s.t, kind: angle, joint: h"), 7,
     "model.sensors.2.name", "has a dot"},
    {"SensorTwice", SENSOR("kind: angle, joint: h}\n    - {name: s, kind: angle, joint: h"), 7,
     "model.sensors.2.name", "has the same name"},
    {"SensorFormulaOfUnknownSymbol", SENSOR("kind: formula, formula: 2*gap"), 6, "model.sensors.1.formula",
     "unknown symbol 'gap'"},
    {"SensorFormulaOfUnknownBody", SENSOR("kind: formula, formula: 2*c.x"), 6, "model.sensors.1.of.1",
     "no body or joint of this name"},
    {"SensorFormulaOfUnknownCoordinate", SENSOR("kind: formula, formula: a.phi + h.angle"), 6,
     "model.sensors.1.of.1", "write `a.x`, `a.y`, `a.z`"},
    {"SensorFormulaOfLaterSensor", SENSOR("kind: formula, formula: 2*ref1, of: [u]"), 6,
     "model.sensors.1.of.1", "no sensor of this name before"},
    {"SensorsOfAChain", "chain: {masses: 3, mass: 1, spring: {c: 1}}\n  sensors: []\n", 4, "model.sensors",
     "belongs to a model with `bodies`"},
    {"SignalOfAForce", SENSOR("kind: force, of: h"), 8, "connections.1.from", "it is recorded, and no signal",
     "connections: [{from: s, to: a.Fx}]\n"},
    {"UserWithoutFunction", ELEMENT("kind: user, to: a, library: f.so"), 5, "model.elements.1.function",
     "is missing"},
    {"IncludeOfANumber", "include: {a: 1}\n  bodies: [{name: a, kind: point, mass: 1}]\n", 3, "model.include",
     "is a section"},

    {"PendulumList", "pendulum: {links: 3, angle: [1, 2]}\n", 3, "model.pendulum.angle", "3 links"},
    {"PendulumMass", "pendulum: {links: 3, mass: 0}\n", 3, "model.pendulum.mass", "> 0"},
    {"PendulumMinimalInSpace", "pendulum: {links: 3, formulation: minimal, joint: spherical}\n", 3,
     "model.pendulum.formulation", "only planar pendulums"},
    {"PendulumMinimalCompliant", "pendulum: {links: 3, formulation: minimal, compliant: {stiffness: 1}}\n", 3,
     "model.pendulum.compliant", "absolute"},
    {"LatticeSpringList", "lattice: {size: [3, 3], mass: 1, spring: {c: [1, 2]}}\n", 3,
     "model.lattice.spring.c", "lists are not possible"},
    {"LatticeTooLarge", "lattice: {size: [1e5, 1e5], mass: 1, spring: {c: 1}}\n", 3, "model.lattice.size",
     "masses"},
    {"LatticeDiagonals", "lattice: {size: [3], mass: 1, spring: {c: 1}, diagonals: true}\n", 3,
     "model.lattice.diagonals", "coordinates: space"},
    {"LatticeInitial",
     "lattice: {size: [2, 2], coordinates: space, mass: 1, spring: {c: 1}, initial: {x: [1, 2, 3, 4]}}\n", 3,
     "model.lattice.initial.x", "8 coordinates"},
    {"LatticeStart", "lattice: {size: [2, 2], mass: 1, spring: {c: 1}}\n  start: {}\n", 4, "model.start",
     "leave it out"},
    {"NetworkNeighbours", "network: {masses: 3, neighbours: 4, spring: {c: 1}}\n", 3,
     "model.network.neighbours", "2 others"},
    {"VehicleInertia", "vehicle: {chassis: {inertia: [1, 1, 5]}}\n", 3, "model.vehicle.chassis.inertia",
     "triangle inequality"},

    {"CutOfUnknownElement", ELEMENT("kind: spring, from: a, to: b, c: 1"), 7, "partition.cuts.1",
     "no element of this name", "partition: {cuts: [spring]}\n"},
    {"CutOfAConstraint", AFTER("kind: fixed, from: a, to: b, at: [0, 0, 0]"), 9, "partition.cuts.1",
     "compliant", "partition: {cuts: [h]}\n"},
    {"CutBeyondTheElements", ELEMENT("kind: spring, from: a, to: b, c: 1"), 7, "partition.fix.1",
     "from 1 to 1", "partition: {fix: [2]}\n"},
    {"CutForbidden", ELEMENT("kind: spring, from: a, to: b, c: 1"), 7, "partition.add.1", "forbidden",
     "partition: {add: [e], forbid: [e]}\n"},
    {"WishesWithManualCuts", ELEMENT("kind: spring, from: a, to: b, c: 1"), 7, "partition.forbid",
     "names all cuts", "partition: {cuts: [e], forbid: [1]}\n"},
    {"NameOfAChain", "chain: {masses: 3, mass: 1, spring: {c: 1}}\n", 5, "partition.cuts.1", "have no names",
     "partition: {cuts: [e]}\n"},
    {"DecompositionOfUnknownElement", ELEMENT("kind: spring, from: a, to: b, c: 1"), 8,
     "couple.decomposition.1.cut", "there is no element of this name",
     "partition: {cuts: [e]}\ncouple: {scheme: explicit, decomposition: [{cut: f, kind: force-force}]}\n"},
};

void PrintTo(const BadModel& bad, std::ostream* out) {
  *out << bad.name;
}

class BadModels : public ::testing::TestWithParam<BadModel> {};

TEST_P(BadModels, AreRefusedWithLineFieldAndRemedy) {
  const BadModel& bad = GetParam();
  const std::string text =
      "cosimo: 1\nmodel:\n  " + std::string(bad.model) + "simulate: {end: 1}\n" + bad.settings;
  try {
    parse_scenario(text, "bad.yaml", {});
    FAIL() << text << "was accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U) << error.what();
    const Fault& fault = error.faults().front();
    EXPECT_EQ(fault.file, "bad.yaml");
    EXPECT_EQ(fault.line, bad.line) << error.what();
    EXPECT_EQ(fault.field, bad.field) << error.what();
    EXPECT_FALSE(fault.remedy.empty()) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(bad.text));
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, BadModels, ::testing::ValuesIn(bad_models),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(BadRecord, NamesAreChecked) {
  const std::string text = "cosimo: 1\nmodel:\n  " TWO "simulate: {end: 1, record: [a, dod]}\n";
  try {
    parse_scenario(text, "bad.yaml", {});
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U) << error.what();
    EXPECT_EQ(error.faults()[0].field, "simulate.record.2");
    EXPECT_THAT(error.what(), HasSubstr("did you mean `dot`"));
  }
}

}  // namespace
}  // namespace cosimo::config
