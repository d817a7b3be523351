// How stiff a system with first-order states or memory is: the counterpart of Gershgorin's circles
// (integrator/stiffness.hpp) for all of its equations together.
//
// From the mechanical part come omega and delta as there, and the bound |lambda| of both. The states and what
// both do to each other extend it to the spectral radius of
//
//   [ |lambda| I                  |f_z| / m ]
//   [ |z_w| + |z_x| / |lambda|    |z_z|     ]
//
// by a fixed number of power iterations. That is at least the radius of the matrix with its signs, and
// depends on no unit of measure. How much of it is decay the diagonal entries tell.
#pragma once

#include <cstddef>
#include <vector>

#include "integrator/constrained_system.hpp"
#include "integrator/state.hpp"
#include "integrator/stiffness.hpp"

namespace cosimo {

class StateSpectrum {
 public:
  /// Of a system without constraints; allocates on the first call.
  SpectralBound estimate(const System& system, const State& state);
  /// With constraints `mechanical` is known (integrator/spectrum_probe.hpp); a: the accelerations.
  SpectralBound estimate(const ConstrainedSystem& system, const State& state, const double* a,
                         const SpectralBound& mechanical);

 private:
  void resize(std::size_t freedoms, std::size_t states);
  SpectralBound mechanical();
  SpectralBound joined(const SpectralBound& mechanical);
  double growth(double own);

  StateTangent tangent_;
  std::vector<double> mass_, omega2_, delta_;
  std::vector<double> w_, z_, next_w_, next_z_;
  std::vector<double> alpha_, lambda_;
};

}  // namespace cosimo
