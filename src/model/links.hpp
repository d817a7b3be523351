// Derivatives of force elements between neighbouring coordinates, in vectorised runs.
//
// Link i joins the coordinates i and i+1. A *run* is a longest row of coordinates in which every two
// neighbours are linked; runs cover all coordinates, a coordinate without links is a run of its own. The
// slopes of a block are computed once into a small buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "model/spring_damper.hpp"
#include "model/term.hpp"
#include "numerics/second_order.hpp"

namespace cosimo {

class Links {
 public:
  Links() = default;
  /// `link[i]` is the element between the coordinates i and i+1, invalid where there is none
  /// (size - 1 entries).
  Links(const SpringDampers& table, std::size_t size, const std::vector<ElementId>& link);

  /// Says which edge of the pattern each link is; a path needs no table.
  void number_edges(const TangentPattern& pattern);

  /// Overwrites the diagonals of C and K for i in dofs, and their edges from there to later coordinates,
  /// which are the pattern's `edges`.
  void tangent(const double* q, const double* v, Tangent& out, Range dofs, Range edges) const;
  double potential(const double* q) const;

 private:
  struct Run {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  const Run* find_run(std::size_t dof) const;
  void tangent_block(const double* q, const double* v, Tangent& out, Range block, const Run& run) const;
  SpringLaw law(std::size_t link) const;

  Term spring_, damper_;
  std::vector<Run> runs_;
  std::vector<std::int32_t> edge_;  ///< per coordinate; empty on a path
};

}  // namespace cosimo
