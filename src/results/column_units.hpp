// Units of the columns of results.h5, by what their names say: private to results/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/hdf5_handles.hpp"
#include "results/recorder.hpp"

namespace cosimo {

/// In the words of UnitNames::of(): of a coordinate `length` or `angle`; empty: none, or not known.
std::string_view dimension_of_coordinate(std::string_view column);
/// Of a column of a table.
std::string_view dimension_of_column(std::string_view table, std::string_view column);

/// /units with attributes per base quantity and names per column; an attribute `units` on /time, and on
/// /position, /velocity and tables where all columns have the same. Nothing where numbers have no meaning.
void write_units(hid_t file, const ResultsLayout& layout);

}  // namespace cosimo
