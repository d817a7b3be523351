// Whether a disk, or memory, can hold what a run is going to record, asked before anything is computed.
#pragma once

#include <filesystem>

#include "config/scenario.hpp"
#include "results/recorder.hpp"

namespace cosimo {

/// How many there will be; 0: nobody knows.
double output_times(const config::Scenario& scenario);

/// Throws Error, with both sizes, when this machine has less memory than the results at all output times
/// need.
void require_memory(const config::Scenario& scenario, const ResultsLayout& layout);

/// Throws Error, with both sizes, when the rows of motion and tables at all output times need more space than
/// is free where `folder` is or will be. The results that are there count as free: they are replaced, or part
/// of what is needed.
void require_disk_space(const config::Scenario& scenario, const ResultsLayout& layout,
                        const std::filesystem::path& folder);

}  // namespace cosimo
