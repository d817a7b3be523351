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
//
// A method whose steps are held just below its limit needs the fastest motion to a few per cent.
// Displacements and velocities together, u' = B u with u = (x, y = x' / s), have its |lambda| even where
// accelerations depend on velocities without damping anything (Coriolis). Two evaluations give B u and B^2 u,
// and the roots of
//
//   B^2 u = alpha B u + beta u     (least squares),    theta^2 = alpha theta + beta
//
// are lambda and its conjugate; B^2 u is where the next look goes on. The first look begins with the fastest
// displacement in the space of some responses to displacements (Arnoldi).
#pragma once

#include <span>
#include <vector>

#include "integrator/constrained_system.hpp"
#include "integrator/integrator.hpp"
#include "integrator/state.hpp"
#include "integrator/stiffness.hpp"

namespace cosimo {

class SpectrumProbe {
 public:
  /// At a state with its accelerations. Both allocate on their first call.
  SpectralBound estimate(const ConstrainedSystem& system, const State& state, const Tolerances& tolerances,
                         Counters& counters);

  /// Where a look for the fastest motion begins.
  enum class Start {
    last,      ///< in the direction of the last look, if that has found any
    estimate,  ///< where estimate() has just ended, at this state
    anywhere
  };
  /// The fastest motion at a state with accelerations a. `direction` takes x, y and s in the places of q, v
  /// and t, for the next look.
  SpectralBound follow(const ConstrainedSystem& system, const State& state, const double* a,
                       const Tolerances& tolerances, Start start, State& direction, Counters& counters);

 private:
  /// Displacements and velocities, each number in its own unit.
  struct Pair {
    std::vector<double> x, y;
  };
  void prepare(const ConstrainedSystem& system, const State& state, const double* a);
  void measure(const ConstrainedSystem& system, std::span<const double> x, MotionSizes absolute,
               double MotionSize::*level, double rtol);
  bool apply(const ConstrainedSystem& system, const State& state, double s, const Pair& u, Pair& out,
             Counters& counters);
  double refine(const ConstrainedSystem& system, const State& state, std::size_t most, Counters& counters);
  template <class Displace>
  double power(const ConstrainedSystem& system, const State& state, Displace displace, Counters& counters);

  std::vector<double> q_, v_, a_, z_rate_, displaced_;
  std::vector<double> alpha_, direction_, response_;
  std::vector<double> size_;   ///< of a displacement, per freedom
  std::vector<double> found_;  ///< displacement that estimate() has found
  Pair u_, once_, twice_;
  std::vector<std::vector<double>> basis_;
};

}  // namespace cosimo
