// A law of one number that users write as a formula: of a length, a displacement or an angle s, of its rate
// and of time (mechanics/along.hpp).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mechanics/along.hpp"
#include "mechanics/force_element.hpp"
#include "numerics/curve.hpp"

namespace cosimo {

/// The names that its formula knows: t, s, rate.
std::span<const std::string> law_variables();

/// Positive where it makes s smaller, as the force of a stretched spring.
struct LawSpec {
  Along along = Along::length;
  std::string force;
  std::vector<double> breakpoints{};  ///< instants where it may jump
  std::vector<NamedCurve> curves{};   ///< that it may use
  bool turns = false;                 ///< an angle that remembers its turns, as of torsion
};
std::unique_ptr<ForceElement> make_law(std::string name, const Marker& from, const Marker& to,
                                       const LawSpec& spec);

}  // namespace cosimo
