// The implicit scheme (Section 2.4.2): Newton's method on the coupling conditions g(u, y(u)) = 0 at T_{N+1}.
// A predictor sweep, then correction after correction: solve the linearised conditions, advance all
// subsystems again with the corrected ends of their inputs, until the convergence test passes.
//
// With steps of fixed size an iteration that does not converge is let pass; the step then ends with the
// iterate that came nearest to the conditions.
//
// The semi-implicit scheme (KMS 2.4) does exactly one corrector step and then updates u from the states; its
// Jacobian is new in every step, since no iteration would tell that an old one has become useless. What the
// conditions lack after the one correction must be below the tolerance of the estimator, if there is one: it
// compares two passes, and a Jacobian that is far off makes them equal and wrong.
#pragma once

#include "scheme/classic.hpp"
#include "scheme/corrector.hpp"
#include "scheme/interface_jacobian.hpp"

namespace cosimo {

struct ImplicitOptions {
  JacobianOptions jacobian;
  CorrectorOptions corrector;
  bool once = false;  ///< semi-implicit
};

class ImplicitScheme final : public ClassicScheme {
 public:
  /// With JacobianMethod::fd the lanes must have perturbed ones beside them.
  ImplicitScheme(LaneSet& lanes, const CouplingConditions& conditions, double t_start,
                 const ClassicOptions& options, const ImplicitOptions& implicit);

  void accept() override;
  void reject() override;
  void archive(Archive& a) override;
  void archive_coupling(Archive& a, std::size_t coupling) override;
  std::int64_t jacobians() const { return jacobian_.computed(); }

 protected:
  bool solve(Candidate& candidate) override;
  void close_loop(CutStates& error) override;

 private:
  bool sweep_with_jacobian(Candidate& candidate, std::span<const double> change, bool slow);
  void find_residual();
  bool correct_once(Candidate& candidate);
  bool return_to_best(Candidate& candidate);
  bool correct(Candidate& candidate);

  ImplicitOptions implicit_;
  InterfaceJacobian jacobian_;
  Corrector corrector_;
  std::vector<double> residual_, correction_, gap_;  ///< gap: how far the last accepted prediction was off
  std::vector<double> best_ends_;  ///< of this step's iterates, the one with the smallest residual
  double best_residual_ = 0;
  CutStates open_;
  bool slow_ = false, kept_slow_ = false;
};

}  // namespace cosimo
