// The model that a scenario describes: a chain, a generated mechanism, or one given by its bodies.
#pragma once

#include "config/scenario.hpp"
#include "model/model.hpp"

namespace cosimo {

/// Assembled, and in equilibrium when the scenario asks for it. Throws Error with fields of `model:`.
Model generate_model(const config::Scenario& scenario);

}  // namespace cosimo
