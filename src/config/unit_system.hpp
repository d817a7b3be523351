// What plain numbers of a file mean: the section `units`, and dimensions in the words of the definition
// table.
//
//   units: {length: mm, mass: t, time: s, angle: deg}     # force: N, derived
//   units: {length: in, force: lbf, time: s}              # mass: lbf s^2/in, derived
//
// The texts of Key::dimension are products of `length`, `mass`, `time`, `angle` and `force`. A comma divides
// the columns of a list (`length, force`), and `or` what is measured along a line from what is measured about
// an axis: `force/length or force length/angle`, always in this order. Behind ^ there may be a key of the
// same section.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/faults.hpp"
#include "config/yaml_tree.hpp"
#include "numerics/unit_names.hpp"
#include "numerics/units.hpp"

namespace cosimo::config {

struct UnitSystem {
  Unit length{{1, 0, 0, 0}}, mass{{0, 1, 0, 0}}, time{{0, 0, 1, 0}}, angle{{0, 0, 0, 1}},
      force{{1, 1, -2, 0}};
  UnitNames names{"m", "kg", "s", "rad", "N"};

  /// The same length, mass and time with the force that they make, and radians.
  UnitSystem coherent() const;
  /// Of this dimension: forces where mass is moved, as in `force/length`.
  Unit of(const Dimension& dimension) const;
  /// Of one product in the words of dimensions.
  std::variant<Unit, UnitError> of_text(std::string_view product, const ExponentOfName& exponent) const;
};

/// Of a value `units`. Where it names nothing that is a mass, a length or a time, those of SI hold.
UnitSystem read_unit_system(const Node& units, Faults& faults);
/// As it can stand behind `units`.
Node unit_system_node(const UnitSystem& system, Position position);

/// Columns of a dimension with their alternatives: "length or angle, force" gives two.
std::vector<std::vector<std::string_view>> split_dimension(std::string_view text);

}  // namespace cosimo::config
