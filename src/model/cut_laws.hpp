// The laws of a model's cut elements (network/laws.hpp). In a scalar model a force is one number by law
// (2.9), in a mechanism the components of the element's effort that matter between its bodies
// (model/cut_effort.hpp).
#pragma once

#include <memory>

#include "model/model.hpp"
#include "network/cut_states.hpp"
#include "network/laws.hpp"

namespace cosimo {

/// The couplings must know their sizes (model/size_couplings.hpp). The model's mechanism must outlive them.
std::shared_ptr<const Laws> make_laws(const Model& model, const Interface& interface);

/// The initial states of the coupling bodies.
CutStates initial_states(const Model& model, const Interface& interface);

}  // namespace cosimo
