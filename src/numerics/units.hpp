// Units of measure as people write them: `mm`, `kN/mm`, `N m/rad`, `kg m^2/s^2`, `1/s`, `lbf s^2/in`.
//
// A unit is a product of powers of length, mass, time and angle with a factor in m, kg, s and rad. The factor
// is a quotient of two numbers that are exact wherever the unit is defined by decimal digits (1 in =
// 254/10000 m), so that a conversion rounds once. An angle has a dimension of its own: a torque is no
// torsional stiffness, and 50 Hz are not 50 rad/s.
//
//   auto unit = parse_unit("kN/mm");                   // a Unit, or what is wrong with it
//   double N_per_m = convert(3, std::get<Unit>(unit), Unit{std::get<Unit>(unit).dimension});
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace cosimo {

/// Exponents of the base quantities.
struct Dimension {
  double length = 0, mass = 0, time = 0, angle = 0;

  /// But for the rounding of exponents that are no whole numbers.
  bool operator==(const Dimension& other) const;
  bool is_pure() const { return *this == Dimension{}; }
};

/// `numerator / denominator` of the unit of m, kg, s and rad that has this dimension.
struct Unit {
  Dimension dimension{};
  long double numerator = 1, denominator = 1;
};

Unit operator*(const Unit& a, const Unit& b);
Unit operator/(const Unit& a, const Unit& b);
Unit power(const Unit& unit, double exponent);

/// How many of `to` one of `from` is; both have the same dimension. Exactly one for units that differ by
/// less than rounding.
long double ratio(const Unit& from, const Unit& to);
/// The number of `to` that `value` of `from` is, rounded once.
double convert(double value, const Unit& from, const Unit& to);

/// What is wrong with the text of a unit.
struct UnitError {
  std::string problem, remedy;
};

/// Products by blanks, `*` or `·`, quotients, powers, parentheses. Case matters: `mm` and `Mm`, `MPa` and
/// `mPa` are four units.
std::variant<Unit, UnitError> parse_unit(std::string_view text);

/// The grammar of units over other names: `force length/time`. `exponent` knows names behind `^`.
using UnitOfName = std::function<std::optional<Unit>(std::string_view name)>;
using ExponentOfName = std::function<std::optional<double>(std::string_view name)>;
std::variant<Unit, UnitError> parse_product(std::string_view text, const UnitOfName& unit,
                                            const ExponentOfName& exponent);

/// In words, where there is one (`acceleration`), else as a product: `length^3/time`. Of none: `number`.
std::string dimension_text(const Dimension& dimension);

}  // namespace cosimo
