// What `cosimo run --verbose` prints below the table.
#pragma once

#include <string>

#include "cosimo/report.hpp"

namespace cosimo::cli {

/// Every subsystem with its work, the sections of the step, the tolerances.
std::string details(const Report& report);

}  // namespace cosimo::cli
