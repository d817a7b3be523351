#include "numerics/units.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "core/nearest.hpp"
#include "numerics/unit_table.hpp"

namespace cosimo {

namespace {

// More digits than the exact fractions need: a conversion then rounds once in the end.
#if defined(__SIZEOF_FLOAT128__)
__extension__ using Wide = __float128;
#else
using Wide = long double;
#endif

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) > 127;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr std::string_view middle_dot = "\xC2\xB7";

long double integer_power(long double base, int exponent) {
  long double out = 1;
  for (int i = 0; i < exponent; ++i) out *= base;
  return out;
}

/// Thrown within a parse alone.
struct Bad {
  UnitError error;
};

class Parser {
 public:
  Parser(std::string_view text, const UnitOfName& unit, const ExponentOfName& exponent)
      : text_(text), unit_(unit), exponent_(exponent) {}

  Unit parse() {
    const Unit out = product();
    if (at_ < text_.size()) fail("cannot be understood from `" + std::string(text_.substr(at_)) + "` on");
    return out;
  }

 private:
  [[noreturn]] static void fail(std::string problem, std::string remedy =
                                                         "write units as in `kN/mm`, "
                                                         "`N m`, `m/s^2` or `N s/(m rad)`") {
    throw Bad{{std::move(problem), std::move(remedy)}};
  }

  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view sign) {
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  Unit product() {
    Unit out = factor();
    bool divided = false;
    for (;;) {
      blanks();
      if (at_ == text_.size() || text_[at_] == ')') return out;
      if (take("/")) {
        out = out / factor();
        divided = true;
      } else {
        const bool sign = !text_.substr(at_).starts_with("**") && (take("*") || take(middle_dot));
        if (divided && !sign)
          fail("is ambiguous: a product by a blank follows a quotient",
               "write `N s/m` or `N/(m s)` instead of `N/m s`");
        out = out * factor();
      }
    }
  }

  Unit factor() {
    blanks();
    Unit out;
    if (take("(")) {
      if (depth_ == 20) fail("has too many parentheses");
      ++depth_;
      out = product();
      --depth_;
      if (!take(")")) fail("has a parenthesis that is not closed", "close it");
    } else if (take("1")) {
      if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) fail("holds a number");
    } else {
      out = atom();
    }
    blanks();
    return take("^") ? power(out, exponent()) : out;
  }

  Unit atom() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_]) && !text_.substr(at_).starts_with(middle_dot)) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (name.empty())
      fail(at_ == text_.size() ? "ends where a unit is expected" : "has no unit where one is expected");
    if (auto unit = unit_(name)) {
      if (at_ < text_.size() && is_digit(text_[at_]))
        fail("has a number behind `" + name + "`", "write powers with ^, as in `" + name + "^2`");
      return *unit;
    }
    throw Bad{unknown_unit(name)};
  }

  double exponent() {
    blanks();
    if (take("(")) {
      double out = signed_number();
      blanks();
      if (take("/")) out /= signed_number();
      blanks();
      if (!take(")")) fail("has a parenthesis that is not closed", "close it");
      return out;
    }
    if (at_ < text_.size() && is_letter(text_[at_])) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
      if (const auto known = exponent_(text_.substr(begin, at_ - begin))) return *known;
      fail("has no number behind ^");
    }
    return signed_number();
  }

  double signed_number() {
    blanks();
    const bool minus = take("-");
    double out = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), out, std::chars_format::fixed);
    if (error != std::errc() || !(std::abs(out) <= 100))
      fail("has no number behind ^", "write powers as in `m^2`");
    at_ = static_cast<std::size_t>(end - text_.data());
    return minus ? -out : out;
  }

  std::string_view text_;
  const UnitOfName& unit_;
  const ExponentOfName& exponent_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

struct NamedDimension {
  const char* name;
  Dimension dimension;
};

