// A model given by its bodies, joints and force elements, as plain structs.
// multibody/mechanism_translate.hpp makes a Mechanism of it.
//
// Points are given either in space as everything is placed at t = 0 (`at`), or in a body's own reference
// axes, from its reference point (`at_from`, `at_to`); on the ground both are the same. Directions are given
// along the global axes at t = 0. Vectors of the plane have a third component 0.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/choices.hpp"
#include "core/solid_shape.hpp"

namespace cosimo::config {

using Vector = std::array<double, 3>;

/// Where something stands, for messages: Scenario::sources[source], line.
struct Place {
  int source = 0, line = 0, column = 0;
};

inline constexpr std::int32_t on_ground = -1;  ///< in place of a body's number

struct Body {
  std::string name;
  BodyKind kind = BodyKind::rigid;
  std::int64_t dimensions = 3;  ///< of a point mass: 1, 2, 3
  double mass = 0;
  /// Tensor about the centre of mass along the reference axes: xx, yy, zz, xy, xz, yz (xy = -integral of x y
  /// dm); planar bodies: zz alone.
  std::array<double, 6> inertia{};
  Vector center{};    ///< centre of mass from the reference point, reference axes
  Vector position{};  ///< of the reference point
  std::array<double, 4> orientation{1, 0, 0,
                                    0};  ///< unit quaternion w, x, y, z of the reference axes (rigid)
  double angle = 0;                      ///< the same in the plane
  Vector velocity{};                     ///< of the reference point
  Vector angular_velocity{};             ///< along global axes; planar bodies: the third component
  /// The file has them; else they are zero only as far as the joints allow it.
  bool velocity_given = false, angular_velocity_given = false;
  std::shared_ptr<const SolidShape> shape;  ///< null: mass and inertia are given
  Place place;
};

/// A joint made a stiff force element of the same name.
struct Compliance {
  double stiffness = 0, damping = 0;                        ///< of blocked translations
  double rotational_stiffness = 0, rotational_damping = 0;  ///< of blocked rotations
};

/// Where a joint begins, from its placement. `angular_speed` is that of the angle, of a revolute joint as
/// well.
struct JointStart {
  double angle = 0, displacement = 0, angular_speed = 0, speed = 0;
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::revolute;
  std::int32_t from = on_ground, to = on_ground;  ///< numbers of bodies from 0
  /// At least one of them is given. A side whose point is not given has the point of `at`, or of the other
  /// side as both are placed; sides of a distance: the reference point (the ground: the origin).
  std::optional<Vector> at, at_from, at_to;
  Vector axis{0, 0, 1};               ///< of rotation and translation; normal of a planar joint
  std::optional<Vector> second_axis;  ///< universal: axis on `to`; absent: any perpendicular one
  std::optional<double> length;       ///< distance; absent: as placed
  std::optional<Compliance> compliant;
  std::optional<JointStart> start;

  std::int32_t joint = -1;   ///< motor: number of the joint it drives, from 0
  std::string motion;        ///< motor: angle or displacement as a formula of t, or a rate of them
  int motion_integrals = 0;  ///< motor: 1: `motion` is the speed, 2: the acceleration
  double motion_start = 0, motion_rate = 0;  ///< motor: angle or displacement, and its speed, at t = 0
  std::vector<double> breakpoints;           ///< motor: ascending instants where it may jump

  std::array<std::int32_t, 2> joints{-1, -1};  ///< gear: numbers of joints from 0
  std::array<std::int64_t, 2> teeth{};         ///< gear: teeth[0] phi_1 + teeth[1] phi_2 = const
  Place place;
};

/// A rough road: height + sum of amplitude sin(2 pi x / wavelength + phase).
struct RoadWave {
  double amplitude = 0, wavelength = 1, phase = 0;
};

/// See mechanics/cylinder_element.hpp.
struct Cylinder {
  double retracted = 0, stroke = 0;
  std::array<double, 2> area{};
  std::optional<std::array<double, 2>> dead, pressures;
  double bulk = 0, leakage = 0, supply = 0, tank = 0, flow = 0, drop = 0;
  std::string command;
  std::optional<double> stop_stiffness;
  double stop_damping = 0;
};

/// See tyre/spec.hpp.
struct Tyre {
  TyreModel model = TyreModel::brush;
  std::string file;    ///< absolute; pacejka
  std::string ground;  ///< a plane; empty: the road of the element
  double radius = 0, stiffness = 0, damping = 0, friction = 0, tread = 0, patch = 0, load = 0;
  double rolling_resistance = 0, grip = 1;
  std::vector<std::array<double, 2>> points{};  ///< instead of `stiffness`
  std::optional<double> slow;
  std::optional<std::array<double, 2>> relaxation;
  bool mirrored = false, axis_given = false;
};

struct Element {
  std::string name;
  ElementKind kind = ElementKind::spring;
  std::int32_t from = on_ground, to = on_ground;  ///< contact: `to` is the body
  /// Sides whose point is not given: the reference point (the ground: the origin); torsion: it does not
  /// matter.
  std::optional<Vector> at, at_from, at_to;

