// The size of a model in words, for `check`, plans and tables.
#pragma once

#include <string>

#include "model/model.hpp"

namespace cosimo {

/// "4 bodies, 1 element, 5 joints; mobility 1: 24 freedoms of the bodies less 23 independent constraints (2
/// more are redundant)". Without joints no mobility is told.
std::string model_text(const Model& model);

}  // namespace cosimo
