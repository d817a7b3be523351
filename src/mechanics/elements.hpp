// The force elements. Markers give points and axes on the bodies; a spec gives the law.
//
//   spring    along the line between two points: law (2.9) in the elongation, or with damping of the whole
//             relative velocity, as in networks of point masses
//   torsion   about the z axis of the `from` marker, law (2.9) in the angle
//   bushing   six components along the axes of the `from` marker, each with a law (2.9); those without one
//             are free. A joint made compliant is one
//   contact   penalty of a sphere on the body against the ground: a plane or a rough road
//   friction  dry friction that sticks, along a length, a displacement or an angle
//   stop      a buffer beyond bounds of a length, a displacement or an angle
//   table     a law given by points, of a length, a displacement or an angle
//   applied   force and torque as formulas of time and state
//   user      whatever a shared library computes
//
// Elastic parts are derived from a potential, damping takes energy away, action and reaction balance. Throw
// Error for what only they can see (a formula, a library); values are checked where the file is read.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanics/along.hpp"
#include "mechanics/force_element.hpp"
#include "numerics/curve.hpp"
#include "numerics/monotone_cubic.hpp"

namespace cosimo {

/// F = c s + d s' + C sgn(s) |s|^ex + D sgn(s') |s'|^ev, (2.9).
struct PowerLaw {
  double c = 0, d = 0, C = 0, D = 0, ex = 3, ev = 3;
};

/// A spring whose ends meet has no direction: its effort is then refused, unless `length` is zero. With
/// length zero and no nonlinear terms it is a vector spring, c times the way between the points.
struct SpringSpec {
  PowerLaw law;
  double length = 0;  ///< unstretched
  /// The linear damper acts on the whole relative velocity, not along the line alone, as in networks of point
  /// masses. Between bodies that turn: on the velocity relative to the mean of both rotations, with half of
  /// the moment on either, so that a common rotation costs nothing.
  bool vector_damping = false;
};
std::unique_ptr<ForceElement> make_spring(std::string name, const Marker& from, const Marker& to,
                                          const SpringSpec& spec);

/// The angle is the one of the `to` x axis, seen along the `from` z axis, with all turns. Where nobody keeps
/// its memory its deviation from `angle` lies between -pi and pi, and a run in which it jumps ends.
struct TorsionSpec {
  PowerLaw law;
  double angle = 0;    ///< unloaded
  bool turns = false;  ///< it remembers them: one of the bodies is in space
};
std::unique_ptr<ForceElement> make_torsion(std::string name, const Marker& from, const Marker& to,
                                           const TorsionSpec& spec);

/// Translations x, y, z along the axes of the `from` marker, then rotations about them: the components of the
/// rotation vector of `to` against `from`, smooth up to half a turn. Where z has no law the body may turn
/// about it any number of times, and x and y measure the tilt of the z axes instead.
struct BushingSpec {
  std::array<PowerLaw, 6> law{};
};
std::unique_ptr<ForceElement> make_bushing(std::string name, const Marker& from, const Marker& to,
                                           const BushingSpec& spec);

/// The ground below a contact, height + sum of amplitude sin(2 pi x / wavelength + phase); z is upwards, in
/// planar models y.
struct Road {
  double height = 0;
  struct Wave {
    double amplitude = 0, wavelength = 1, phase = 0;
  };
  std::vector<Wave> waves;
};

struct GroundContactSpec {
  Road road;
  double radius = 0;     ///< of the sphere (or disc) around the marker
  double stiffness = 0;  ///< normal force per penetration^exponent
  double exponent = 1;   ///< >= 1
  double damping = 0;    ///< normal force = stiffness p^exponent (1 + damping p'), never pulling
  double friction = 0;   ///< coefficient
  double slip = 1e-2;    ///< speed above which friction acts in full; below it fades to zero
  bool planar = false;   ///< y is up
};
std::unique_ptr<ForceElement> make_contact(std::string name, const Marker& on_body,
                                           const GroundContactSpec& spec);

/// Sticks as a spring and damper up to the force `limit`, then slides with `sliding`, until the motion turns.
/// Viscous friction acts beside it all the time.
struct FrictionSpec {
  Along along = Along::length;
  double stiffness = 0, damping = 0;  ///< while it sticks
  double limit = 0;
  double sliding = 0;  ///< at most `limit`
  double viscous = 0;
  double stribeck = 0;  ///< speed at which `limit` has become `sliding` but for 1/e; zero: at once
  double stribeck_exponent = 2;
};
std::unique_ptr<ForceElement> make_friction(std::string name, const Marker& from, const Marker& to,
                                            const FrictionSpec& spec);

/// With the penetration p beyond a bound: stiffness p^exponent (1 + damping p'), never negative, back towards
/// the bound.
struct StopSpec {
  Along along = Along::length;
  double stiffness = 0, exponent = 1, damping = 0;  ///< exponent >= 1
  std::optional<double> lower, upper;
  bool turns = false;                   ///< an angle that remembers its turns, as of torsion
  std::optional<double> restitution{};  ///< in (0, 1], instead of `damping`
};
/// d(e) with d (1 + e) = ln((1 + d) / (1 - e d)): a body that strikes a stop with the speed v leaves it with
/// e v if the damping is d/v, whatever its mass and the stop's stiffness and exponent.
double restitution_damping(double e);
std::unique_ptr<ForceElement> make_stop(std::string name, const Marker& from, const Marker& to,
                                        const StopSpec& spec);

/// Positive where it makes the length, displacement or angle smaller, as the force of a stretched spring.
struct TableSpec {
  Along along = Along::length;
  std::vector<double> s, force;  ///< points: at least two, s ascending
  double damping = 0;            ///< force per rate
  bool turns = false;            ///< an angle that remembers its turns, as of torsion
};
std::unique_ptr<ForceElement> make_table(std::string name, const Marker& from, const Marker& to,
                                         const TableSpec& spec);

/// The names that formulas of applied forces know: t, x y z vx vy vz (of `to` relative to `from`, global
/// axes), angle (about the z axis of the `from` marker; turns as in torsion), wx wy wz, length and rate (of
/// the way between the points).
std::span<const std::string> applied_variables();

/// Formulas for force (x, y, z) and torque on the `to` marker along global axes; opposite on `from`, with the
/// moment that the distance of the points asks for. Empty: zero.
struct AppliedSpec {
  std::array<std::string, 3> force, torque;
  std::vector<double> breakpoints;   ///< instants where they may jump
  std::vector<NamedCurve> curves{};  ///< that they may use
  bool turns = false;                ///< `angle` remembers them, as of torsion
};
std::unique_ptr<ForceElement> make_applied(std::string name, const Marker& from, const Marker& to,
                                           const AppliedSpec& spec);

struct UserSpec {
  std::filesystem::path library;
  std::string function;  ///< symbol, see include/cosimo/user_element.h
  std::vector<double> parameters;
};
/// Throws Error when the library or the symbol is missing or of another version of the interface.
std::unique_ptr<ForceElement> make_user_element(std::string name, const Marker& from, const Marker& to,
                                                const UserSpec& spec);

}  // namespace cosimo
