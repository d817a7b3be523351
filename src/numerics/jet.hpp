// A number with its first two derivatives with respect to one variable: what formulas are computed with where
// their derivatives are wanted (numerics/formula.hpp). The derivatives are exact but for rounding, whatever
// the units of the variable.
//
//   Jet t{0.3, 1};                   // the variable itself
//   Jet y = chain(sin_at(t.value), t);
//
// At a kink the derivatives are the mean of both sides (abs, min, max) or those of the branch taken. A zero
// derivative stays zero where it meets an infinite one: sqrt(x^2) has slope 0 at 0.
#pragma once

#include <cmath>

namespace cosimo {

struct Jet {
  double value = 0, first = 0, second = 0;
};

/// A function's value with its derivatives by its argument.
using Taylor = Jet;

inline double zero_wins(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

/// f(u), of the function's values at u.
inline Jet chain(const Taylor& f, const Jet& u) {
  return {f.value, zero_wins(f.first, u.first),
          zero_wins(f.second, u.first * u.first) + zero_wins(f.first, u.second)};
}

inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}
inline Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}
inline Jet operator-(const Jet& a) {
  return {-a.value, -a.first, -a.second};
}
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, zero_wins(a.first, b.value) + zero_wins(a.value, b.first),
          zero_wins(a.second, b.value) + 2 * zero_wins(a.first, b.first) + zero_wins(a.value, b.second)};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  const double q = a.value / b.value;
  const double first = (a.first - zero_wins(q, b.first)) / b.value;
  return {q, first, (a.second - 2 * zero_wins(first, b.first) - zero_wins(q, b.second)) / b.value};
}
inline Jet mean(const Jet& a, const Jet& b) {
  return {a.value, 0.5 * (a.first + b.first), 0.5 * (a.second + b.second)};
}

inline Jet power(const Jet& x, const Jet& y) {
  const double f = std::pow(x.value, y.value);
  const Jet by_base = chain({f, zero_wins(y.value, std::pow(x.value, y.value - 1)),
                             zero_wins(y.value * (y.value - 1), std::pow(x.value, y.value - 2))},
                            x);
  if (y.first == 0 && y.second == 0) return by_base;
  // d/dy of x^y is x^y ln x, and d2/dxdy is x^(y-1) (1 + y ln x).
  const double log_x = std::log(x.value), by_y = zero_wins(f, log_x);
  const double mixed = zero_wins(std::pow(x.value, y.value - 1), 1 + zero_wins(y.value, log_x));
  return {f, by_base.first + zero_wins(by_y, y.first),
          by_base.second + 2 * zero_wins(mixed, x.first * y.first) +
              zero_wins(zero_wins(by_y, log_x), y.first * y.first) + zero_wins(by_y, y.second)};
}

/// The remainder with the sign of the divisor, as in mod(-1, 3) = 2; exact, however large the quotient. One
/// that rounds to a whole number is one: mod(1, 0.1) = 0.
inline double modulo(double x, double y) {
  const double quotient = std::fabs(x / y);
  if (quotient >= 1 && quotient < 0x1p52 && quotient == std::floor(quotient)) return 0;
  const double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
inline Jet modulo(const Jet& x, const Jet& y) {
  const double rest = modulo(x.value, y.value), quotient = std::round((x.value - rest) / y.value);
  return {rest, x.first - zero_wins(quotient, y.first), x.second - zero_wins(quotient, y.second)};
}

inline Jet arc_tangent(const Jet& y, const Jet& x) {
  const double square = x.value * x.value + y.value * y.value;
  const double first = (x.value * y.first - y.value * x.first) / square;
  return {std::atan2(y.value, x.value), first,
          (x.value * y.second - y.value * x.second - 2 * first * (x.value * x.first + y.value * y.first)) /
              square};
}

}  // namespace cosimo
