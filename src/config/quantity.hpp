// A number with a unit as it stands in a file: `12 mm`, `3.5kN/mm`, `5 1/s`, `(2*L + 3) mm`.
#pragma once

#include <optional>
#include <string_view>

namespace cosimo::config {

struct Quantity {
  std::string_view number;  ///< or a formula in parentheses
  std::string_view unit;
  bool formula = false;
};

/// Nothing when the text is a number alone, a formula or anything else. The unit need not be one.
std::optional<Quantity> split_quantity(std::string_view text);

}  // namespace cosimo::config
