// In which order the multipliers of a mechanism's constraints are eliminated, and in which pieces.
//
//   S lambda = r,   S = J M^-1 J^T,
//
// has an unknown block for every constraint. A body couples all of its constraints with each other, so that a
// body with many of them, a hub, would make S dense: its motion u = -M^-1 J^T lambda stays an unknown,
//
//   [ S_L     -J_H ] [ lambda ]   [ r ]
//   [ -J_H^T  -M_H ] [ u      ] = [ 0 ],      S_L with the other bodies alone.
//
// The graph of these unknowns is divided into leaves and a top (numerics/nested_dissection.hpp). Inside
// of each the order is that of minimum degree. All pivots of constraints are positive and all of hubs
// negative definite in any order. But a constraint that comes before a hub sees it as held fast: where that
// makes it close a loop which is open in truth (from one hub to another, or to the ground), rows would seem
// dependent that are not. Such a constraint waits until one of the hubs is through; in a leaf that has none
// of them it moves to the top.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cosimo {

/// Bodies with more constraints stay unknowns.
inline constexpr std::size_t most_light = 4;

struct TreeConstraint {
  std::uint32_t rows = 0;
  std::span<const std::uint32_t> bodies;
};

/// The graph as the order sees it: unknown c < constraints is that of constraint c, the hubs come after them.
struct EliminationOrder {
  struct Domain {
    std::vector<std::uint32_t> own;     ///< unknowns in the order of elimination
    std::vector<std::uint32_t> border;  ///< unknowns of the top that it is coupled with
  };
  std::vector<Domain> leaves;
  Domain top;
  std::vector<std::uint32_t> hubs;                ///< bodies, ascending
  std::vector<std::int32_t> hub_of;               ///< per body: its unknown, -1: light
  std::vector<std::uint32_t> sizes;               ///< of the unknowns
  std::vector<std::vector<std::uint32_t>> below;  ///< per unknown: those coupled with it when its turn comes
  std::vector<std::int32_t> leaf_of;              ///< per unknown, -1: in the top
  std::vector<std::uint32_t> turn;                ///< per unknown, ascending within leaf and top
};

EliminationOrder find_elimination_order(std::span<const std::uint32_t> freedoms,
                                        std::span<const TreeConstraint> constraints);

}  // namespace cosimo
