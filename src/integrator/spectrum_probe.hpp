// How stiff a system with constraints is, from its accelerations alone: the counterpart of Gershgorin's
// circles (integrator/stiffness.hpp) where there is no symmetric tangent.
//
// a(q, v) already holds what the constraints do, so its derivatives are those of the motion that is left. A
// few power iterations with difference quotients, one acceleration each, give
//
//   omega^2 ~ spectral radius of da/dq,    delta ~ spectral radius of da/dv,
//
// in freedoms. They approach it from below; the result is a fifth larger than what they found.
// Start vectors are fixed, so that the answer depends on the state alone.
#pragma once

#include <vector>

#include "integrator/constrained_system.hpp"
#include "integrator/integrator.hpp"
#include "integrator/state.hpp"
#include "integrator/stiffness.hpp"

namespace cosimo {

class SpectrumProbe {
 public:
  /// At a state with its accelerations; allocates on the first call.
  SpectralBound estimate(const ConstrainedSystem& system, const State& state, const Tolerances& tolerances,
                         Counters& counters);

 private:
  template <class Displace>
  double power(const ConstrainedSystem& system, const State& state, Displace displace, Counters& counters);

  std::vector<double> q_, v_, a_, z_rate_, displaced_;
  std::vector<double> alpha_, direction_, response_;
  std::vector<double> size_;  ///< of a displacement, per freedom
};

}  // namespace cosimo
