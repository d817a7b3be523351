// Spectral radii of coupling schemes on the linear two-mass oscillator (Appendix C.1), in units where the
// first mass and the macro step are 1. The scheme is built by the same code as that of a run, from the same
// settings; only the subsystems are exact (subsystem/linear_oscillator.hpp), and iterations have fixed
// numbers. See cosimo/stability.hpp for the plane of the map.
//
//   const config::Scenario settings = coupling_of(scenario);     what of a scenario counts
//   double rho = spectral_radius(settings, ratios, re, im);
#pragma once

#include "config/scenario.hpp"
#include "cosimo/stability.hpp"

namespace cosimo {

/// The scenario's coupling, put on the test model. Throws Error when that has no meaning.
config::Scenario coupling_of(const config::Scenario& scenario);

/// The degree of the steps.
int stability_order(const config::Scenario& settings);

/// A whole scenario: the oscillator at this point of the plane, macro steps of size 1.
config::Scenario oscillator(const config::Scenario& settings, const OscillatorRatios& ratios, double re,
                            double im);

/// Of one macro step. Iterations are made linear: always as many as max_iterations allows, whatever has
/// converged by then; and differences for the Jacobian are as large as the unit vectors that they start from.
/// Infinity when the step cannot be taken.
double spectral_radius(const config::Scenario& settings, const OscillatorRatios& ratios, double re,
                       double im);

/// In words, for titles.
std::string describe_coupling(const config::Scenario& settings);

}  // namespace cosimo
