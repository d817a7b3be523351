// Prediction of coupling variables at T_{N+1} and the approximation polynomials that
// the subsystems are integrated with (Section 2.4.1).
//
//   predicted value (2.23): extrapolation of degree kappa, or a least-squares fit
//   polynomial       (2.24): degree kappa through kappa old points and the predicted value
//
// Both on the real, non-equidistant grid. kappa is lowered silently to what the history
// supports (used_degree()). Call sequence of a macro step:
//
//   const int k = used_degree(history, kappa);
//   predict(history, T_N + H, k, options, u_pre);
//   approximate(history, T_N + H, k, u_pre, polynomials);
//   ... integrate, update, accept ...
//   history.push(T_N + H, u);
//
// Cost: one sweep over the stored values, vectorised over the variables. No function
// allocates. Every variable is treated alike: its result does not depend on its position.
#pragma once

#include <span>

#include "numerics/polynomial.hpp"
#include "signal/history.hpp"

namespace cosimo {

struct PredictorOptions {
  int least_squares_points = 0;  ///< 0: extrapolation; otherwise N_sp > kappa + 1, at most 64
};

/// min(kappa, points in the history - 1).
int used_degree(const History& history, int kappa);

/// u^pre at t_next by extrapolation or fit of degree kappa (already a used_degree()).
/// A fit needs N_sp > kappa + 1 stored points; while there are fewer (the start phase), or where
/// N_sp asks for no more than kappa + 1, the value is extrapolated.
void predict(const History& history, double t_next, int kappa, const PredictorOptions& options,
             std::span<double> u_pre);

/// Approximation polynomials on [T_N, t_next] of degree kappa through the newest kappa points and
/// (t_next, u_end). kappa = 0: the constant u_end. Needs max(kappa, 1) points; origin T_N, scale H.
void approximate(const History& history, double t_next, int kappa, std::span<const double> u_end,
                 std::span<Polynomial> out);

/// By how much such a polynomial moves per unit of u_end: the Lagrange basis polynomial of t_next.
Polynomial end_shape(const History& history, double t_next, int kappa);

/// H^j P_j^(j) per variable for one j >= 1: the scaled derivative of the degree-j interpolation through
/// the newest j+1 points (3.25). Needs j+1 points.
void scaled_derivative(const History& history, int j, double H, std::span<double> out);

/// The a-priori estimate (3.26) for a step of degree kappa that ends at t_next, per variable:
/// P_{kappa+1}(t_next) - P_kappa(t_next). Needs kappa + 2 points.
void a_priori_error(const History& history, double t_next, int kappa, std::span<double> out);

}  // namespace cosimo
