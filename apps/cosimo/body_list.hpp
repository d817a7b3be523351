// The bodies that an option --bodies names: "1,5,10-20", "crank,rod".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace cosimo::cli {

/// Their numbers in ascending order; names are those that the first of the `folders` to know them recorded.
/// An empty text chooses none. Throws Error.
std::vector<std::int64_t> chosen_bodies(std::string_view text,
                                        const std::vector<std::filesystem::path>& folders);

}  // namespace cosimo::cli
