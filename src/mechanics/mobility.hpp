// How many independent motions the joints leave to the bodies.
//
// mobility = freedoms - independent constraints. Counting rows alone (Gruebler) is wrong for closed loops in
// space, of which some rows follow from others: those are found where accelerations find them, in the factor
// of J M^-1 J^T (dynamics_data.hpp). It is the mobility in the given state; in a singular one, such as a
// parallelogram that lies flat, it is larger than elsewhere.
#pragma once

#include <cstddef>

#include "mechanics/mechanism.hpp"

namespace cosimo {

struct Mobility {
  std::size_t freedoms = 0;   ///< of the bodies without joints
  std::size_t rows = 0;       ///< of all constraints, motors included
  std::size_t redundant = 0;  ///< of these, those that others imply

  std::size_t independent() const { return rows - redundant; }
  std::size_t left() const { return freedoms - independent(); }
};

/// At t = 0, with the coordinates of all bodies.
Mobility mobility(const Mechanism& mechanism, const double* q);

}  // namespace cosimo
