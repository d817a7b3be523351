// Components beside the mechanical model, and the signals between all of them.
//
// A signal goes from an output to an input, both by name: `controller.out`, the coordinate of a body `3.x`,
// its velocity `der(3.x)`, a force on a coordinate `3.force`. To add a kind of component, add a line to
// wiring_of().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "integrator/integrator.hpp"
#include "network/component_spec.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {

/// What the scenario names, and what is given besides. `options`: of the solvers.
Wiring wiring_of(const config::Scenario& scenario, const IntegratorOptions& options, const Wiring& besides);

/// Adds the signals to `a.interface`, which has the cuts already: components are numbered after the parts.
/// `end` of the simulation: what may be expected of a signal. Throws Error where a name means nothing.
void connect(const Wiring& wiring, double end, Assembly& a);

/// Coupling variables of this rank that follow inputs from outside.
std::vector<ClassicScheme::Known> outer_variables(const Assembly& a, const CouplingVariables& variables);

/// "controller.out -> 3.force"; of a cut what the graph calls it. By global number.
std::string coupling_name(const Assembly& a, CouplingId coupling);

}  // namespace cosimo
