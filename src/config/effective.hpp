// scenario.effective.yaml: every key with its value, defaults included, in the order of
// the definition. Reading it gives the same scenario.
#pragma once

#include <string>

#include "config/check.hpp"

namespace cosimo::config {

std::string effective_yaml(const Value& root);

}  // namespace cosimo::config
