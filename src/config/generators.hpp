// Models that a generator makes of a few numbers, as plain structs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "config/choices.hpp"
#include "config/mechanism.hpp"
#include "core/load_spec.hpp"

namespace cosimo::config {

struct Chain {
  std::int64_t masses = 0;
  Sequence mass = 1.0;
  Sequence c = 0.0, d = 0.0, C = 0.0, D = 0.0;
  double ex = 3, ev = 3;
  Sequence x = 0.0, v = 0.0;
  std::array<End, 2> ends{End::fixed, End::fixed};
  std::uint64_t seed = 0;
  std::vector<LoadSpec> loads;
};

/// Law (2.9) of many springs.
struct SpringLaw {
  Sequence c = 0.0, d = 0.0, C = 0.0, D = 0.0;
  double ex = 3, ev = 3;
};

/// Some joints as stiff force elements, so that the model can be cut there.
struct EveryNth : Compliance {
  std::int64_t every = 1;
};

/// N links that hang one below the other from a fixed point; gravity along -y in the plane, -z in space.
/// Bodies are named link1, link2, ..., joints joint1 (at the ground), joint2, ...
struct Pendulum {
  std::int64_t links = 0;
  Sequence length = 1.0, mass = 1.0;  ///< one per link
  Formulation formulation = Formulation::absolute;
  LinkJoint joint = LinkJoint::revolute;
  LinkBody body = LinkBody::point;
  std::int64_t dimensions = 2;      ///< 2: in the plane | 3: in space
  Sequence angle = 0.0;             ///< of each link from the downward vertical, towards +x
  Sequence angular_velocity = 0.0;  ///< of each link
  double damping = 0;               ///< torque per relative angular velocity in every joint
  double gravity = 9.81;
  std::uint64_t seed = 0;  ///< of `uniform` sequences
  /// Joints n+1, 2n+1, ...: the one at the ground stays a constraint.
  std::optional<EveryNth> compliant;
};

/// Point masses on a grid, each joined to its neighbours along the axes. Body (i, j, k) has the number
/// 1 + i + nx (j + ny k), i from 0.
struct Lattice {
  std::vector<std::int64_t> size;  ///< [nx], [nx, ny] or [nx, ny, nz]
  Coordinates coordinates = Coordinates::scalar;
  Sequence mass = 1.0;
  SpringLaw spring;           ///< no lists
  double spacing = 1;         ///< of the grid, and unstretched length of the springs (space)
  Sequence x = 0.0, v = 0.0;  ///< initial displacement and velocity; space: one per coordinate
  bool diagonals = false;     ///< also joined along the diagonals of the squares (keeps a grid from folding)
  End ends = End::fixed;      ///< fixed: a spring to a wall at both ends of every row
  std::uint64_t seed = 0;
  std::vector<LoadSpec> loads;  ///< as in `chain`; space: along x
};

/// Point masses at random places, joined to random neighbours nearby; springs are unstretched as placed
/// (003, Section 3.2: linear spring along the line, damper of the whole relative velocity).
struct Network {
  std::int64_t masses = 0;
  double neighbours = 4;  ///< mean number of springs at a mass; the graph is connected
  std::int64_t dimensions = 3;
  Sequence mass = 1.0;     ///< one per mass
  Sequence c = 0.0;        ///< stiffness; no lists
  Sequence d = 0.0;        ///< damping; no lists
  double radius = 1;       ///< masses lie in a square or cube of this half edge
  Sequence v = 0.0;        ///< initial velocities, one per coordinate
  std::int64_t fixed = 0;  ///< so many masses, spread over the network, are joined to the ground, too
  double gravity = 0;      ///< along the last axis, downwards
  std::uint64_t seed = 0;
};

/// The mechanism of n four-bar loops: n + 1 upright bars stand on the ground at distances of their length, n
/// couplers join their upper ends one after the other. One freedom, whatever the number of loops; with
/// gravity along -y and the upper ends starting along x with 1 m/s this is a known benchmark. Uprights are
/// named upright1, ..., couplers coupler1, ...
struct FourBars {
  std::int64_t loops = 1;
  double length = 1;    ///< of every bar
  double mass = 1;      ///< of every bar, uniform
  double velocity = 1;  ///< initial speed of the upper ends
  double gravity = 9.81;
  std::int64_t dimensions = 2;        ///< 2: planar bodies | 3: rigid bodies, redundant constraints
  std::optional<EveryNth> compliant;  ///< couplers whose joint to the upright before them is compliant
};

/// A road vehicle: a rigid chassis on axles of two wheels each, guided by joints or bushings, carried by
/// springs and dampers that are preloaded to balance the weight as placed, wheels with penalty contact on a
/// rough road. x is forwards, z upwards.
struct Vehicle {
  struct Body {
    double mass = 0;
    Vector inertia{};  ///< xx, yy, zz about the centre of mass
  };
  struct Suspension {
    double stiffness = 0, damping = 0;  ///< of one wheel's spring and damper
    double length = 0;                  ///< unstretched, and as placed
  };
  struct Tyre {
    double radius = 0, stiffness = 0, damping = 0, friction = 0;
    double slip = 0;  ///< speed above which friction acts in full
  };
  struct Road {
    double roughness = 1e-6;  ///< power spectral density of the heights at 1 rad/length (ISO 8608)
    double length = 100;      ///< longest wave
    std::int64_t waves =
        50;  ///< their number, wavelengths spread evenly in the logarithm down to length/1000
    std::uint64_t seed = 0;
  };
  std::int64_t axles = 2;
  double wheelbase = 2.7;  ///< from the first to the last axle
  double track = 1.5;      ///< between the wheels of an axle
  double height = 0.6;     ///< of the chassis' centre of mass above the road
  Body chassis{1200, {500, 2000, 2200}};
  Body wheel{40, {1, 1.6, 1}};  ///< with its share of the suspension
  Suspension suspension{25e3, 2e3, 0.5};
  Tyre tyre{0.3, 2e5, 0.02, 0, 0.01};  ///< wheels do not turn: friction brakes
  Road road;
  double speed = 20;
  double gravity = 9.81;
  /// Guides of the wheels as bushings instead of prismatic joints, so that the vehicle can be cut there.
  std::optional<Compliance> compliant;
};

}  // namespace cosimo::config
