// Points of bodies that have names: `markers: {tip: [1, 0, 0]}` of a body, `from: arm.tip` of a joint or an
// element, which becomes `from: arm, at_from: [1, 0, 0]`.
#pragma once

#include "config/faults.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// A text that begins with no body of the model stays, for the rules to complain about.
void place_markers(Node& model, Faults& faults);

}  // namespace cosimo::config
