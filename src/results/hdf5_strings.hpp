// Arrays of names in an HDF5 file: private to results/.
//
// Fixed-length UTF-8, padded with zeros to the longest name. Strings of variable length would live in the
// library's global heap, whose blocks are metadata that grow with the file: a writer killed between two of
// them leaves references to nothing. A fixed-length array is one block of raw data, written before the file
// goes live.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/hdf5_handles.hpp"

namespace cosimo {

/// The dataset [names], written now. Nothing is made for no names.
void make_strings(hid_t parent, const char* name, std::span<const std::string> names);

/// All names of a one-dimensional dataset of fixed-length strings, made by make_strings() or padded with
/// spaces by another program. Throws Hdf5Failure for anything else.
std::vector<std::string> read_strings(hid_t parent, const std::string& path);

/// What make_strings() writes.
std::size_t stored_bytes(std::span<const std::string> names);

}  // namespace cosimo
