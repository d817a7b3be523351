// What a text must be before it is worth parsing: UTF-8 without control characters,
// indented by spaces, of bearable size.
#pragma once

#include <string_view>

#include "config/faults.hpp"

namespace cosimo::config {

/// The text without a byte order mark. Throws Error when it is not a text.
std::string_view checked_text(std::string_view text, int source, Faults& faults);

}  // namespace cosimo::config
