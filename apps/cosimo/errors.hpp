// What the program says when something is wrong: a line per fault on stderr, the line of the file below it;
// with --json the same as a document on stdout as well.
#pragma once

#include <string_view>

#include "core/error.hpp"

namespace cosimo::cli {

void say_error(std::string_view text);

/// The faults, or what() where there is none. Returns `code`.
int tell(const Error& error, int code, bool json);
/// An error of the program's surroundings or of its arguments: `text` alone, and with --json the parts of it
/// that are known.
int tell(std::string_view text, int code, bool json, Fault parts = {});

}  // namespace cosimo::cli
