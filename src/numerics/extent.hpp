// How much there is beside coordinates, of a system (integrator/whole.hpp) or of one element of it
// (mechanics/element_memory.hpp), and what an event does.
#pragma once

#include <cstddef>

namespace cosimo {

/// First-order states z, memory s, root functions. All zero: an ordinary system, which pays nothing for the
/// others.
struct Extent {
  std::size_t z = 0, s = 0, roots = 0;
  bool states() const { return z + s > 0; }
};

/// What an event has done.
enum class Fired {
  none,    ///< nothing: the motion goes on as it is
  inside,  ///< the right-hand side changes its character; nothing that others see has jumped
  outputs  ///< states jump: whoever is coupled to them must hear of it
};

}  // namespace cosimo
