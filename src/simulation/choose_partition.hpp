// What a scenario without `partition:` does on one rank: leave the model whole, so that a team of threads
// shares every step, or cut it where parts with steps of their own save far more work than the cuts cost. (On
// several ranks it is cut as `parts: auto` does, whatever this says: ranks cannot share a step.)
//
// Counted from the model alone, never from the machine (partition/cut_cost.hpp), with the freedoms f of every
// body and its steps n relative to the bulk's:
//
//   whole = (sum of f) max n              everybody takes the steps of the fastest
//   cut   = overhead sum over parts of (sum of f) max n       overhead: copies in the overlaps
//
// Cutting pays if whole >= 2 cut, and if the largest part is not what many threads would wait for: if on as
// many threads as a whole model of this size can use, up to 16, cut parts are not slower than the team. Only
// overlaps are taken, as they keep the accuracy of the whole: where choose_scheme() would cut by forces the
// model stays whole. If the parts of `parts: auto` are too small for overlaps, fewer and larger ones are
// tried.
#pragma once

#include <optional>
#include <string>

#include "config/scenario.hpp"
#include "model/model.hpp"
#include "partition/body_graph.hpp"
#include "partition/part.hpp"

namespace cosimo {

struct PartitionChoice {
  std::optional<Partition> cut;  ///< empty: the model stays whole
  std::string reason;            ///< one line for the summary
};

PartitionChoice choose_partition(const config::Scenario& scenario, const Model& model,
                                 const BodyGraph& graph);

/// "parts: auto -> 4 parts of about 500 bodies"
std::string describe_parts(const char* key, std::size_t parts, std::size_t bodies);

}  // namespace cosimo
