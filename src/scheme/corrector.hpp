// When a corrector iteration may end, and what becomes of a step whose iteration does not converge.
//
//   corrector.begin(t, u_pre);                 a new macro step
//   loop: corrector.before(u, y);              the iterate that the next one is compared with
//         ...
//         if (corrector.ends(u, y, candidate)) the iteration is over: converged, given up, or failed
//
// The change is measured in the variables that the error estimator judges: states of the coupling bodies
// (imMD) or coupling variables. With steps of fixed size a corrector that has not converged after the last
// iteration is let pass and counted (5.1); otherwise the step fails, and is repeated with a quarter of its
// size.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "coupling/conditions.hpp"
#include "scheme/convergence.hpp"
#include "scheme/coupling_norms.hpp"
#include "scheme/scheme.hpp"

namespace cosimo {

struct CorrectorOptions {
  NormOptions norms;          ///< tolerances of the iteration; often those of the step control
  bool judge_states = false;  ///< the change of y decides, not that of u
  double tau = 0.33;
  int max_iterations = 10;
  bool go_on = false;  ///< pass what has not converged: steps of fixed size
};

class Corrector {
 public:
  /// Collective like everything that takes norms; the seam must outlive it.
  Corrector(const CouplingConditions& conditions, const CorrectorOptions& options, std::span<const double> u,
            const Seam& seam);

  /// `t`: the end of the step.
  void begin(double t, std::span<const double> u_pre);
  void before(std::span<const double> u, const CutStates& y);
  /// `residual`: what the coupling conditions still lack, for schemes that do not update u at the end. It
  /// must be small as well: a Jacobian that is far too large makes small changes of anything
  /// (docs/decisions/0010).
  bool ends(std::span<const double> u, const CutStates& y, Candidate& candidate,
            std::span<const double> residual = {});
  /// Global number of the coupling whose variables are off by most; NaN counts as most. Collective.
  CouplingId worst(std::span<const double> error) const;
  /// Weighted norm of a residual in these states, as ends() sees it: where states are judged, it may be what
  /// states within their tolerances make of it.
  double norm(std::span<const double> residual, const CutStates& y);
  const Convergence& convergence() const { return convergence_; }
  /// The change was small enough, the residual was not: the Jacobian is to blame.
  bool stale() const { return stale_; }

  void keep(std::span<const double> u);
  void forget();
  /// What one step leaves to the next.
  void archive(Archive& a) { a(norms_, convergence_); }

 private:
  double change(std::span<const double> u, const CutStates& y);
  double leeway(std::size_t variable, const CutStates& y) const;

  const CouplingConditions& conditions_;
  CorrectorOptions options_;
  const Seam& seam_;
  const CouplingVariables& variables_;
  const Laws& laws_;
  CouplingNorms norms_;
  Convergence convergence_;
  bool stale_ = false;
  double t_ = 0;  ///< end of the step
  ConditionGradients gradients_;
  std::vector<double> weights_at_, u_before_, difference_;
  CutStates y_before_;
  std::array<std::size_t, 2> coordinates_in_all_{};  ///< of the ends on the sides `from` and `to`
};

}  // namespace cosimo
