// Cuts that a user fixes, forbids or adds.
//
//   fix      these elements are cut; the rest is found around them. Together they must separate the bodies
//            they join
//   forbid   these elements are never cut: their bodies stay in one part
//   add      these elements are cut in addition to what was found, which makes more parts
#pragma once

#include <vector>

#include "partition/assignment.hpp"

namespace cosimo {

struct UserCuts {
  std::vector<ElementId> fix, forbid, add;  ///< ascending, no element twice
  bool empty() const { return fix.empty() && forbid.empty() && add.empty(); }
};

/// Sorts the lists and throws Error for what cannot be: an element to the ground or inside a group that
/// joints (or forbidden cuts) hold together, the same one in two lists, fixed cuts that separate nothing.
UserCuts checked_cuts(const BodyGraph& model, UserCuts cuts);

/// Divides parts where added elements cut them. Throws Error when one separates nothing.
void add_cuts(const BodyGraph& model, const UserCuts& cuts, Assignment& assignment);

}  // namespace cosimo
