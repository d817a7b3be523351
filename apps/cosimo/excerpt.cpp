#include "excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "input.hpp"

namespace cosimo::cli {
namespace {

constexpr std::size_t longest_line = 1 << 20;  // bytes of which to show a part

bool inside_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Printable: whatever would move the cursor becomes a space, bytes that are no UTF-8 become question marks.
std::string printable(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size();) {
    const auto byte = static_cast<unsigned char>(line[i]);
    const std::size_t length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 0;
    const std::string_view character = line.substr(i, std::max<std::size_t>(length, 1));
    const bool whole = length > 0 && byte < 0xF5 && character.size() == length &&
                       std::all_of(character.begin() + 1, character.end(), inside_character);
    if (!whole)
      text += '?';
    else if (byte < 0x20 || byte == 0x7F || (byte == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0))
      text.append(length, ' ');
    else
      text += character;
    i += whole ? length : 1;
  }
  return text;
}

/// Bytes from `begin` on that are the value, the key, or else the word there.
std::size_t extent(const Fault& fault, std::string_view line, std::size_t begin) {
  const std::string_view rest = line.substr(begin);
  const std::string_view key = std::string_view(fault.field).substr(fault.field.rfind('.') + 1);
  for (const std::string_view text : {std::string_view(fault.value), key})
    if (!text.empty() && rest.starts_with(text)) return text.size();
  return std::max<std::size_t>(1, std::min(rest.find_first_of(" \t,:]}#"), rest.size()));
}

std::size_t characters(std::string_view text) {
  return width_of(text);
}

/// At most `room` characters of the line, with those from `begin` to `end` among them; these move along.
std::string window(std::string_view line, std::size_t room, std::size_t& begin, std::size_t& end) {
  if (characters(line) <= room) return std::string(line);
  const std::size_t before = characters(line.substr(0, begin));
  std::size_t skipped = before > room / 2 ? before - room / 3 : 0, from = 0;
  const auto next = [&](std::size_t at) {
    do ++at;
    while (at < line.size() && inside_character(line[at]));
    return at;
  };
  for (; skipped > 0; --skipped) from = next(from);
  std::size_t to = from;
  const std::size_t ends = (from > 0 ? 3 : 0) + 3;
  for (std::size_t n = 0; n + ends < room && to < line.size(); ++n) to = next(to);
  const std::string_view head = from > 0 ? "..." : "";
  end = std::max(begin + 1, std::min(end, to)) - from + head.size();
  begin = begin - from + head.size();
  return fmt::format("{}{}{}", head, line.substr(from, to - from), to < line.size() ? "..." : "");
}

/// Line `number` of the text, which may be long and is not to be trusted.
std::optional<std::string> line_of(std::istream& in, int number) {
  std::string line;
  for (int n = 1; std::getline(in, line); ++n) {
    if (n < number) continue;
    if (line.size() > longest_line) return std::nullopt;
    while (line.ends_with('\r')) line.pop_back();
    return line;
  }
  return std::nullopt;
}

}  // namespace

std::string excerpt(const Fault& fault, std::string_view line, const Look& look) {
  const std::string number = fmt::format("{:>5}", fault.line), blank(number.size(), ' ');
  const std::string rule = painted("|", Paint::blue, look);
  std::string text = printable(line);
  const std::size_t place = fault.column > 0 ? static_cast<std::size_t>(fault.column) - 1 : text.size();
  const bool marked = place < text.size();
  std::size_t begin = marked ? place : 0, end = marked ? place + extent(fault, text, place) : 1;
  const std::size_t margin = number.size() + 3;  // " | "
  text = window(text, std::max<std::size_t>(look.columns, margin + 21) - margin, begin, end);
  std::string result = fmt::format("{} {} {}\n", painted(number, Paint::blue, look), rule, text);
  if (!marked) return result;
  const std::string mark = "^" + std::string(characters(text.substr(begin, end - begin)) - 1, '~');
  return result + fmt::format("{} {} {}{}\n", blank, rule,
                              std::string(characters(text.substr(0, begin)), ' '),
                              painted(mark, Paint::red, look));
}

std::string excerpt(const Fault& fault, const Look& look) {
  if (fault.file.empty() || fault.line <= 0) return "";
  std::optional<std::string> line;
  if (fault.file == input_name) {
    std::istringstream in(read_input());
    line = line_of(in, fault.line);
  } else {
    std::error_code code;
    if (!std::filesystem::is_regular_file(fault.file, code)) return "";
    std::ifstream in(fault.file, std::ios::binary);
    line = line_of(in, fault.line);
  }
  return line ? excerpt(fault, *line, look) : "";
}

}  // namespace cosimo::cli
