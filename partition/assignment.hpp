// The three ways to assign every body to a part. Used by make_partition().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

/// The part of every body. Every part below `parts` has at least one body.
struct Assignment {
  std::vector<std::int32_t> part_of;
  std::size_t parts = 1;
};

/// 1 <= parts <= bodies for the first two.
Assignment assign_equal(std::size_t bodies, std::size_t parts);
Assignment assign_metis(const BodyGraph& graph, std::size_t parts);
/// Throws Error for cuts that are no elements between bodies, come twice, or separate nothing.
Assignment assign_manual(const Model& model, std::span<const std::int64_t> cuts);

/// Numbers the parts by their smallest body.
void renumber(Assignment& assignment);

}  // namespace cosimo
