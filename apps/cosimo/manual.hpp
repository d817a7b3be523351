// The manual page cosimo(1), made from the command table.
#pragma once

#include <string>

#include "command_table.hpp"

namespace cosimo::cli {

/// In the language of man(7).
std::string manual_page(const CommandTable& table);

}  // namespace cosimo::cli
