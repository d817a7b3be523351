// Writes the program of one domain of an elimination tree. Private to elimination_*.cpp.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "mechanics/elimination_program.hpp"
#include "numerics/elimination_order.hpp"

namespace cosimo {

/// Of a body, as the tree sees it.
struct TreeBody {
  std::uint32_t freedoms = 0;
  bool rigid = false;  ///< its mass matrix is not diagonal
};

/// Bodies, constraints and their order, and which domain has what: its number, or -1 for the top.
struct TreePlan {
  std::span<const TreeBody> bodies;
  std::span<const TreeConstraint> constraints;
  EliminationOrder order;
  std::vector<std::int32_t> domain_of_body;
  std::vector<bool> has_arms;  ///< per body

  bool is_hub(std::uint32_t body) const { return order.hub_of[body] >= 0; }
  /// Numbers of an end of constraint c on a body: of J, and of Y.
  std::uint32_t jacobian_size(std::uint32_t c, std::uint32_t body) const {
    if (has_arms[body]) return bodies[body].rigid ? 4 : 3;
    return constraints[c].rows * bodies[body].freedoms;
  }
  std::uint32_t response_size(std::uint32_t c, std::uint32_t body) const {
    if (has_arms[body]) return bodies[body].rigid ? 10 : 3;
    return constraints[c].rows * bodies[body].freedoms;
  }
  /// Where the block of an end of constraint c is kept.
  std::int32_t domain_of_end(std::uint32_t c, std::uint32_t body) const;
};

TreePlan make_tree_plan(std::span<const TreeBody> bodies, std::span<const TreeConstraint> constraints);

/// Where a domain has the numbers of an end of a constraint.
struct EndPlace {
  std::uint32_t constraint = 0, end = 0, body = 0;
  std::uint32_t jacobian = 0, response = 0;  ///< J, Y
};
struct BodyPlace {
  std::uint32_t body = 0, mass = 0, alpha = 0;
};

/// The program of a domain and what its places mean there.
struct DomainProgram {
  BlockProgram program;
  std::vector<EndPlace> ends;
  std::vector<BodyPlace> bodies;         ///< own: light ones, and hubs (mass: the diagonal block)
  std::vector<BodyPlace> border_hubs;    ///< without mass
  std::vector<std::uint32_t> unknowns;   ///< own, then border
  std::vector<std::uint32_t> first_row;  ///< of each of them
  /// Blocks of the border, each for a pair of places in `unknowns`, row after column.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> blocks;
};

DomainProgram make_domain_program(const TreePlan& plan, std::int32_t domain);

}  // namespace cosimo
