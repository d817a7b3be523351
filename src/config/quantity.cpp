#include "config/quantity.hpp"

#include <algorithm>
#include <cctype>

#include "config/number.hpp"

namespace cosimo::config {

namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) > 127;
}

/// Length of the parenthesis that the text begins with; 0: there is none, or it is not closed.
std::size_t parenthesis_length(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i == 0 ? 0 : i + 1;
  }
  return 0;
}

}  // namespace

std::optional<Quantity> split_quantity(std::string_view text) {
  // Most numbers have no letters but that of the exponent.
  if (std::ranges::none_of(text, [](char c) { return is_letter(c) && c != 'e' && c != 'E'; }))
    return std::nullopt;
  const bool formula = text.front() == '(';
  const std::size_t length = formula ? parenthesis_length(text) : number_length(text);
  if (length == 0) return std::nullopt;
  std::string_view unit = text.substr(length);
  const bool apart = unit.starts_with(' ');
  while (!unit.empty() && (unit.front() == ' ' || unit.front() == '\t')) unit.remove_prefix(1);
  const bool begins = !unit.empty() && (is_letter(unit.front()) ||
                                        (apart && (unit.starts_with("1/") || unit.starts_with("("))));
  // 0x1F is a number to some readers.
  if (!begins ||
      (!apart && text.substr(0, length).ends_with('0') && length == 1 && (unit[0] == 'x' || unit[0] == 'X')))
    return std::nullopt;
  return Quantity{text.substr(0, length), unit, formula};
}

}  // namespace cosimo::config
