// The ways to assign every body to a part. Used by make_partition().
//
// None of them parts a group of bodies that constraints join (BodyGraph::groups()).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partition/adjacency.hpp"
#include "partition/body_graph.hpp"
#include "partition/cut_cost.hpp"
#include "partition/cut_graph.hpp"

namespace cosimo {

/// The part of every body. Every part below `parts` has at least one body.
struct Assignment {
  std::vector<std::int32_t> part_of;
  std::size_t parts = 1;
};

/// Contiguous shares of the groups in the order of their smallest bodies, as equal in bodies as the groups
/// allow. 1 <= parts <= number of groups.
Assignment assign_equal(std::span<const std::int32_t> group_of_body, std::size_t parts);
/// For models without constraints: few cut elements. 1 <= parts <= bodies.
Assignment assign_metis(const Adjacency& graph, std::size_t parts);
/// Throws Error for cuts that are no elements between bodies, come twice, or separate nothing.
Assignment assign_manual(const BodyGraph& model, std::span<const std::int64_t> cuts);

/// How assign_by_cost() works.
struct ByCost {
  std::size_t parts = 1;            ///< 0: as many as the model asks for
  std::vector<ElementId> fix{};     ///< ascending; together they separate all they join
  std::vector<ElementId> forbid{};  ///< never cut
  bool multirate = true;            ///< stiff regions apart, and cuts moved to cheaper elements nearby
};
/// Parts of equal cost with cheap cuts (partition/assign_by_cost.cpp). Throws Error when fixed cuts make more
/// parts than wanted, or when there are fewer groups than parts.
Assignment assign_by_cost(const BodyGraph& model, const CutCosts& costs, const ByCost& how);

/// METIS: k-way partition of a cut graph by the costs of its vertices and edges, no part empty.
/// 1 <= parts <= vertices.
std::vector<std::int32_t> divide(const CutGraph& graph, std::size_t parts);

/// Numbers the parts by their smallest body.
void renumber(Assignment& assignment);

}  // namespace cosimo
