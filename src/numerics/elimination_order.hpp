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
// The graph of these unknowns is divided into leaves, domains between them and a top
// (numerics/nested_dissection.hpp). Inside of each the order is that of minimum degree. All pivots of
// constraints are positive and all of hubs negative definite in any order. But a constraint that comes before
// a hub sees it as held fast: where that makes it close a loop which is open in truth (from one hub to
// another, or to the ground), rows would seem dependent that are not. Such a constraint waits until one of
// the hubs is through; in a leaf that has none of them it moves to the top.
//
// Implicit methods solve for bodies and multipliers at once, and elements couple bodies directly:
//
//   [ A  J^T ] [ u      ]
//   [ J   0  ] [ lambda ],      A sparse.
//
// There every body is an unknown and the same rules hold: a constraint has a pivot once a body of it is
// through and at most one assembly of its bodies is held. The bodies alone are then divided, and constraints
// go with them, so that a chain is a path and is cut like one.
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
  bool joins_points = false;  ///< a row for each global axis (mechanics/elimination_program.hpp)
};

/// The graph as the order sees it: unknown c < constraints is that of constraint c, the hubs come after them,
/// bodies that stay unknowns.
struct EliminationOrder {
  struct Domain {
    std::vector<std::uint32_t> own;     ///< unknowns in the order of elimination
    std::vector<std::uint32_t> border;  ///< unknowns of the top that it is coupled with
  };
  std::vector<Domain> leaves;  ///< and, from `between` on, domains that come after the leaves
  std::size_t between = 0;
  Domain top;
  std::vector<std::uint32_t> hubs;                ///< bodies, ascending
  std::vector<std::int32_t> hub_of;               ///< per body: its unknown, -1: light
  std::vector<std::uint32_t> sizes;               ///< of the unknowns
  std::vector<std::vector<std::uint32_t>> below;  ///< per unknown: those coupled with it when its turn comes
  std::vector<std::int32_t> leaf_of;              ///< per unknown: its domain, -1: in the top
  std::vector<std::uint32_t> turn;                ///< per unknown, ascending within leaf and top
};

/// Whether the first of two different domains comes before the second; -1 is the top.
inline bool comes_before(std::int32_t first, std::int32_t second) {
  return first >= 0 && (second < 0 || first < second);
}

EliminationOrder find_elimination_order(std::span<const std::uint32_t> freedoms,
                                        std::span<const TreeConstraint> constraints);

/// Two bodies.
struct TreeCoupling {
  std::uint32_t a = 0, b = 0;
};
/// The same with all bodies as unknowns, some of them coupled directly.
EliminationOrder find_whole_order(std::span<const std::uint32_t> freedoms,
                                  std::span<const TreeConstraint> constraints,
                                  std::span<const TreeCoupling> couplings);

}  // namespace cosimo
