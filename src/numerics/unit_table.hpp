// The units that have names, with the prefixes that they may have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "numerics/units.hpp"

namespace cosimo {

std::optional<Unit> known_unit(std::string_view name);
/// The one that was probably meant.
UnitError unknown_unit(const std::string& name);

}  // namespace cosimo
