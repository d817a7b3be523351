// Which rows a joint has: by its kind, and by what its bodies are able to do.
//
// In space every joint has all its rows. Between bodies that stay in the plane z = 0 (planar ones, point
// masses, the ground) some rows hold whatever the bodies do, and others say the same thing twice: a revolute
// joint keeps two of five, a prismatic joint along the plane two of five. They are found at a placement that
// satisfies the joint: rows are taken one by one, always the one that depends most on the freedoms after what
// the rows taken before have explained, until nothing depends on them any more.
//
// A point mass has no orientation. In a joint that slides it stays on the line or the plane of the other
// body; joints that would hold an orientation between it and a body that turns are refused.
#pragma once

#include <string_view>
#include <vector>

#include "mechanics/joint_rows.hpp"
#include "mechanics/joints.hpp"

namespace cosimo {

/// All rows of a joint in space. Translations along the axes of the `from` marker are measured in those axes
/// where a joint slides; where points coincide, along the global axes.
std::vector<BilinearRow> rows_of(JointKind kind);

/// The rows that matter between these bodies. Throws Error naming the joint when there are none, when they
/// can never be satisfied, or when they leave no motion to a joint that should have one.
std::vector<BilinearRow> rows_between(const std::string& name, JointKind kind, const JointSides& sides);

/// Throws the Error of a joint that makes no sense.
[[noreturn]] void refuse(const std::string& name, std::string problem, std::string remedy);
/// Refuses a joint of a body (or the ground) with itself.
void check_ends(const std::string& name, const JointSides& sides);

/// A side that cannot leave the plane z = 0: any body but a rigid one, and the ground.
bool stays_in_plane(const Marker& marker, BodyKind kind);
bool is_point_mass(const Marker& marker, BodyKind kind);

}  // namespace cosimo
