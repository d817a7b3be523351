// What the program prints, on streams that may be closed, full or gone.
//
//   open_streams();                         first of all
//   say("{} is valid\n", file);           to stdout; say(stderr, ...) to the other
//   return printed(code);                   last of all
//
// Nothing here throws for want of a reader: a run does not end because its terminal did.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace cosimo::cli {

/// Descriptors 0 to 2 are open, so that no file of a run gets one of them and is printed into. A file that
/// grows beyond `ulimit -f` is a failing write, not a signal.
void open_streams();

/// Nothing is printed from now on, or is again.
void mute(bool on);

void put(std::FILE* stream, std::string_view text);

template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, Values&&... values) {
  put(stream, fmt::format(format, std::forward<Values>(values)...));
}
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  say(stdout, format, std::forward<Values>(values)...);
}

/// `code`, unless all went well but what was printed to stdout did not get there, such as with a closed one:
/// then stderr says so.
int printed(int code);

}  // namespace cosimo::cli
