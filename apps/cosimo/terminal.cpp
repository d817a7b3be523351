#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace cosimo::cli {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// By the names of the locale alone: setting it would change how libraries read numbers.
bool speaks_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = environment(name);
    if (locale.empty()) continue;
    return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

const char* code_of(Paint paint) {
  switch (paint) {
    case Paint::bold:
      return "1";
    case Paint::faint:
      return "2";
    case Paint::red:
      return "1;31";
    case Paint::green:
      return "32";
    case Paint::yellow:
      return "33";
    case Paint::blue:
      return "34";
  }
  return "0";
}

}  // namespace

bool on_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) != 0;
}

Look look_of(std::FILE* stream) {
  Look look;
  if (!on_terminal(stream)) return look;
  winsize size{};
  look.columns = 80;
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) look.columns = size.ws_col;
  look.colour = environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  look.unicode = speaks_unicode();
  return look;
}

std::string painted(std::string_view text, Paint paint, const Look& look) {
  return look.colour && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code_of(paint), text)
                                      : std::string(text);
}

std::size_t width_of(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins));
}

}  // namespace cosimo::cli
