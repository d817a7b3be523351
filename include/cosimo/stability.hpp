// Numerical stability of a coupling scheme, as a map (docs/stability.md).
//
//   auto settings = cosimo::Scenario::parse(cosimo::stability_settings(), "settings", overrides);
//   auto map = cosimo::stability(settings, {.output_dir = "stability.out"});
//
// The test model is the linear two-mass oscillator: two masses between walls, three springs with dampers, cut
// in the middle. The scheme that the scenario's `couple:` and `control.order` describe takes one macro step H
// on it; the spectral radius rho of that step tells whether its results stay bounded (rho <= 1). The plane of
// the map is H times the eigenvalue lambda of the first mass on its own spring and damper:
//
//   c_1 / m_1 = |lambda|^2,    d_1 / m_1 = -2 Re(lambda).
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo {

/// Parameters of the test model over those of its first mass, spring and damper; all 1: symmetric.
struct OscillatorRatios {
  double mass = 1;                                      ///< m_2 / m_1
  double coupling_stiffness = 1, coupling_damping = 1;  ///< of the cut element
  double second_stiffness = 1, second_damping = 1;      ///< of the element at the second mass
};

struct StabilityOptions {
  OscillatorRatios ratios;
  double re = 2, im = 2;             ///< the map covers -re <= Re(H lambda) <= 0 <= Im(H lambda) <= im
  std::size_t points = 120;          ///< along each axis
  int threads = 0;                   ///< 0: all cores; the map does not depend on it
  std::filesystem::path output_dir;  ///< stability.csv and stability.svg; empty: nothing is written
  const std::atomic<bool>* interrupt = nullptr;  ///< becomes true: stop, with `complete` false
};

/// How far a ray from the origin is stable.
struct StabilityLimit {
  double reached = 0;  ///< |H lambda| up to which all is stable; 0: not even 1/400 of the map's reach
  bool whole = false;  ///< the ray is stable as far as the map goes
};

struct StabilityMap {
  std::string settings;        ///< scheme, decomposition, predictor, ... in words
  std::vector<double> re, im;  ///< of the grid, ascending
  std::vector<double> rho;     ///< [row of im * re.size() + column of re]
  double stable_share = 0;     ///< of the points
  StabilityLimit undamped;     ///< along the imaginary axis
  StabilityLimit critical;     ///< along the real axis: damping ratio 1
  bool complete = true;
};

/// Rounding leaves the radius of a step that neither grows nor decays this close to 1.
inline constexpr double stability_margin = 1e-10;
inline bool is_stable(double rho) {
  return rho <= 1 + stability_margin;
}

/// The scenario that is meant where no file is given: explicit, force/force, polynomials of degree 2.
std::string_view stability_settings();

/// Of the scenario only `couple:` and `control.order` count (degree 2 where the file does not fix it). Throws
/// Error when they describe no classic coupling of two parts.
StabilityMap stability(const Scenario& settings, const StabilityOptions& options = {});

/// For people: what is stable, and up to where.
std::string to_text(const StabilityMap& map);

}  // namespace cosimo
