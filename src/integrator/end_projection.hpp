// What the one-step methods do at the end of a step of a system with constraints: the state that the step
// has led to is brought back onto the constraints of both levels before anything else sees it, so that
// residuals do not add up from step to step. The residuals allowed are a tenth (ConstrainedSystem::project)
// of what the error norm of the step allows in the root mean square,
//
//   tol_q = atol_pos + rtol rms(q),   tol_v = atol_vel + rtol rms(v),
//
// lengths and angles apart.
//
// Off by less, the state stays to the bit as it is.
#pragma once

#include <memory>
#include <span>

#include "integrator/constrained_system.hpp"
#include "integrator/stepper.hpp"

namespace cosimo {

class Team;

class EndProjection {
 public:
  /// Members of the team share what they can.
  EndProjection(const ConstrainedSystem& system, const Tolerances& tolerances, Team* team = nullptr)
      : system_(system), tolerances_(tolerances), team_(team) {}

  /// Projects q and v of `to`, and makes its accelerations (and rates of z, with the memory s) right where
  /// they are not: `evaluated` says that they were before. False: there is no state on the constraints
  /// nearby, or a force overflows there.
  [[nodiscard]] bool settle(State& to, const double* s, bool evaluated, Counters& counters) const;
  /// q and v alone; `moved` says whether they changed. The same for states between the steps, which
  /// interpolation leaves beside the constraints.
  [[nodiscard]] bool project(double t, std::span<double> q, std::span<double> v, bool& moved) const;

 private:
  const ConstrainedSystem& system_;
  Tolerances tolerances_;
  Team* team_;
};

/// `inner` with its accepted steps projected.
std::unique_ptr<Stepper> make_projected_stepper(const ConstrainedSystem& system, const Tolerances& tolerances,
                                                std::unique_ptr<Stepper> inner, Team* team = nullptr);

}  // namespace cosimo
