// The interface Jacobian by one implicit Runge-Kutta step (A.8): Radau IIA with three stages, order 5, over
// the whole macro step, applied to the variational equation
//
//   q_u' = v_u,    M v_u' = -K(t) q_u - C(t) v_u + e(t) shape(t),    q_u = v_u = 0 at T_N.
//
// K, C and e belong to the stage times and to states extrapolated from the last macro points. With the stage
// accelerations a_j as unknowns positions and velocities are eliminated, V_i = H sum_j A_ij a_j and
// Q_i = H^2 sum_j (A^2)_ij a_j, and the three stages
//
//   M a_i + H C_i sum_j A_ij a_j + H^2 K_i sum_j (A^2)_ij a_j = e_i shape(t_i)
//
// are one sparse system, three unknowns per body side by side: factorised once, solved per input.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/macro_states.hpp"
#include "numerics/sparse_lu.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/driven_part.hpp"

namespace cosimo {

class VariationalStep {
 public:
  /// Both must outlive it.
  VariationalStep(const DrivenPart& part, std::span<const CutPort> ports);

  /// Fills the response; the newest of the states is that at the beginning of the window. False if the system
  /// is singular or not finite.
  [[nodiscard]] bool compute(const Window& window, const MacroStates& states, Response& response);

 private:
  void assemble(std::size_t stage, double h);

  const DrivenPart& part_;
  std::span<const CutPort> ports_;
  SparseLu lu_;
  Tangent tangent_;
  AlignedVector q_, v_;
  std::vector<InputEffect> effects_;  ///< [stage * inputs + input], times the shape
  std::vector<double> b_;
};

}  // namespace cosimo
