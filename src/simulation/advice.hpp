// What a finished run with overlaps should tell besides its numbers: a run whose layers and macro step
// are both given is not judged, and may be plainly wrong.
#pragma once

#include <string>

#include "config/scenario.hpp"
#include "cosimo/report.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {

/// Empty when the errors stayed within the tolerance. Otherwise one line that names the worst cut and the
/// layers that the cone asks for there.
std::string overlap_advice(const config::Scenario& scenario, const Assembly& assembly,
                           const Report::Blame& blame);

}  // namespace cosimo
