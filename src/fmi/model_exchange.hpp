// An FMU for model exchange as a component: it has the equations, our integrators solve them.
//
//   z      continuous states, with the nominal values that the FMU gives
//   roots  event indicators; behind them t - (next time event), and whether a step event is due
//   s      which discrete state of the FMU holds, the next time event, what an accepted step asked for
//
// The discrete part of an FMU is hidden in its instance. Integrators go back, rehearse events and look at
// states that they give up again; so every event makes a new saved state of the FMU with a new number, which
// is memory s like any other: to evaluate with a number is to evaluate with that state. Without
// canGetAndSetFMUState there is one state only, events happen once and for all, and steps are not taken back.
#pragma once

#include <memory>

#include "fmi/ports.hpp"
#include "fmi/prepared.hpp"
#include "integrator/integrator.hpp"
#include "native/signal_component.hpp"
#include "network/component.hpp"

namespace cosimo::fmi {

/// What model exchange knows of an FMU before it runs.
struct Exchange {
  std::size_t states = 0, indicators = 0;
  bool eventful = false;   ///< it may have events, or wants to hear of accepted steps
  bool goes_back = false;  ///< steps can be taken back
};
Exchange exchange_of(const Description& description);

/// What it refers to must outlive it.
std::unique_ptr<Component> make_model_exchange(const Prepared& prepared, const Ports& ports, SignalEnds ends,
                                               const IntegratorOptions& options);

}  // namespace cosimo::fmi
