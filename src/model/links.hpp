// Force elements between neighbouring coordinates, evaluated in vectorised runs.
//
// Link i joins the coordinates i and i+1. A *run* is a longest row of coordinates in
// which every two neighbours are linked; runs cover all coordinates, a coordinate
// without links is a run of its own. The forces of a block are computed once into a
// small buffer; the acceleration is their difference times the reciprocal mass.
// Every number depends on its own neighbours alone and every operation is rounded by
// itself, so any division into blocks gives the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "model/masses.hpp"
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

  /// a[i] = acceleration by links, for i in dofs.
  void accelerate(const double* q, const double* v, double* a, Range dofs, const Masses& masses) const;
  /// Overwrites the diagonals of C and K for i in dofs, and their edges: on a path those to the right of
  /// each i, otherwise all of them, and dofs must be everything.
  void tangent(const double* q, const double* v, Tangent& out, Range dofs) const;
  double potential(const double* q) const;

 private:
  struct Run {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  const Run* find_run(std::size_t dof) const;
  void accelerate_block(const double* q, const double* v, double* a, Range block, const Run& run,
                        const Masses& masses) const;
  void tangent_block(const double* q, const double* v, Tangent& out, Range block, const Run& run) const;
  SpringLaw law(std::size_t link) const;

  Term spring_, damper_;
  std::vector<Run> runs_;
  std::vector<std::int32_t> edge_;  ///< per coordinate; empty on a path
};

}  // namespace cosimo
