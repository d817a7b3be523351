// From checked values to the plain structs of scenario.hpp. Only for values without fault.
#pragma once

#include "config/check.hpp"
#include "config/scenario.hpp"

namespace cosimo::config {

Scenario read_scenario(const Value& root);

}  // namespace cosimo::config
