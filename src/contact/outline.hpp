// What touches: a core with a rounding of constant thickness around it, as a distance and as balls.
//
//   kind      core                       balls (all of radius `round`)
//   sphere    point                      its centre
//   capsule   segment                    along the segment, half a radius apart
//   box       box, smaller by `round`    corners of the core, and points along its edges
//   cylinder  cylinder, the same         24 on each rim of the core
//   hull      convex body                its corners, and points along its edges
//   plane     half-space below z = 0     none
//
// Two shapes touch where a ball of one is nearer to the core of the other than both roundings are thick. That
// is a function of the places alone, whose gradient is the normal: forces that follow from it have a
// potential, and shapes that lie on each other touch in as many points as they have corners there. The
// rounding keeps centres of balls outside of cores, where the distance has no kinks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/solid_shape.hpp"
#include "mechanics/body.hpp"

namespace cosimo::contact {

/// The surface of a convex body: its corners and triangles with their planes, edges each once.
struct Hull {
  std::vector<Vec3> corners;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counterclockwise, seen from outside
  std::vector<Vec3> normals;
  std::vector<double> heights;  ///< normal . x of the planes
  std::vector<std::array<std::uint32_t, 2>> edges;
};

struct Outline {
  enum class Kind : std::uint8_t { sphere, capsule, box, cylinder, hull, plane };
  Kind kind = Kind::sphere;
  Vec3 at = Vec3::Zero();        ///< of the shape, in the axes of its body from the centre of mass
  Mat3 turn = Mat3::Identity();  ///< its own axes; round shapes are round about z
  Vec3 half = Vec3::Zero();      ///< of the core: of a box; (radius, radius, half the length) of round ones
  double round = 0;              ///< thickness of the rounding
  std::shared_ptr<const Hull> hull;
  std::vector<Vec3> balls;     ///< in the axes of the body, from the centre of mass
  Vec3 middle = Vec3::Zero();  ///< of a ball around all of it, in the axes of the body, and its radius
  double reach = 0;            ///< infinity: a plane
  double thinnest = 0;         ///< the smallest extent
};

/// Empty: the shape can touch. Else what is wrong with it: it is a tube, or not convex.
std::string reason_against(const SolidShape& shape);
/// `at`, `turn`: of the reference axes of the shape's coordinates. `spacing`: of the points along edges; 0:
/// half the shortest edge.
Outline make_outline(const SolidShape& shape, const Vec3& at, const Mat3& turn, double spacing = 0);
/// Edges have at most so many gaps between points; the longest edge on which there are points.
inline constexpr std::size_t most_gaps = 63;
double longest_edge(const Outline& outline);
/// Below the plane through `at` across `normal`.
Outline make_plane(const Vec3& at, const Vec3& normal);

}  // namespace cosimo::contact
