// What is known of the terminal behind a stream: whether there is one, how wide, whether it shows colours.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace cosimo::cli {

/// How a text is laid out for its reader.
struct Look {
  std::size_t columns = 100;
  bool colour = false;
  bool unicode = false;  ///< lines and blocks beyond ASCII
};

/// A pipe or a log file gets no progress line.
bool on_terminal(std::FILE* stream);

/// Colour only on a terminal, and not where NO_COLOR (https://no-color.org) or TERM=dumb forbid it.
Look look_of(std::FILE* stream);

enum class Paint { bold, faint, red, green, yellow, blue };
/// `text` as it is where there is no colour.
std::string painted(std::string_view text, Paint paint, const Look& look);

/// Columns that a UTF-8 text takes: its characters, each counted once.
std::size_t width_of(std::string_view text);

}  // namespace cosimo::cli
