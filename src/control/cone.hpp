// The light cone of an overlap: how far an error made at the outermost copies can travel
// in one macro step.
//
// Near a cut let body i have mass m_i and elements with tangents k_e, d_e. In the Laplace
// domain the linearised equations are (m_i s^2 + sum_e (k_e + s d_e)) x_i - ... = source,
// and for any s > 0 they stay positive definite after the substitution x_i -> e^phi_i x_i
// as long as at every body
//
//   sum_e (k_e + s d_e) (cosh(phi_i - phi_j) - 1) <= m_i s^2.
//
// So along every element phi may fall by the decay of its two bodies, whichever is smaller:
//
//   theta_i(s) = 2 arsinh( s / sqrt(omega_i^2 + mu_i s) ),
//   omega_i^2 = 2 sum_e k_e / m_i,   mu_i = 2 sum_e d_e / m_i   (Gershgorin's bounds),
//
// and an error A that enters at the far edge reaches an owned body as at most
//
//   A exp(s H - phi),   phi = sum of theta along the shortest path,      for every s > 0.
//
// On a uniform chain without damping the best s gives 2 w (arcosh(w / tau) - sqrt(1 - (tau/w)^2))
// for w layers, tau = H omega / 2: the decay of the Bessel function J_2w(2 tau) that solves the
// chain exactly. With damping alone it gives the law of diffusion. Bodies of different mass, layers
// of different stiffness, trees and lattices need no separate rule.
#pragma once

#include "numerics/medium.hpp"

namespace cosimo {

/// theta(s): how much of ln(error) is lost between this body and the next. Infinite where nothing
/// connects them.
double decay(const Medium& medium, double s);

/// The s that needs the fewest layers of a uniform medium to hold an error ln(A / tol) = `level` over H.
double best_rate(const Medium& medium, double H, double level);

/// That number of layers, not rounded; at least 1. `level` below a small positive number counts as that.
double cone_layers(const Medium& medium, double H, double level);

}  // namespace cosimo
