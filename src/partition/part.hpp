// Plain data that say how a model is cut: parts and the interface between them.
// Made by partition/, used by everything behind it.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ids.hpp"
#include "network/interface.hpp"

namespace cosimo {

struct ElementEnds {
  BodyId from, to;  ///< either may be the ground
};
/// Whether an element joins two different bodies.
inline bool joins_bodies(const ElementEnds& ends) {
  return ends.from != ground && ends.to != ground && ends.from != ends.to;
}

/// One subsystem's share of the model: the bodies it owns, which stand together, and around
/// them copies of neighbours' bodies that it only carries (overlap). The order of `bodies` is
/// the order of the subsystem's coordinates.
struct Part {
  std::vector<BodyId> bodies;
  Range owned;                      ///< places in `bodies`
  std::vector<ElementId> elements;  ///< all whose ends are in `bodies` or on the ground
};

/// An element from a copy to a body that the part does not carry: its force on the copy is held
/// over a macro step.
struct FarEdge {
  ElementId element;
  BodyId copy, beyond;
};

/// A part together with the copies around it.
struct OverlappingPart {
  Part part;
  /// Places in `part.bodies` whose error the solver controls: owned ones and the nearer copies.
  Range judged;
  std::vector<FarEdge> edges;
};

struct Partition {
  std::vector<Part> parts;
  Interface interface;
};

}  // namespace cosimo
