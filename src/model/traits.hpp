// What a model states about its solvers, its results and its memory. Whoever assembles, plans, records and
// advises asks these facts, not for the kind of a model (docs/decisions/0026-producers.md).
#pragma once

#include <vector>

#include "core/settings.hpp"
#include "model/model.hpp"
#include "numerics/extent.hpp"

namespace cosimo {

struct ModelTraits {
  /// Solvers carry derivatives by coupling variables along: interface Jacobians `sensitivity`, `rk` and
  /// `series` of several terms.
  bool derivatives = true;
  /// Equations have the form of integrator/constrained_system.hpp: `klu` and `radau` solve them, not
  /// `structured`, `dense` or `rosenbrock`.
  bool constrained = false;
  bool angles = false;  ///< some coordinates are angles or parts of quaternions
  /// What is recorded is computed from the state of all bodies, and from what elements remember.
  bool output_from_all = false;

  Method stiff_method() const { return constrained ? Method::radau : Method::rosenbrock; }
};

ModelTraits traits_of(const Model& model);

/// Where that which each element remembers begins among that of all, and how much there is in all
/// (Mechanism::memory_offsets()); empty: elements remember nothing.
std::vector<Extent> memory_offsets(const Model& model);

}  // namespace cosimo
