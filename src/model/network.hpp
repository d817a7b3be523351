// Generator: masses at random places in a square or cube, joined to others near them (003, Section 3.2 with
// the physical signs): springs unstretched as placed, dampers on the whole relative velocity. The network is
// connected.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/sequence.hpp"
#include "model/model.hpp"

namespace cosimo {

struct NetworkSpec {
  std::size_t masses = 0;
  std::size_t dimensions = 3;  ///< 2 or 3
  double neighbours = 4;       ///< mean number of springs at a mass
  double radius = 1;           ///< half the edge of the square or cube
  Sequence mass = 1.0;
  Sequence c = 1.0, d = 0.0;  ///< per spring; no lists
  Sequence v = 0.0;           ///< initial velocities, per coordinate
  std::size_t fixed = 0;      ///< that many masses, random, are also joined to the ground where they are
  double gravity = 0;         ///< along the last axis, downwards
  std::uint64_t seed = 0;
};

/// Bodies "mass1", ...; elements "spring1", ...
Model make_network(const NetworkSpec& spec);

}  // namespace cosimo
