// Numbers as people write them in scenario files: 5, -.5, 1e3, 1.0E+3. Whole numbers
// may be written 1e5. What YAML dialects disagree about (010, 1_000, 0x1F, 1:30) and
// what is no number (5 mm, .nan, yes) is refused with the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "config/faults.hpp"

namespace cosimo::config {

std::variant<double, Complaint> parse_number(std::string_view text);
std::variant<std::int64_t, Complaint> parse_integer(std::string_view text);

/// Length of the number that `text` begins with: sign, digits with a point, exponent. 0: none.
std::size_t number_length(std::string_view text);

/// The shortest text that every YAML reader takes for the same number.
std::string number_text(double value);

}  // namespace cosimo::config
