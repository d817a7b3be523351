// More functions of numbers that carry their derivatives (numerics/dual.hpp).
#pragma once

#include <cmath>
#include <cstddef>

#include "numerics/dual.hpp"

namespace cosimo {

/// f(x), given f and its derivative there.
template <std::size_t N, class S>
Dual<N, S> chained(const Dual<N, S>& x, const S& f, const S& slope) {
  Dual<N, S> out;
  out.v = f;
  for (std::size_t k = 0; k < N; ++k) out.d[k] = slope * x.d[k];
  return out;
}

template <std::size_t N, class S>
Dual<N, S> sin(const Dual<N, S>& x) {
  using std::cos;
  using std::sin;
  return chained(x, S(sin(x.v)), S(cos(x.v)));
}
template <std::size_t N, class S>
Dual<N, S> cos(const Dual<N, S>& x) {
  using std::cos;
  using std::sin;
  return chained(x, S(cos(x.v)), S(-sin(x.v)));
}
template <std::size_t N, class S>
Dual<N, S> atan(const Dual<N, S>& x) {
  using std::atan;
  return chained(x, S(atan(x.v)), S(1.0 / (1.0 + x.v * x.v)));
}
template <std::size_t N, class S>
Dual<N, S> tanh(const Dual<N, S>& x) {
  using std::tanh;
  const S value = tanh(x.v);
  return chained(x, value, S(1.0 - value * value));
}

/// Without derivatives.
inline double value_of(double x) {
  return x;
}
template <std::size_t N, class S>
double value_of(const Dual<N, S>& x) {
  return value_of(x.v);
}

}  // namespace cosimo
