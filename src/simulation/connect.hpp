// Components beside the mechanical model, and the signals between all of them.
//
// A signal goes from an output to an input, both by name: `controller.out`, the coordinate of a body `3.x`, its
// velocity `der(3.x)`, a force on a coordinate `3.force`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/component_spec.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {

/// Adds the signals to `a.interface`, which has the cuts already: components are numbered after the parts.
/// Throws Error where a name means nothing.
void connect(const Wiring& wiring, Assembly& a);

/// "controller.out -> 3.force"; of a cut what the graph calls it. By global number.
std::string coupling_name(const Assembly& a, CouplingId coupling);

}  // namespace cosimo
