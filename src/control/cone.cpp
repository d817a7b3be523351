#include "control/cone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {

namespace {

constexpr double least_level = 0.5;
constexpr double infinite = std::numeric_limits<double>::infinity();

bool empty(const Medium& medium) {
  return !(medium.omega2 > 0) && !(medium.mu > 0);
}

/// Layers needed at one s.
double layers_at(const Medium& medium, double H, double level, double s) {
  return (s * H + level) / decay(medium, s);
}

}  // namespace

double decay(const Medium& medium, double s) {
  const double carried = std::max(medium.omega2, 0.0) + std::max(medium.mu, 0.0) * s;
  return carried > 0 ? 2 * std::asinh(s / std::sqrt(carried)) : infinite;
}

double best_rate(const Medium& medium, double H, double level) {
  level = std::max(level, least_level);
  // Diffusion has its optimum at level / H; long steps over waves at (3 level omega^2 / H)^(1/3).
  const double base = level / H;
  const double waves = std::cbrt(3 * std::max(medium.omega2, 0.0) / (base * base));
  double low = std::log(0.02 * base), high = std::log(3 * base * std::max(10.0, waves));
  constexpr double golden = 0.6180339887498949;
  auto f = [&](double log_s) { return layers_at(medium, H, level, std::exp(log_s)); };
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double fa = f(a), fb = f(b);
  while (high - low > 0.02) {
    if (fa <= fb) {
      high = b;
      b = a;
      fb = fa;
      fa = f(a = high - golden * (high - low));
    } else {
      low = a;
      a = b;
      fa = fb;
      fb = f(b = low + golden * (high - low));
    }
  }
  return std::exp(0.5 * (low + high));
}

double cone_layers(const Medium& medium, double H, double level) {
  if (empty(medium) || !(H > 0)) return 1;
  level = std::max(level, least_level);
  return std::max(1.0, layers_at(medium, H, level, best_rate(medium, H, level)));
}

}  // namespace cosimo
