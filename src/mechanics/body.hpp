// Bodies of a mechanism and their coordinates.
//
// Every body has coordinates q with rates v = dq/dt, as many of one as of the other, and a *twist*: the
// velocity of its centre of mass and its angular velocity, both along the global axes, of which a body has
// only the components it is free to have.
//
//   kind     coordinates q                    freedoms (components of the twist)
//   point1   x                                vx
//   point2   x, y                             vx, vy
//   point3   x, y, z                          vx, vy, vz
//   planar   x, y, phi                        vx, vy, wz
//   rigid    x, y, z, qw, qx, qy, qz          vx, vy, vz, wx, wy, wz
//
// (x, y, z) is the centre of mass. The unit quaternion has no singularity over any rotation. Its length means
// nothing to forces and joints: frame_of() divides by it, so that its drift does no harm within a step, and
// normalise() takes it away. Bodies of fewer dimensions live on the x axis or in the plane z = 0.
//
// A *frame* is what forces and joints see of a body or of a marker on it: place, orientation, velocities.
// Infinitesimal changes of a frame are a displacement dr and a rotation dtheta along the global axes,
// dR = skew(dtheta) R; velocities change by dv and dw independently of it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/ids.hpp"
#include "core/solid_shape.hpp"
#include "mechanics/space.hpp"

namespace cosimo {

enum class BodyKind : std::uint8_t { point1, point2, point3, planar, rigid };

constexpr std::size_t coordinates_of(BodyKind kind) {
  constexpr std::array<std::size_t, 5> count{1, 2, 3, 3, 7};
  return count[static_cast<std::size_t>(kind)];
}
constexpr std::size_t freedoms_of(BodyKind kind) {
  constexpr std::array<std::size_t, 5> count{1, 2, 3, 3, 6};
  return count[static_cast<std::size_t>(kind)];
}
/// Coordinate k is an angle or part of a quaternion.
constexpr bool is_angle(BodyKind kind, std::size_t k) {
  return (kind == BodyKind::planar && k == 2) || (kind == BodyKind::rigid && k >= 3);
}
/// Which of the six components (vx, vy, vz, wx, wy, wz) the freedoms of a kind are, ascending.
std::span<const std::uint8_t> freedom_components(BodyKind kind);

/// Place, orientation and velocities of a body's centre of mass, or of a marker, along the global axes.
struct Frame {
  Vec3 r = Vec3::Zero();
  Mat3 R = Mat3::Identity();  ///< columns: the own axes
  Vec3 v = Vec3::Zero();
  Vec3 w = Vec3::Zero();
  /// Rotation about z since the placement with all its turns, of bodies of the plane and the ground; not a
  /// number for rigid bodies, whose turns are not counted.
  double turned = 0;
};

/// A point of a body with axes of its own. Point and axes are given in the body's axes, from its centre of
/// mass; on the ground in global ones.
struct Marker {
  BodyId body = ground;
  Vec3 point = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  double placed = 0;  ///< angle of a body of the plane where the marker was put on it
};

struct Body {
  std::string name;
  BodyKind kind = BodyKind::rigid;
  double mass = 1;
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, in the body's axes; planar bodies: (2, 2) alone
  Vec3 reference = Vec3::Zero();  ///< from the centre of mass to the point whose place users see, body axes
  std::shared_ptr<const SolidShape> shape{};  ///< null: not given
};

Frame frame_of(BodyKind kind, const double* q, const double* v);
Frame marker_frame(const Frame& body, const Marker& marker);
inline bool turns_counted(const Frame& from, const Frame& to) {
  return !std::isnan(from.turned) && !std::isnan(to.turned);
}
/// `angle` of `to` against `from`, about the z axis of `from` and but for whole turns, with the turns that
/// bodies of the plane have made; else between -pi and pi.
double with_turns(double angle, const Frame& from, const Frame& to);
/// w = the freedoms' velocities of coordinate rates v.
void twist_of(BodyKind kind, const double* q, const double* v, double* w);
/// v = coordinate rates of freedoms' velocities w: the inverse, with no change of a quaternion's length. Also
/// turns small displacements of the freedoms into those of the coordinates.
void rates_of(BodyKind kind, const double* q, const double* w, double* v);
/// a = d2q/dt2 of accelerations alpha of the freedoms (dv/dt of the centre of mass, dw/dt). The length of a
/// quaternion is led back to one with the rate of the rotation itself:
/// p'' = p alpha/2 - |w|^2/4 p + what damps (p.p - 1)/2 critically at the rate |w|.
void accelerations_of(BodyKind kind, const double* q, const double* v, const double* alpha, double* a);
/// The freedoms' accelerations of coordinate accelerations a: the inverse.
void twist_rates_of(BodyKind kind, const double* q, const double* v, const double* a, double* alpha);
/// Length one for a quaternion, and a rate that keeps it; other kinds stay as they are.
void normalise(BodyKind kind, double* q, double* v);
/// Coordinates and rates of a frame of the centre of mass; the quaternion with qw >= 0.
void coordinates_from(BodyKind kind, const Frame& frame, double* q, double* v);

}  // namespace cosimo
