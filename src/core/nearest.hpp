// The valid name that somebody most probably meant.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace cosimo {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, letter case and -/_ aside; empty when none is near.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace cosimo
