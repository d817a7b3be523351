// Size of the next macro step (Section 3.4) and of the first fixed ones (Section 5.1).
// Pure functions of numbers.
#pragma once

#include <cstdint>

#include "control/norms.hpp"

namespace cosimo {

/// What limits the step factor.
struct FactorLimits {
  double r_min = 0.5, r_max = 1.5;
  bool dead_zone = true;
};

/// (safety * norm)^(-1/order): the factor that brings the error of a method of this order to 1 / safety.
/// Infinite for a norm of zero, zero for one that is infinite or not a number.
double optimal_factor(double norm, int order, double safety);

/// (3.27), (3.28) for the a-posteriori estimate of a step of degree kappa: orders kappa + 3 for
/// positions and kappa + 2 for velocities (the smaller factor), kappa + 1 for coupling variables.
double optimal_factor(const ErrorNorms& norms, int kappa, double safety);

/// Listing 3.3: the factor really applied. n_fail counts the consecutive failed error tests, 0 after a
/// success. Without the dead zone a factor between 1 and r_max is used as it is.
double step_factor(double r, int n_fail, const FactorLimits& limits);

/// r after a corrector that did not converge or a subsystem that failed, and after repeated error test
/// failures.
inline constexpr double failure_factor = 0.25;

/// Listing 5.1: size of fixed-step macro step number `step` (from 0) that starts at t (from t_start = 0).
/// 1e-5 H doubled in every step, until 2 H is met; H from there on.
double fixed_step(double H, std::int64_t step, double t);

}  // namespace cosimo
