// SUNDIALS IDA behind the Integrator interface: variable-order BDF, the published
// reference solver, with our own vector kernels and linear solvers plugged in through
// its official extension points, and exact snapshots of its memory.
#pragma once

#include <memory>

#include "integrator/integrator.hpp"

namespace cosimo {

/// options.method is ignored. linear: automatic and structured eliminate the positions; klu and dense
/// factorise the full first-order matrix of twice the size. Systems with constraints, states or memory have
/// one sparse matrix, whatever it says.
std::unique_ptr<Integrator> make_ida(const System& system, const IntegratorOptions& options);

}  // namespace cosimo
