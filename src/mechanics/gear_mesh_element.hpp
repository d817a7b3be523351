// Two gear wheels whose teeth meet with backlash and stiffness.
//
// Markers are at the wheels' centres, z axes along the axles. With d the way between the centres, its angles
// in the axes of either wheel and the pitch radii
//
//   beta_1 = atan2(d.y_1, d.x_1),    beta_2 = atan2(d.y_2, d.x_2),    e = r_1 beta_1 + r_2 beta_2 - e_0
//
// e is the transmission error along the pitch circles, whatever carries the wheels: it stays where it is when
// all turn as one. Teeth return after a pitch 2 pi r_1 / z_1 = 2 pi r_2 / z_2, and so does e; the element
// remembers by how many it has gone. With half the backlash g a flank carries the force of mechanics/pull.hpp
//
//   e > g: on the stretch e - g,     e < -g: on -e - g with the opposite sign,     nothing between them.
//
// The force on wheel 1 is that of the potential: it acts on the pitch point along the common tangent and, as
// far as both centres keep their distance, on nothing else. Teeth are as wide as needed: where a wheel goes
// along its axle makes no difference.
#pragma once

#include <memory>
#include <string>

#include "mechanics/force_element.hpp"

namespace cosimo {

struct GearMeshSpec {
  double radius_from = 1, radius_to = 1;  ///< of the pitch circles; a ring's has the opposite sign
  double pitch = 1;                       ///< from tooth to tooth along them, > 0
  double centred = 0;                     ///< e_0: r_1 beta_1 + r_2 beta_2 where a tooth is amid its gap
  double gap = 0;                         ///< backlash along the pitch circles, 2 g
  double stiffness = 0, damping = 0;
};
/// r_1 beta_1 + r_2 beta_2.
double gear_mesh_place(const GearMeshSpec& spec, const Frame& from, const Frame& to);

std::unique_ptr<ForceElement> make_gear_mesh(std::string name, const Marker& from, const Marker& to,
                                             const GearMeshSpec& spec);

}  // namespace cosimo
