// What the bodies of a mechanism look like and what is between them, as JSON for pictures: /scene of
// results.h5. It follows from the model alone, so that any number of parts, threads and ranks gives the same
// text.
//
//   {"format": 1,
//    "gravity": [x, y, z],
//    "bodies": [{"body": label, "kind": "box" | "sphere" | "cylinder" | "tube" | "capsule" | "wheel" | "mesh"
//    |
//                "point", "from": "shape" | "inertia", "at": [x, y, z], "turn": [w, x, y, z], sizes}],
//    "elements": [{"name", "kind", "from": end, "to": end, "axis"?, "radius"?, "road"?}],
//    "joints": [{"name", "kind", "from": end, "to": end, "axis"}],
//    "roads": [{"up": 1 | 2, "height": h, "waves": [amplitude, wavelength, phase, ...]}],
//    "ground"?: [{"name", "kind": "plane" | "box" | ..., "at": [x, y, z], "turn": [w, x, y, z], sizes}]}
//
// `at` and `turn` place a shape in the axes of its body, from the point whose place is recorded. Sizes are
// `edges` of a box, `radius`, `length` (of what is round about its own z axis) and `inner`, `points` and
// `triangles` (flat lists) of a mesh. An end is {"body": label or 0 for the ground, "at": point}. `axis` is
// along the axes of `from`. `road` is a place in `roads`, and `radius` what a contact or a tyre keeps from
// it.
//
// `ground` is what the scenario fixes to the ground for contacts: shapes as those of bodies, in space, and
// planes through `at`, solid below their own z axis.
//
// Spans of ropes and belts are elements of the kind "rope" or "belt", from centre to centre of what they
// pass. A body whose shape the scenario does not give is the box of its mass and principal inertias, a flat
// bar in the plane, a point if it cannot turn; one that rolls on a contact, or is a pulley, is a wheel, or a
// ball if all its moments of inertia are alike.
#pragma once

#include <string>
#include <string_view>

#include "config/scenario.hpp"
#include "mechanics/mechanism.hpp"

namespace cosimo {

/// Empty for more bodies or elements than a picture shows.
std::string scene_json(const Mechanism& mechanism);
/// `ground` alone; empty: nothing is fixed to the ground, or more than a picture shows.
std::string ground_scene_json(const config::Scenario& scenario);
/// One scene of what these two have. Empty without bodies.
std::string joined_scenes(std::string bodies, std::string_view fixed);

}  // namespace cosimo
