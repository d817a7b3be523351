// A hint for models that may have been meant otherwise: bodies that nothing joins to the ground, neither
// directly nor through others. That is no fault: satellites fly freely. But under gravity they fall for ever,
// and beside bodies that do stand on the ground a spring or a joint was probably forgotten.
#pragma once

#include <string>
#include <vector>

#include "partition/body_graph.hpp"

namespace cosimo {

/// One line for every set of bodies that hang together but not on the ground, if there is gravity or anything
/// else in the model. Applied forces join nothing.
std::vector<std::string> unsupported_bodies(const BodyGraph& graph);

}  // namespace cosimo
