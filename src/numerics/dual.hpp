// Numbers that carry their derivatives along, so that a formula written once gives its value and exact
// derivatives in N directions:
//
//   Dual<2> x(3), y(4);   x.d[0] = 1;   y.d[1] = 1;
//   sqrt(x * x + y * y)   has v = 5, d = {3/5, 4/5}
//
// Derivatives may be duals themselves: then second derivatives follow (mechanics/varied_place.hpp).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace cosimo {

template <std::size_t N, class S = double>
struct Dual {
  S v{};
  std::array<S, N> d{};

  Dual() = default;
  Dual(double value) : v(value) {}  // NOLINT(google-explicit-constructor): a constant among duals

  friend Dual operator+(const Dual& a, const Dual& b) {
    return made(a.v + b.v, [&](std::size_t k) { return a.d[k] + b.d[k]; });
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return made(a.v - b.v, [&](std::size_t k) { return a.d[k] - b.d[k]; });
  }
  friend Dual operator-(const Dual& a) {
    return made(-a.v, [&](std::size_t k) { return -a.d[k]; });
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return made(a.v * b.v, [&](std::size_t k) { return a.v * b.d[k] + a.d[k] * b.v; });
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const S inverse = 1.0 / b.v, quotient = a.v * inverse;
    return made(quotient, [&](std::size_t k) { return (a.d[k] - quotient * b.d[k]) * inverse; });
  }
  Dual& operator+=(const Dual& other) { return *this = *this + other; }
  Dual& operator-=(const Dual& other) { return *this = *this - other; }
  Dual& operator*=(const Dual& other) { return *this = *this * other; }

  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const S root = sqrt(a.v), half = 0.5 / root;
    return made(root, [&](std::size_t k) { return a.d[k] * half; });
  }
  friend Dual exp(const Dual& a) {
    using std::exp;
    const S power = exp(a.v);
    return made(power, [&](std::size_t k) { return power * a.d[k]; });
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const S square = x.v * x.v + y.v * y.v, by_y = x.v / square, by_x = y.v / square;
    return made(atan2(y.v, x.v), [&](std::size_t k) { return by_y * y.d[k] - by_x * x.d[k]; });
  }

 private:
  template <class F>
  static Dual made(const S& value, F derivative) {
    Dual out;
    out.v = value;
    for (std::size_t k = 0; k < N; ++k) out.d[k] = derivative(k);
    return out;
  }
};

}  // namespace cosimo
