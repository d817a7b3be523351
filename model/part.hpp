// Plain data that say how a model is cut: parts and the interface between them.
// Made by partition/, used by everything behind it.
#pragma once

#include <vector>

#include "core/ids.hpp"

namespace cosimo {

/// One subsystem's share of the model. Bodies it owns come first in `bodies`; copies of
/// neighbours' bodies that it only carries (overlap) follow. The order of `bodies` is the
/// order of the subsystem's coordinates.
struct Part {
  std::vector<BodyId> bodies;
  std::size_t owned = 0;            ///< the first `owned` of `bodies`
  std::vector<ElementId> elements;  ///< all whose ends are in `bodies` or on the ground
};

/// One end of a cut element.
struct CutEnd {
  PartId part;
  BodyId body;
};

/// A cut element joins two parts; its force is one coupling variable.
struct Coupling {
  ElementId element;
  CutEnd from, to;
};

struct Interface {
  std::vector<Coupling> couplings;  ///< ordered by element
};

struct Partition {
  std::vector<Part> parts;
  Interface interface;
};

}  // namespace cosimo
