// Files of tyre properties, `.tir`: sections of names and numbers.
//
//   [MODEL]
//   FITTYP = 61                $ a comment, as behind !
//   [LONGITUDINAL_COEFFICIENTS]
//   PCX1   = 1.6
//
// FITTYP 6 and 21 are MF-Tyre 5.2, 60 to 62 are MF-Tyre 6.x. Names that nothing here asks for (inertia, turn
// slip, belt, rim) are passed over. What the tyre is to have instead of what the file says comes later, from
// the scenario.
#pragma once

#include <string>
#include <string_view>

#include "tyre/spec.hpp"

namespace cosimo::tyre {

/// What a metre, a kilogram and a second are in the units of the model.
struct ModelUnits {
  double length = 1, mass = 1, time = 1;
};

/// Throws Error with all that is wrong with the text. `file` is what messages call it.
Spec read_tir(std::string_view text, const std::string& file, const ModelUnits& units);

}  // namespace cosimo::tyre
