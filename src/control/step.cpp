#include "control/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {

double ErrorNorms::largest() const {
  const auto larger = [](double a, double b) { return std::isnan(a) || a > b ? a : b; };  // keeps a NaN
  if (level == ErrorLevel::coupling) return u;
  const double states = larger(pos, vel);
  return level == ErrorLevel::both ? larger(u, states) : states;
}

double optimal_factor(double norm, int order, double safety) {
  if (std::isnan(norm)) return 0;
  const double scaled = safety * norm;
  return scaled > 0 ? std::pow(scaled, -1.0 / order) : std::numeric_limits<double>::infinity();
}

double optimal_factor(const ErrorNorms& norms, int kappa, double safety) {
  const double variables = optimal_factor(norms.u, kappa + 1, safety);
  if (norms.level == ErrorLevel::coupling) return variables;
  const double states =
      std::min(optimal_factor(norms.pos, kappa + 3, safety), optimal_factor(norms.vel, kappa + 2, safety));
  return norms.level == ErrorLevel::both ? std::min(variables, states) : states;
}

double step_factor(double r, int n_fail, const FactorLimits& limits) {
  if (n_fail > 1) return failure_factor;
  if (n_fail == 1) return std::min(0.9, std::max(failure_factor, 0.9 * r));
  if (r >= limits.r_max) return limits.r_max;
  if (r < 1) return std::min(0.9, std::max(limits.r_min, r));
  return limits.dead_zone ? 1.0 : r;
}

double fixed_step(double H, std::int64_t step, double t) {
  const double rest = 2 * H - t;
  if (rest <= 1e-9 * H) return H;  // 2 H is met but for the rounding of t
  const int doublings = static_cast<int>(std::min<std::int64_t>(step, 64));
  return std::min(std::ldexp(1e-5 * H, doublings), rest);
}

}  // namespace cosimo
