// Contacts of a model given by its bodies: from names and shapes to laws over all who may touch.
//
// Bodies that a joint joins do not touch each other: their shapes overlap where the joint is.
#pragma once

#include <memory>
#include <vector>

#include "config/scenario.hpp"
#include "mechanics/mechanism.hpp"

namespace cosimo {

/// One law for each entry. Throws Error with file and line for shapes that cannot touch.
std::vector<std::unique_ptr<ForceGroup>> place_contacts(const config::Scenario& scenario);

}  // namespace cosimo
