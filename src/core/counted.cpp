#include "core/counted.hpp"

#include <array>

namespace cosimo {

std::string plural(std::string_view noun) {
  static constexpr std::string_view vowels = "aeiou";
  if (noun.size() > 1 && noun.ends_with('y') && vowels.find(noun[noun.size() - 2]) == std::string_view::npos)
    return std::string(noun.substr(0, noun.size() - 1)) + "ies";
  static constexpr std::array<std::string_view, 4> hissing{"s", "x", "ch", "sh"};
  for (const std::string_view end : hissing)
    if (noun.ends_with(end)) return std::string(noun) + "es";
  return std::string(noun) + "s";
}

}  // namespace cosimo
