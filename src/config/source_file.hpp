// Files with a scenario or a part of one.
#pragma once

#include <filesystem>
#include <string>

#include "config/faults.hpp"

namespace cosimo::config {

/// The text of a file. Throws Error, with the faults found so far, when there is none to be read; `source` is
/// the number that `faults` has for the file. Reads a little more than a file may have at most: enough to see
/// that it is too large.
std::string read_source(const std::filesystem::path& file, int source, Faults& faults);

/// A file of the same folder that was probably meant; empty when there is none.
std::string similar_file(const std::filesystem::path& file);

}  // namespace cosimo::config
