#include "numerics/unit_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numbers>
#include <vector>

#include "core/nearest.hpp"

namespace cosimo {

namespace {

constexpr Dimension length{1, 0, 0, 0}, area{2, 0, 0, 0}, mass{0, 1, 0, 0}, duration{0, 0, 1, 0},
    angle{0, 0, 0, 1}, speed{1, 0, -1, 0}, acceleration{1, 0, -2, 0}, force{1, 1, -2, 0}, energy{2, 1, -2, 0},
    effect{2, 1, -3, 0}, pressure{-1, 1, -2, 0}, rate{0, 0, -1, 0}, rotation{0, 0, -1, 1};

constexpr long double pi = std::numbers::pi_v<long double>;
/// Pounds in kg and standard gravity in m/s^2, both by definition.
constexpr long double pound = 45359237, pound_below = 1e8L, gravity = 980665, gravity_below = 1e5L;

struct Named {
  const char* name;
  Dimension dimension;
  long double numerator, denominator;
  bool prefixes = false;
};

constexpr std::array<Named, 45> table{{
    {"m", length, 1, 1, true},
    {"g", mass, 1, 1000, true},
    {"s", duration, 1, 1, true},
    {"rad", angle, 1, 1, true},
    {"N", force, 1, 1, true},
    {"J", energy, 1, 1, true},
    {"W", effect, 1, 1, true},
    {"Pa", pressure, 1, 1, true},
    {"Hz", rate, 1, 1, true},
    {"bar", pressure, 100'000, 1, true},
    {"t", mass, 1000, 1},
    {"min", duration, 60, 1},
    {"h", duration, 3600, 1},
    {"d", duration, 86'400, 1},
    {"deg", angle, pi, 180},
    {"\xC2\xB0", angle, pi, 180},
    {"rev", angle, 2 * pi, 1},
    {"rpm", rotation, pi, 30},
    {"gn", acceleration, gravity, gravity_below},
    {"kph", speed, 10, 36},
    {"kmh", speed, 10, 36},
    {"mph", speed, 1'609'344, 3'600'000},
    {"in", length, 254, 10'000},
    {"ft", length, 3048, 10'000},
    {"yd", length, 9144, 10'000},
    {"mi", length, 1'609'344, 1000},
    {"mil", length, 254, 10'000'000},
    {"lb", mass, pound, pound_below},
    {"lbm", mass, pound, pound_below},
    {"oz", mass, pound, 16 * pound_below},
    {"slug", mass, pound* gravity * 10'000, pound_below* gravity_below * 3048},
    {"slinch", mass, pound* gravity * 10'000, pound_below* gravity_below * 254},
    {"lbf", force, pound* gravity, pound_below* gravity_below},
    {"kip", force, pound* gravity * 1000, pound_below* gravity_below},
    {"kgf", force, gravity, gravity_below},
    {"kp", force, gravity, gravity_below},
    {"dyn", force, 1, 100'000},
    {"psi", pressure, pound* gravity * 10'000 * 10'000, pound_below* gravity_below * 254 * 254},
    {"ksi", pressure, pound* gravity * 10'000 * 10'000 * 1000, pound_below* gravity_below * 254 * 254},
    {"atm", pressure, 101'325, 1},
    {"hp", effect, pound* gravity * 550 * 3048, pound_below* gravity_below * 10'000},
    {"PS", effect, gravity * 75, gravity_below},
    {"Wh", energy, 3600, 1},
    {"kWh", energy, 3'600'000, 1},
    {"ha", area, 10'000, 1},
}};

struct Prefix {
  const char* name;
  long double numerator, denominator;
};

constexpr std::array<Prefix, 14> prefixes{{{"da", 10, 1},
                                           {"d", 1, 10},
                                           {"c", 1, 100},
                                           {"m", 1, 1000},
                                           {"u", 1, 1'000'000},
                                           {"\xC2\xB5", 1, 1'000'000},
                                           {"\xCE\xBC", 1, 1'000'000},
                                           {"n", 1, 1'000'000'000},
                                           {"p", 1, 1'000'000'000'000},
                                           {"h", 100, 1},
                                           {"k", 1000, 1},
                                           {"M", 1'000'000, 1},
                                           {"G", 1'000'000'000, 1},
                                           {"T", 1'000'000'000'000, 1}}};

const Named* find(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Named::name);
  return found != table.end() ? &*found : nullptr;
}

}  // namespace

std::optional<Unit> known_unit(std::string_view name) {
  if (const Named* unit = find(name)) return Unit{unit->dimension, unit->numerator, unit->denominator};
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const Named* unit = find(name.substr(std::string_view(prefix.name).size()));
    if (unit == nullptr || !unit->prefixes) continue;
    return Unit{unit->dimension, unit->numerator * prefix.numerator, unit->denominator * prefix.denominator};
  }
  return std::nullopt;
}

UnitError unknown_unit(const std::string& name) {
  // Common spellings with the case wrong come first: `nearest` sees no case.
  std::vector<std::string_view> names;
  for (const Named& unit : table) names.emplace_back(unit.name);
  names.insert(names.end(), {"mm", "cm", "km", "kg", "mg", "ms", "kN", "MN", "kPa", "MPa", "GPa", "kW", "kJ",
                             "kHz", "mrad"});
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 14> words{{{"sec", "s"},
                                                                                        {"second", "s"},
                                                                                        {"seconds", "s"},
                                                                                        {"hour", "h"},
                                                                                        {"hours", "h"},
                                                                                        {"hr", "h"},
                                                                                        {"meter", "m"},
                                                                                        {"metre", "m"},
                                                                                        {"inch", "in"},
                                                                                        {"degree", "deg"},
                                                                                        {"degrees", "deg"},
                                                                                        {"ton", "t"},
                                                                                        {"lbs", "lb"},
                                                                                        {"Nm", "N m"}}};
  const auto word = std::ranges::find(words, name, &std::pair<std::string_view, std::string_view>::first);
  const std::string_view near = word != words.end() ? word->second : nearest(name, names);
  return {"has the unknown unit `" + name + "`",
          near.empty()
              ? "units are, for example, mm, m, in, kg, t, lb, s, h, deg, rad, N, kN, lbf, J, W, bar, "
                "MPa, rpm and products such as `N m`"
              : "did you mean `" + std::string(near) + "`? Case matters, and products have a blank"};
}

}  // namespace cosimo
