// Generator: masses joined by spring/dampers in a regular lattice. It has nx, nx x ny or nx x ny x nz masses,
// each joined to its next neighbours.
//
//   scalar   one coordinate per mass, its displacement; the law (2.9) acts on differences: a membrane, or a
//            chain for one dimension. Uses the fast tables of scalar models
//   space    point masses with as many coordinates as the lattice has dimensions (at least two), springs
//            along the lines between them, unstretched at the spacing
//
// With fixed ends the first and last masses along x are joined to the ground.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/sequence.hpp"
#include "model/chain.hpp"
#include "model/model.hpp"

namespace cosimo {

struct LatticeSpec {
  std::vector<std::size_t> size{};  ///< one to three numbers
  bool space = false;
  double spacing = 1;      ///< space
  bool diagonals = false;  ///< space: also across every square of neighbours, against shear
  Sequence mass = 1.0;
  Sequence c = 0.0, d = 0.0, C = 0.0,
           D = 0.0;  ///< lists have one entry per element, in the order they are made
  double ex = 3, ev = 3;
  Sequence x = 0.0, v = 0.0;  ///< per coordinate; space: displacements from the places of the lattice
  bool fixed_ends = true;
  std::uint64_t seed = 0;
  std::vector<LoadSpec> loads{};  ///< space: along x
};

/// Masses along x first, then y, then z. Elements mass by mass: to the left neighbour or the ground (x), then
/// y, z, then diagonals; those to the ground at the far end follow last. Throws Error for empty sizes and
/// masses that are not positive.
Model make_lattice(const LatticeSpec& spec);

}  // namespace cosimo
