// From a model given by its bodies, joints and elements to a mechanism and its initial state.
//
// A user places a body by its reference point; the state of a mechanism is that of the centre of mass. Points
// of joints and elements are in space as placed, or in a body's reference axes; the builder turns them into
// markers (mechanics/builder.hpp). Both markers of a joint have the same axes as placed, so that its angle
// begins at zero. Elements come in the order of the file, compliant joints after them.
#pragma once

#include "config/scenario.hpp"
#include "mechanics/builder.hpp"

namespace cosimo {

/// `scenario.mechanism` is given. Not assembled yet (mechanics/start.hpp). Throws Error with file and line
/// when a user's library cannot be loaded.
PlacedMechanism place_mechanism(const config::Scenario& scenario);

}  // namespace cosimo
