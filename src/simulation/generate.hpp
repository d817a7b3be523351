// The model that a scenario describes: a chain, a generated mechanism, or one given by its bodies.
#pragma once

#include "config/scenario.hpp"
#include "mechanics/start_shifts.hpp"
#include "model/model.hpp"

namespace cosimo {

/// Assembled, and in equilibrium when the scenario asks for it. Throws Error with fields of `model:`.
/// `shifts`: told by how much the initial state was moved onto the joints (simulation/start_state.hpp).
Model generate_model(const config::Scenario& scenario, StartShifts* shifts = nullptr);

}  // namespace cosimo
