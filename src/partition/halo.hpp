// The copies around a part: which bodies of its neighbours it carries.
//
// Distance is what an error loses on its way (control/cone.hpp), body by body, so light and
// stiff regions count less than heavy and soft ones. From every cut the halo grows until the
// distance to the part reaches the radius asked for there; the outermost copies are those whose
// distance is at least that. Halos may reach past the nearest neighbour. Bodies that constraints hold
// together are carried all or not at all, all at the distance of the nearest.
//
//   Halo halo = grow_halo(graph, owned, roots, decay);
//   halo.sides[r].layers, .distance      what came out at root r
//   OverlappingPart part = carry(graph, core, halo);
//
// With a decay of 1 everywhere and a whole radius n the halo has exactly n layers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "partition/body_graph.hpp"
#include "partition/part.hpp"

namespace cosimo {

/// A cut seen from the part: where a halo begins.
struct HaloRoot {
  BodyId own, beyond;
  double radius = 0;
};

struct HaloCopy {
  BodyId body;
  int layer = 1;        ///< elements between it and the part
  double distance = 0;  ///< what an error loses between it and the part
  int root = 0;         ///< the cut it was reached from
};

struct HaloSide {
  int layers = 0;       ///< of the copies reached from this root
  double distance = 0;  ///< of its nearest far edge; infinite where everything behind the cut is carried
};

/// The copies by their numbers: found once, for measuring again and again.
struct HaloRows {
  std::vector<std::int32_t> first, next;       ///< beside copy i: next[first[i]] to next[first[i + 1]]
  std::vector<std::int32_t> first_mate, mate;  ///< held together with it, likewise; empty: nothing is
  std::vector<std::int32_t> behind;            ///< per root: the copy beyond it; -1: not carried
  std::vector<std::int32_t> outermost;         ///< those with far edges
};

struct Halo {
  std::vector<HaloCopy> copies;  ///< nearest cuts' needs first
  std::vector<FarEdge> edges;
  std::vector<HaloSide> sides;  ///< one per root
  HaloRows rows;
};

/// Decay at a body: what an error loses on an element is the smaller one of its two ends.
using DecayAt = std::function<double(BodyId)>;

/// `owned` tells the part's own bodies. Roots whose radius is not positive carry nothing: their far
/// edge is the cut itself, and no edge is listed for them.
Halo grow_halo(const BodyGraph& graph, const std::function<bool(BodyId)>& owned,
               std::span<const HaloRoot> roots, const DecayAt& decay);

/// Fills the rows of a halo whose copies and edges are known.
void number_rows(const BodyGraph& graph, std::span<const HaloRoot> roots, Halo& halo);

/// The same copies with the distances that other decays give them: those of the copies, and of the own bodies
/// at the roots.
struct Decays {
  std::span<const double> copies, roots;
};
void measure_halo(std::span<const HaloRoot> roots, const Decays& decays, Halo& halo);
void measure_halo(std::span<const HaloRoot> roots, const DecayAt& decay, Halo& halo);

/// The part with its copies. If all bodies in ascending order form a path in which the part's own stand
/// together, that is their order; otherwise the own ones come first, then the nearer half of the copies.
OverlappingPart carry(const BodyGraph& graph, const Part& core, const Halo& halo);

}  // namespace cosimo
