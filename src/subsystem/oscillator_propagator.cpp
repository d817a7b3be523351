#include "subsystem/oscillator_propagator.hpp"

#include <cmath>

namespace cosimo {

namespace {

// Doubling a step s times multiplies rounding errors of the phase by 2^s: the guard digits pay for them.
using Real = long double;
struct Vector {
  Real x = 0, v = 0;
};

constexpr std::size_t count = max_degree + 1;
using Answers = std::array<Vector, count>;

/// g_j over a short step: with w_0 = 1, w_n = -c w_{n-1} - k w_{n-2} the series
/// (x: sum_n w_n h^{n+2} j!/(n+j+2)!,  v: sum_n w_n h^{n+1} j!/(n+j+1)!).
Answers series(Real k, Real c, Real h) {
  constexpr int terms = 24;
  Answers g{};
  Real factorial = 1;  // j!
  for (std::size_t j = 0; j < count; ++j) {
    if (j > 0) factorial *= static_cast<Real>(j);
    Real w = 1, before = 0;   // w_n h^n
    Real factor = factorial;  // j! / (n + j + 1)!
    for (std::size_t i = 2; i <= j + 1; ++i) factor /= static_cast<Real>(i);
    for (int n = 0; n < terms; ++n) {
      const auto next = static_cast<Real>(static_cast<std::size_t>(n) + j + 2);
      g[j].v += w * factor;
      factor /= next;
      g[j].x += w * factor;
      const Real after = -(c * h) * w - (k * h * h) * before;
      before = w;
      w = after;
    }
    g[j].v *= h;
    g[j].x *= h * h;
  }
  return g;
}

/// The columns of D.
struct Increment {
  Vector x, v;
};

Increment increment(const Vector& g0, Real k, Real c) {
  return {{-k * g0.x, -k * g0.v}, {g0.v, -k * g0.x - c * g0.v}};
}

Answers doubled(const Answers& g, const Increment& d) {
  Answers result{};
  Real half_power = 1;
  std::array<Real, count> binomial{1};
  for (std::size_t j = 0; j < count; ++j, half_power /= 2) {
    for (std::size_t i = j; i > 0; --i) binomial[i] += binomial[i - 1];
    Vector sum{g[j].x + (d.x.x * g[j].x + d.v.x * g[j].v), g[j].v + (d.x.v * g[j].x + d.v.v * g[j].v)};
    for (std::size_t i = 0; i <= j; ++i) {
      sum.x += binomial[i] * g[i].x;
      sum.v += binomial[i] * g[i].v;
    }
    result[j] = {half_power * sum.x, half_power * sum.v};
  }
  return result;
}

OscillatorState rounded(const Vector& z) {
  return {static_cast<double>(z.x), static_cast<double>(z.v)};
}

}  // namespace

OscillatorPropagator::OscillatorPropagator(double k, double c, double H) : step_(H) {
  const double rate = std::fmax(std::sqrt(std::fabs(k)), std::fabs(c)) * H;
  int doublings = 0;
  while (std::ldexp(rate, -doublings) > 0.5) ++doublings;
  Answers g = series(k, c, std::ldexp(static_cast<Real>(H), -doublings));
  for (int i = 0; i < doublings; ++i) g = doubled(g, increment(g[0], k, c));
  const Increment d = increment(g[0], k, c);
  d_x_ = rounded(d.x);
  d_v_ = rounded(d.v);
  for (std::size_t j = 0; j < count; ++j) g_[j] = rounded(g[j]);
}

OscillatorState OscillatorPropagator::operator()(const OscillatorState& z, const Polynomial& f) const {
  OscillatorState result{z.x + (d_x_.x * z.x + d_v_.x * z.v), z.v + (d_x_.v * z.x + d_v_.v * z.v)};
  for (std::size_t j = 0; j <= static_cast<std::size_t>(f.degree); ++j) {
    result.x += f.a[j] * g_[j].x;
    result.v += f.a[j] * g_[j].v;
  }
  return result;
}

}  // namespace cosimo
