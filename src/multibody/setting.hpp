// Which coordinates of a model may be given another value between two steps.
#pragma once

#include <cstddef>
#include <string>

#include "model/model.hpp"

namespace cosimo {

/// Why a coordinate cannot be given another value by itself; empty: it can.
std::string obstacle_to_setting(const Model& model, std::size_t coordinate);

}  // namespace cosimo