/// Torque and energy are the same product.
const std::vector<NamedDimension>& named_dimensions() {
  static const std::vector<NamedDimension> table{
      {"number", {}},
      {"length", {1, 0, 0, 0}},
      {"mass", {0, 1, 0, 0}},
      {"time", {0, 0, 1, 0}},
      {"angle", {0, 0, 0, 1}},
      {"area", {2, 0, 0, 0}},
      {"volume", {3, 0, 0, 0}},
      {"density", {-3, 1, 0, 0}},
      {"speed", {1, 0, -1, 0}},
      {"acceleration", {1, 0, -2, 0}},
      {"angular velocity", {0, 0, -1, 1}},
      {"angular acceleration", {0, 0, -2, 1}},
      {"frequency", {0, 0, -1, 0}},
      {"force", {1, 1, -2, 0}},
      {"torque or energy", {2, 1, -2, 0}},
      {"power", {2, 1, -3, 0}},
      {"pressure", {-1, 1, -2, 0}},
      {"stiffness (force/length)", {0, 1, -2, 0}},
      {"damping (force time/length)", {0, 1, -1, 0}},
      {"torsional stiffness (force length/angle)", {2, 1, -2, -1}},
      {"torsional damping (force length time/angle)", {2, 1, -1, -1}},
      {"moment of inertia (mass length^2)", {2, 1, 0, 0}},
  };
  return table;
}

std::string power_text(const char* name, double exponent) {
  if (exponent == 1) return name;
  std::string digits = std::to_string(exponent);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return std::string(name) + "^" + digits;
}

}  // namespace

bool Dimension::operator==(const Dimension& other) const {
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  return near(length, other.length) && near(mass, other.mass) && near(time, other.time) &&
         near(angle, other.angle);
}

Unit operator*(const Unit& a, const Unit& b) {
  const Dimension &x = a.dimension, &y = b.dimension;
  return {{x.length + y.length, x.mass + y.mass, x.time + y.time, x.angle + y.angle},
          a.numerator * b.numerator,
          a.denominator * b.denominator};
}

Unit operator/(const Unit& a, const Unit& b) {
  return a * power(b, -1);
}

Unit power(const Unit& unit, double exponent) {
  const Dimension& x = unit.dimension;
  Unit out{{x.length * exponent, x.mass * exponent, x.time * exponent, x.angle * exponent},
           unit.numerator,
           unit.denominator};
  if (exponent < 0) std::swap(out.numerator, out.denominator);
  const double size = std::abs(exponent);
  if (size == std::floor(size)) {
    const int n = static_cast<int>(size);
    out.numerator = integer_power(out.numerator, n);
    out.denominator = integer_power(out.denominator, n);
  } else {
    out.numerator = std::pow(out.numerator, static_cast<long double>(size));
    out.denominator = std::pow(out.denominator, static_cast<long double>(size));
  }
  return out;
}

long double ratio(const Unit& from, const Unit& to) {
  const Wide exact =
      Wide(from.numerator) * Wide(to.denominator) / (Wide(from.denominator) * Wide(to.numerator));
  const auto rounded = static_cast<long double>(exact);
  constexpr long double rounding = 1e-15L;
  return std::abs(rounded - 1) < rounding ? 1 : rounded;
}

double convert(double value, const Unit& from, const Unit& to) {
  if (ratio(from, to) == 1) return value;
  return static_cast<double>(Wide(value) * Wide(from.numerator) * Wide(to.denominator) /
                             (Wide(from.denominator) * Wide(to.numerator)));
}

std::variant<Unit, UnitError> parse_product(std::string_view text, const UnitOfName& unit,
                                            const ExponentOfName& exponent) {
  try {
    return Parser(text, unit, exponent).parse();
  } catch (Bad& bad) {
    return std::move(bad.error);
  }
}

std::variant<Unit, UnitError> parse_unit(std::string_view text) {
  return parse_product(text, known_unit, [](std::string_view) { return std::nullopt; });
}

std::string dimension_text(const Dimension& dimension) {
  for (const NamedDimension& named : named_dimensions())
    if (named.dimension == dimension) return named.name;
  std::string above, below;
  for (const auto& [name, exponent] : {std::pair{"mass", dimension.mass},
                                       {"length", dimension.length},
                                       {"time", dimension.time},
                                       {"angle", dimension.angle}}) {
    if (exponent > 0) above += (above.empty() ? "" : " ") + power_text(name, exponent);
    if (exponent < 0) below += (below.empty() ? "" : " ") + power_text(name, -exponent);
  }
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return above + "/" + (below.find(' ') == std::string::npos ? below : "(" + below + ")");
}

}  // namespace cosimo
