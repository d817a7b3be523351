// The coefficients of the Magic Formula by the names that files give them.
#pragma once

#include <span>
#include <string_view>

#include "tyre/spec.hpp"

namespace cosimo::tyre {

struct Coefficient {
  std::string_view name;
  double MagicFormula::*member;
};
/// Those that are pure numbers.
std::span<const Coefficient> coefficients();

/// Without them there is no tyre of this kind.
struct Required {
  std::string_view name, section;
};
std::span<const Required> required_coefficients();

}  // namespace cosimo::tyre
