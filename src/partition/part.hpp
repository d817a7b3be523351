// Plain data that say how a model is cut: parts and the interface between them.
// Made by partition/, used by everything behind it.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ids.hpp"

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

/// Coordinates of a body and their rates.
struct BodyMotion {
  const double *x = nullptr, *v = nullptr;
};

/// A part together with the copies around it.
struct OverlappingPart {
  Part part;
  /// Places in `part.bodies` whose error the solver controls: owned ones and the nearer copies.
  Range judged;
  std::vector<FarEdge> edges;
};

/// Which end of a cut element.
enum class CutSide { from, to };

/// What the rest of the model does to one end of a cut element (Section 2.1).
enum class Drive {
  force,  ///< the element's force acts there: one coupling variable per component
  motion  ///< that part keeps the element, and the far body moves as prescribed: position and velocity
};

/// One end of a cut element.
struct CutEnd {
  PartId part;
  BodyId body;
  Drive drive = Drive::force;
  std::size_t coordinates = 1;  ///< of the body
};

/// A cut element joins two parts. Both ends driven by the force: force/force decomposition (2.1.1); one by
/// the motion of the other body: force/displacement (2.1.2); both: displacement/displacement (2.1.3).
struct Coupling {
  ElementId element;
  CutEnd from, to;
  std::size_t components = 1;  ///< of its force: 1 in a scalar model, up to 9 (coupling_components())
  std::size_t torques = 0;     ///< how many of them, the last, are torques
};

struct Interface {
  std::vector<Coupling> couplings;  ///< ordered by element
};

struct Partition {
  std::vector<Part> parts;
  Interface interface;
};

}  // namespace cosimo
