// Elements of machines whose sizes must fit where their ends are placed: cylinders and gear meshes.
#pragma once

#include <memory>

#include "mechanics/force_element.hpp"
#include "multibody/placement.hpp"

namespace cosimo {

/// Throws Error with file and line when its ends are so close or so far apart that a chamber has no volume.
std::unique_ptr<ForceElement> place_cylinder(const Placement& at, const config::Element& e,
                                             const Marker& from, const Marker& to);

/// The teeth divide the distance of the axes of its two joints. Throws Error with file and line for wheels
/// without a distance, and for a gap as wide as a tooth.
std::unique_ptr<ForceElement> place_gear_mesh(const Placement& at, const config::Element& e);

}  // namespace cosimo
