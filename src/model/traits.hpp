// What a model states about its solvers and its results. Whoever assembles, plans, records and
// advises asks these facts, not for the kind of a model (docs/decisions/0026-producers.md).
#pragma once

#include <string>

#include "core/settings.hpp"
#include "model/model.hpp"

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
  /// "contacts 'pour' act on 1000 bodies": a law that only explicit methods integrate; and "contacts 'pour'",
  /// one that remembers. Empty: there is none.
  std::string explicit_only, remembering;

  Method stiff_method() const { return constrained ? Method::radau : Method::rosenbrock; }
};

ModelTraits traits_of(const Model& model);

}  // namespace cosimo
