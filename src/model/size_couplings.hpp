// How many coordinates and components the cuts of an interface have in a model.
#pragma once

#include "model/model.hpp"
#include "network/interface.hpp"

namespace cosimo {

/// Fills them in.
void size_couplings(const Model& model, Interface& interface);

}  // namespace cosimo
