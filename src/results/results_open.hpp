// Opening a results.h5 that somebody may have cut off, damaged or confused with another file: private to
// results/.
#pragma once

#include <filesystem>
#include <string>

#include "results/hdf5_handles.hpp"

namespace cosimo {

/// Throws Error: "<file>: <problem> (<remedy>)".
[[noreturn]] void refuse(const std::filesystem::path& file, std::string problem, std::string remedy);

/// For anything that fails while reading an open file.
[[noreturn]] void refuse_damaged(const std::filesystem::path& file, const Hdf5Failure& failure);

/// Opened to read, format version checked. Throws Error naming the file when it is missing, damaged or not
/// ours.
Handle open_results(const std::filesystem::path& file);

/// Throws Hdf5Failure.
std::uint64_t read_model_hash(hid_t file);

}  // namespace cosimo
