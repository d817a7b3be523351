// Whether a shared library can be loaded at all, asked before the system's loader is: it maps the file and
// dies of a signal where a part of it is missing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace cosimo {

/// How long the file must be, at least, to hold what its ELF header promises; none: it is no ELF file of this
/// machine's word size, or cannot be read, and the loader will say so.
std::optional<std::uint64_t> promised_size(const std::filesystem::path& library);

}  // namespace cosimo
