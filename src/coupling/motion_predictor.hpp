// Prediction from accelerations (Appendix C): the accelerations of the coupling bodies are extrapolated with
// degree kappa_a and integrated twice from the state at T_N. The courses of positions and velocities
// drive displacement-coupled sides directly; put into the force laws they give the coupling forces.
//
//   acc      these courses themselves are the approximation polynomials, of degree kappa_a + 1 (velocities),
//            kappa_a + 2 (positions and forces). A force whose law is not linear is interpolated at kappa_a +
//            3 Chebyshev points of the step, its ends among them: no order is lost, and the polynomial begins
//            and ends with what the law says there.
//   accrel   only their end values are used: (1 - omega) times the end value of acc plus omega times the
//            extrapolation of degree kappa_lambda of u itself; the polynomial is (2.24).
//
// The accelerations at macro points are recorded by the scheme, `updated` (evaluated with the updated
// coupling variables) or not (with those that the step was integrated with).
//
//   MotionPredictor predictor(conditions, kappa_a);
//   predictor.predict(accelerations, y_N, T_N + H);
//   predictor.polynomials(p);                                     // acc
//   conditions.evaluate(predictor.end_states(), u_end); ...       // accrel: relax, then approximate()
//
// No function allocates.
#pragma once

#include <span>
#include <vector>

#include "coupling/conditions.hpp"
#include "numerics/polynomial.hpp"
#include "signal/history.hpp"

namespace cosimo {

/// Highest degree of extrapolated accelerations: their second integral must fit into a Polynomial.
inline constexpr int max_acceleration_degree = max_degree - 2;

class MotionPredictor {
 public:
  /// `degree`: kappa_a, at most max_acceleration_degree. `conditions` must outlive the predictor.
  MotionPredictor(const CouplingConditions& conditions, int degree);

  /// `accelerations`: history of all coordinates of the coupling bodies: those of `from` and `to` of the
  /// first coupling, then of the second, ... (CutLayout::joint_first()). Its newest point is T_N, where the
  /// coupling bodies have the states `y`. The degree used is at most its points less one.
  void predict(const History& accelerations, const CutStates& y, double t_next);

  int degree_used() const { return used_; }
  /// States of the coupling bodies at t_next.
  const CutStates& end_states() const { return end_; }
  /// Approximation polynomials of all coupling variables (acc).
  void polynomials(std::span<Polynomial> out) const;

 private:
  void predict_end(const History& accelerations, const CutStates& y, std::size_t coupling, CutSide side);
  void forces(std::size_t coupling, std::span<Polynomial> out) const;
  double chebyshev_point(std::size_t number) const;

  const CouplingConditions& conditions_;
  int degree_ = 0, used_ = 0;
  double t_ = 0, t_next_ = 0;
  CutStates end_;
  std::vector<Polynomial> x_, v_;  ///< per coordinate of the ends, as the accelerations
};

}  // namespace cosimo