  double c = 0, d = 0, C = 0, D = 0, ex = 3, ev = 3;  ///< spring, torsion: law (2.9); friction, table: d
  std::optional<double> length;                       ///< spring: unstretched; absent: as placed
  bool vector_damping = false;  ///< spring: the damper d acts on the whole relative velocity
  bool tension_only = false;    ///< spring: a rope
  Vector axis{0, 0, 1};  ///< torsion; applied: of `angle`; friction, stop, table: of displacement or angle
  double angle = 0;      ///< torsion: unloaded rotation of `to` against `from`, from their placement

  std::array<double, 6> stiffness{}, damping{};  ///< bushing: translations, rotations, along `axes`
  std::array<double, 4> axes{1, 0, 0, 0};        ///< bushing: quaternion of its axes at t = 0

  Measure measure = Measure::length;            ///< friction, stop, table, law: what it acts on
  std::int32_t joint = -1;                      ///< likewise: the joint that it acts in, from 0
  std::vector<std::array<double, 2>> points{};  ///< table: (s, force), s ascending

  double law_stiffness = 0;           ///< friction: of sticking; stop: as of a contact
  std::optional<double> law_damping;  ///< likewise
  double limit = 0;                   ///< friction: largest force of sticking
  std::optional<double> sliding;      ///< friction: force of sliding; absent: `limit`
  double stribeck = 0;                ///< friction: speed over which it falls to that; 0: at once
  double stribeck_exponent = 2;
  std::optional<double> restitution;        ///< stop: instead of damping
  std::optional<double> lower, upper, gap;  ///< stop: at least one

  /// contact, see mechanics/elements.hpp; exponent: stop too
  double radius = 0, contact_stiffness = 0, contact_damping = 0, exponent = 1, friction = 0, slip = 1e-2;
  double road_height = 0;
  std::vector<RoadWave> waves;

  std::array<std::string, 3> force, torque;  ///< applied: formulas on `to` along global axes; empty: zero
  std::string law;                           ///< law: formula of t, s and rate
  std::vector<double> breakpoints;           ///< applied, law: ascending instants where they may jump

  std::array<std::int32_t, 2> joints{-1, -1};  ///< gear_mesh: those of its wheels, `from` and `to`
  std::array<std::int64_t, 2> teeth{};         ///< gear_mesh: negative for a ring
  std::shared_ptr<const Cylinder> cylinder;
  std::shared_ptr<const Tyre> tyre;  ///< `to` is the wheel, the road is that of a contact

  std::string library, function;  ///< user: file (absolute) and symbol
  std::vector<double> values;     ///< user: handed to the function
  Place place;
};

/// Something that is fixed to the ground.
struct GroundShape {
  std::string name;
  Vector position{};
  std::array<double, 4> orientation{1, 0, 0, 0};
  std::shared_ptr<const SolidShape> shape;  ///< null: all that is below a plane
  Vector normal{0, 0, 1};                   ///< of the plane, along the reference axes
  Place place;
};

/// Shapes are numbered from 0: those of the bodies, then those of the ground.
struct Contact {
  std::string name;
  std::array<std::vector<std::int32_t>, 2> sides;  ///< ascending; all of one may touch all of the other
  double stiffness = 0, exponent = 1.5, damping = 0, friction = 0, slip = 1e-2, spacing = 0;
  bool sticking = false;
  double sticking_stiffness = 0;
  std::optional<double> sticking_damping;
  Place place;
};

/// A point that a rope passes, or where it ends: of a body, see Element.
struct RopeStation {
  std::int32_t body = on_ground;
  std::optional<Vector> at, at_body;
  double radius = 0;
  int sense = 0;  ///< of a pulley or drum: 1 counterclockwise about `axis`, -1 clockwise
  Vector axis{0, 0, 1};
  std::int64_t turns = 0;
  std::optional<double> friction;  ///< none: nothing slips
};

struct Rope {
  std::string name;
  std::vector<RopeStation> path;
  bool closed = false;
  double stiffness = 0, damping = 0, tension = 0;
  std::optional<double> length;
  std::string pay_out = "0";
  std::vector<double> breakpoints;
  Place place;
};

/// What is measured (mechanics/sensor.hpp).
struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::distance;
  std::int32_t from = on_ground, to = on_ground;  ///< distance; `to`: the body of a point as well
  std::optional<Vector> at_from, at_to;           ///< absent: the reference point
  std::optional<Vector> direction;
  std::int32_t joint = -1;                  ///< angle, displacement, speed: of a joint
  Measure measure = Measure::displacement;  ///< speed: of a cylindrical joint
  std::string of;                           ///< force, torque, power
  std::string formula;                      ///< of t, ref1, ref2, ...
  std::vector<std::string> known;           ///< what these are (config/sensors.hpp)
  Place place;
};

/// Elements are numbered from 1 in the order of `elements`; compliant joints follow in the order of `joints`.
struct Mechanism {
  Vector gravity{};
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Element> elements;
  std::vector<GroundShape> ground;
  std::vector<Contact> contacts;
  std::vector<Rope> ropes;
  std::vector<Sensor> sensors;
};

/// Whether initial states that contradict the joints are projected onto them.
enum class Assemble {
  nearby,  ///< where that moves them little
  always,
  never
};

/// How a mechanism starts.
struct Start {
  bool equilibrium = false;  ///< at rest on its springs; initial velocities are kept
  Assemble assemble = Assemble::nearby;
};

}  // namespace cosimo::config
