// Cutting a model into parts. The result depends on the model and the request alone,
// never on threads or clocks.
//
//   equal    the bodies in the order of their numbers, in contiguous shares whose sizes
//            differ by at most one, the larger ones first (model/division.hpp)
//   metis    k-way partition of the body graph with few cut elements (METIS, fixed seed)
//   manual   the named elements are cut; what stays connected is a part
//
// Parts are numbered by their smallest body, except that `equal` is in body order
// anyway. Inside a part the bodies stand in their natural order. Every element that
// joins two parts is a coupling; an element from the ground to the ground is in no part.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"
#include "model/part.hpp"

namespace cosimo {

enum class CutMethod { equal, metis, manual };

struct PartitionRequest {
  /// 0: automatic, from the size of the model. Manual cuts decide themselves: there 0 and 1 say
  /// nothing, and a larger number must be the number of parts that the cuts make.
  std::int64_t parts = 1;
  CutMethod method = CutMethod::equal;
  std::vector<std::int64_t> cuts{};  ///< manual: element labels from 1
};

/// Number of parts for `parts: auto`: about 1000 bodies each, at least 1, at most 1000 parts.
///
/// A smaller part spends more on copies of its neighbours' bodies (some 25 layers on either side) and on
/// synchronisation than it gains; a larger one no longer keeps the stages of a step in the core's own cache.
/// Beyond 1000 parts the work per coupling outweighs both.
std::int64_t automatic_parts(const Model& model);

/// Throws Error (field names of the `partition:` section, no file position) when the request does
/// not fit the model: more parts than bodies, a cut that is not an element between two bodies,
/// manual cuts that leave the model in one piece where they should part it.
Partition make_partition(const Model& model, const PartitionRequest& request);

/// The whole model as one part.
Partition uncut(const Model& model);

/// An order of `bodies` that makes as many elements as possible join neighbours:
/// ascending when that already is a path, otherwise along paths of the body graph.
std::vector<BodyId> natural_order(const Model& model, std::vector<BodyId> bodies);

}  // namespace cosimo
