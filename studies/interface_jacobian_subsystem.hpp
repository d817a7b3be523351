// The one-mass subsystem of [K] A.1 and A.2 and its interface Jacobian (x_lambda, v_lambda) at T_{N+1}: how
// the end of a macro step depends on the newest sampling point of the coupling force, (A.2) and (A.8),
//
//   x_lambda' = v_lambda,    v_lambda' = -k(t) x_lambda - r(t) v_lambda + l(t) / m,
//
// with l the Lagrange polynomial of the point at T_{N+1} and, for the law (A.6),
//
//   k = (c + 3 C x^2) / m,    r = (d + 3 D v^2) / m.
//
// Independent of the library: it is what the library's Jacobians are compared with.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cosimo::studies {

struct OneMass {
  double m = 1, c = 1e7, d = 0, C = 0, D = 0;  ///< D: nonlinear damping, not a ratio
  double H = 5e-6;
};

/// Polynomial l of degree kappa in s = (t - T_N) / H, which is 1 at s = 1 and 0 at the older points: lowest
/// coefficient first. `older`: a_2, a_3, ... = (T_{N+1} - T_{N+1-i}) / H; equidistant ones are 2, 3, ...
std::vector<double> newest_polynomial(int kappa, const std::vector<double>& older = {2, 3, 4, 5});

struct Gradient {
  double x = 0, v = 0;
};

/// Motion of the subsystem within the macro step, over s in [0, 1]; a linear one does not need it.
struct Course01 {
  std::function<double(double)> x, v;
};

/// (A.5): the first `terms` of the series of a linear subsystem.
Gradient series(const OneMass& body, int kappa, int terms);
/// Factors of H^2 / m and H / m in its first term: Table A.1.
Gradient first_term(const std::vector<double>& newest);

/// One step of a Runge-Kutta method: "rk2", "rk4", "radau3", "radau5", "gauss6".
Gradient one_step(const OneMass& body, int kappa, const std::string& method, const Course01& course = {});
/// One step of the Newmark method.
Gradient newmark(const OneMass& body, int kappa, double beta, double gamma);
/// The solution, by many steps of order 6.
Gradient exact(const OneMass& body, int kappa, const Course01& course = {});

/// A macro step of the nonlinear subsystem, whose mass swings: x = X sin(phase + angle s).
struct NonlinearStep {
  Course01 truth;
  std::vector<Course01> guesses;  ///< extrapolated from the macro points before, with degree 0, 1, 2
};
struct Swing {
  double X = 1e-3, angle = 0.25, phase = 0.3;  ///< angle: of one macro step
};
NonlinearStep nonlinear_step(const OneMass& body, const Swing& swing);

/// Relative error.
double relative(double value, double truth);

}  // namespace cosimo::studies
