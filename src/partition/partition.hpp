// Cutting a model into parts. The result depends on the model and the request alone,
// never on threads or clocks.
//
//   equal      the bodies in the order of their numbers, in contiguous shares whose sizes
//              differ by at most one, the larger ones first (partition/division.hpp)
//   metis      k-way partition of the body graph with few cut elements (METIS, fixed seed)
//   manual     the named elements are cut; what stays connected is a part
//   automatic  parts of equal expected cost with cheap cuts (cut_cost.hpp, assign_by_cost.cpp):
//              METIS with costs as weights, stiff regions apart, every cut moved to the cheapest
//              element nearby. The cuts do not depend on the numbers of the bodies
//
// Bodies that constraints hold together always stay in one part; shares of `equal` are then as
// equal as the groups allow. Parts are numbered by their smallest body, except that `equal` is in
// body order anyway. Inside a part the bodies stand in their natural order. Every element that
// joins two parts is a coupling; an element from the ground to the ground is in no part.
#pragma once

#include <cstdint>
#include <vector>

#include "core/settings.hpp"
#include "partition/body_graph.hpp"
#include "partition/part.hpp"

namespace cosimo {

struct PartitionRequest {
  /// 0: from the model alone: its size, and for method `automatic` its costs too. Manual cuts decide
  /// themselves: there 0 and 1 say nothing, and a larger number must be the number of parts that the cuts
  /// make.
  std::int64_t parts = 1;
  CutMethod method = CutMethod::equal;
  std::vector<std::int64_t> cuts{};  ///< manual: element labels from 1
  /// Cuts that a user fixes, forbids or adds (user_cuts.hpp); for `metis` and `automatic`.
  std::vector<ElementId> fix{}, forbid{}, add{};
};

/// Number of parts for `parts: auto` by size: about 1000 bodies each, at least 1, at most 1000 parts.
///
/// A smaller part spends more on copies of its neighbours' bodies (some 25 layers on either side) and on
/// synchronisation than it gains; a larger one no longer keeps the stages of a step in the core's own cache.
/// Beyond 1000 parts the work per coupling outweighs both. Method `automatic` counts costs instead of bodies
/// and gives stiff regions and pieces behind weak couplings parts of their own (assign_by_cost.cpp).
std::int64_t automatic_parts(std::size_t bodies);

/// Throws Error (field names of the `partition:` section, no file position) when the request does
/// not fit the model: more parts than bodies (or groups of them), a cut that is not an element between two
/// bodies, manual cuts that leave the model in one piece where they should part it, cuts fixed, forbidden or
/// added that contradict the model or each other.
Partition make_partition(const BodyGraph& model, const PartitionRequest& request);

/// The whole model as one part.
Partition uncut(const BodyGraph& model);

}  // namespace cosimo
