// From the measures of results/compare.hpp to the public Comparison.
#pragma once

#include <filesystem>

#include "cosimo/cosimo.hpp"
#include "results/recorder.hpp"

namespace cosimo {

/// The results.h5 of a folder, or the file that is named itself.
std::filesystem::path results_file(const std::filesystem::path& place);

Comparison comparison_of(const Results& a, const Results& reference, const CompareOptions& options);

}  // namespace cosimo
