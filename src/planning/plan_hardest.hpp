// The hardest of the cuts of a model, and of all its elements: what decides which schemes are worth trying.
#pragma once

#include "partition/body_graph.hpp"

namespace cosimo {

/// At the initial state (simulation/cut_facts.hpp).
struct Hardest {
  double damping_at_cuts = 0;  ///< largest damping ratio D of a cut element
  double damping = 0;          ///< of any element between two bodies
  double mass_ratio = 1;       ///< largest at a cut, heavier to lighter
};

Hardest hardest(const BodyGraph& graph, const Interface& interface);

}  // namespace cosimo
