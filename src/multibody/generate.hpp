// The model that a scenario describes: a chain, a generated mechanism, or one given by its bodies.
#pragma once

#include <optional>

#include "config/scenario.hpp"
#include "mechanics/start_shifts.hpp"
#include "model/chain.hpp"
#include "model/model.hpp"

namespace cosimo {

/// Assembled, and in equilibrium when the scenario asks for it. Throws Error with fields of `model:`.
/// `shifts`: told by how much the initial state was moved onto the joints (multibody/start_state.hpp).
Model generate_model(const config::Scenario& scenario, StartShifts* shifts = nullptr);

/// Of a model that ranks can make in stretches (multibody/window.hpp); none: only as a whole.
std::optional<ChainGenerator> stretch_generator(const config::Scenario& scenario);

ChainSpec chain_spec(const config::Chain& chain);

}  // namespace cosimo
