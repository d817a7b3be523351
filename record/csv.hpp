// results.csv: the recorded motion as text for spreadsheets and scripts.
#pragma once

#include <filesystem>

#include "record/recorder.hpp"

namespace cosimo {

/// One line per output time: time, x_LABEL of every recorded body, then v_LABEL of every one; 17
/// significant digits, so that reading gives the same numbers. Throws IoError when writing fails.
void write_csv(const Results& results, const std::filesystem::path& file);

}  // namespace cosimo
