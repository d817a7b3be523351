// A number and what it counts: "1 body", "2 bodies", "0 rejected steps".
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace cosimo {

/// `noun` in the singular, of several words if need be: the last one gets the ending.
std::string plural(std::string_view noun);

template <std::integral Number>
std::string counted(Number n, std::string_view noun) {
  return std::to_string(n) + ' ' + (n == 1 ? std::string(noun) : plural(noun));
}

}  // namespace cosimo
