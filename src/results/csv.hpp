// results.csv: the recorded motion as text for spreadsheets and scripts.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "results/recorder.hpp"

namespace cosimo {

/// One line per output time: time, then the columns of the positions, then those of the velocities. Named
/// columns are NAME and NAME_dot, others x_LABEL and v_LABEL. Every table goes to a file of its own beside
/// it: results.csv -> results_energy.csv, with the time first. 17 significant digits, so that reading gives
/// the same numbers; names with commas or quotes are quoted (RFC 4180). Throws IoError when writing fails.
void write_csv(const Results& results, const std::filesystem::path& file);

/// The files that write_csv() makes of results with these tables.
std::vector<std::filesystem::path> csv_files(std::span<const TableLayout> tables,
                                             const std::filesystem::path& file);

}  // namespace cosimo
