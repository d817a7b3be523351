// A scenario from whatever file describes it: a scenario file, or a System Structure Package, which becomes
// the same tree of keys and values.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "config/scenario.hpp"

namespace cosimo {

/// Throws Error with all faults.
config::Scenario load(const std::filesystem::path& file, std::span<const std::string> overrides);

}  // namespace cosimo
