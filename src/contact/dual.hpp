// A number with its derivatives by N variables: what the geometry of a contact is computed with where its
// gradient is wanted. Vectors and rotations of such numbers, or of plain ones.
//
//   Dual<2> x = Dual<2>::variable(3.0, 0);   // x * x has the derivatives (6, 0)
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace cosimo::contact {

template <std::size_t N>
struct Dual {
  double value = 0;
  std::array<double, N> by{};

  Dual() = default;
  Dual(double x) : value(x) {}  // NOLINT(google-explicit-constructor): numbers mix with plain ones
  static Dual variable(double x, std::size_t number) {
    Dual out(x);
    out.by[number] = 1;
    return out;
  }
  /// f(this), given f and its derivative there.
  Dual chain(double f, double slope) const {
    Dual out(f);
    for (std::size_t k = 0; k < N; ++k) out.by[k] = slope * by[k];
    return out;
  }
  Dual& operator+=(const Dual& o) { return *this = *this + o; }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual out(a.value + b.value);
    for (std::size_t k = 0; k < N; ++k) out.by[k] = a.by[k] + b.by[k];
    return out;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual out(a.value - b.value);
    for (std::size_t k = 0; k < N; ++k) out.by[k] = a.by[k] - b.by[k];
    return out;
  }
  friend Dual operator-(const Dual& a) { return a.chain(-a.value, -1); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual out(a.value * b.value);
    for (std::size_t k = 0; k < N; ++k) out.by[k] = a.by[k] * b.value + a.value * b.by[k];
    return out;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual out(a.value / b.value);
    for (std::size_t k = 0; k < N; ++k) out.by[k] = (a.by[k] - out.value * b.by[k]) / b.value;
    return out;
  }
};

inline double value_of(double x) {
  return x;
}
template <std::size_t N>
double value_of(const Dual<N>& x) {
  return x.value;
}
inline double root_of(double x) {
  return std::sqrt(x);
}
template <std::size_t N>
Dual<N> root_of(const Dual<N>& x) {
  const double root = std::sqrt(x.value);
  return x.chain(root, 0.5 / root);
}
/// x^e of a number above zero.
inline double power_of(double x, double e) {
  return e == 1.5 ? x * std::sqrt(x) : std::pow(x, e);
}
template <std::size_t N>
Dual<N> power_of(const Dual<N>& x, double e) {
  const double f = power_of(x.value, e);
  return x.chain(f, e * f / x.value);
}

template <class T>
struct Vector {
  T x{}, y{}, z{};

  friend Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector operator*(const T& s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class T>
T dot(const Vector<T>& a, const Vector<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T length(const Vector<T>& a) {
  return root_of(dot(a, a));
}

/// Axes: the columns of a rotation.
template <class T>
struct Axes {
  Vector<T> x, y, z;

  Vector<T> out(const Vector<T>& own) const { return own.x * x + own.y * y + own.z * z; }
  Vector<T> in(const Vector<T>& a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
};

}  // namespace cosimo::contact
