// The first half of an assembly: model and parts, and who runs which.
//
//   together(exchange, [&] { build_model(scenario, a); });   not collective: one rank may see a bad mass
//   ... how the cuts are treated: a.overlap, or leave_uncut(scenario, a) ...
//   distribute(scenario, a);                                 collective
//
// A chain that is cut into stretches is built where these are placed: at first by the number of their bodies,
// then, when every rank has looked at its own, by expected cost.
#pragma once

#include "config/scenario.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {

/// model, window, partition, breakpoints and a first placement. Throws Error.
void build_model(const config::Scenario& scenario, Assembly& a);

/// The whole model as one part, which rank 0 runs.
void leave_uncut(const config::Scenario& scenario, Assembly& a);

/// placement, local, seam, and what of the overlap depends on them. Throws Error, on all ranks alike.
void distribute(const config::Scenario& scenario, Assembly& a);

}  // namespace cosimo
