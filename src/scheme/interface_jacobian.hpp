// The interface Jacobian dy/du of the implicit schemes (Appendix A): where it comes from, and how long it is
// kept.
//
//   fd            the perturbed lanes, beside any sweep (2.30)
//   series, rk    from the state at T_N, within the predictor sweep
//   sensitivity   carried through the solver's own steps, within any sweep
//
// refresh: always computes it with every sweep that changes it. refresh: auto keeps it from step to step
// while the iteration converges well, scaled to the present step by the coefficients of the first series term
// (x ~ C_pos H^2, v ~ C_vel H: Table A.1), and renews it when H has changed by more than a factor of 2
// (sensitivity: 1.3), the convergence was slow, or 20 steps have passed. One series term costs nothing and is
// always new.
//
//   jacobian.begin(history, window, kappa, slow);
//   loop: if (jacobian.wanted(slow)) jacobian.ask(...);  sweep;  jacobian.take(lanes);
//         jacobian.solve(y, used, residual)            residual g -> correction
//
// The system is that of all ranks, whose seam must be `whole`; take() is collective.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/settings.hpp"
#include "coupling/conditions.hpp"
#include "coupling/newton_system.hpp"
#include "scheme/coupling_norms.hpp"
#include "scheme/lanes.hpp"
#include "signal/history.hpp"

namespace cosimo {

struct JacobianOptions {
  JacobianMethod method = JacobianMethod::sensitivity;
  int terms = 1;  ///< of the series
  bool always = false;
  std::optional<double> perturbation_min;  ///< fd; empty: 1e-3 of the running magnitude plus the tolerance
};

class InterfaceJacobian {
 public:
  InterfaceJacobian(const LaneSet& lanes, const CouplingConditions& conditions,
                    const JacobianOptions& options);

  /// A new macro step. `slow`: the last one converged badly.
  /// After begin(): variables have units of their own where there are signals. `u`: about where they are.
  void weigh(const CouplingNorms& norms, std::span<const double> u);
  void begin(const History& history, const Window& window, int kappa, bool slow);
  /// The next sweep should compute it anew; `slow`: the iteration converges badly now.
  bool wanted(bool slow) const;
  /// Lets a sweep with these ends compute it. `change` is what the ends moved by last (2.4.2, remark).
  void ask(const History& history, std::span<const double> ends, std::span<const double> change,
           const CouplingNorms& norms, LaneStep& step);
  void take(const LaneSet& lanes);
  /// Solves the linearised conditions at y in place. False when they are singular.
  [[nodiscard]] bool solve(const CutStates& y, std::span<const double> used, std::span<double> residual);

  /// An error e of the states that the courses of the inputs made, as the coupled step leaves it:
  /// (I - dy/du dphi/dy)^-1 e. The corrector puts right what a stiff coupling would make of it; where the
  /// step is short against the coupling's own motion, nothing changes.
  void close_loop(const CutStates& y, std::span<const double> used, CutStates& error);

  void keep();    ///< the step was accepted
  void forget();  ///< or not: what was known at T_N counts again
  /// What is known between two steps, of all subsystems of all ranks.
  void archive(Archive& a) { a(kept_, now_, computed_); }
  std::int64_t computed() const { return computed_; }  ///< how often, in all attempts

 private:
  using Blocks = std::vector<std::vector<OutputDerivative>>;  ///< per subsystem
  struct Known {
    Blocks blocks;
    double pos = 0, vel = 0;  ///< C_pos H^2 and C_vel H of the step it is scaled to; 0: nothing is known
    double found_pos = 0, found_vel = 0;  ///< and of the step in which it was computed
    int age = 0;                          ///< accepted steps since
    void archive(Archive& a) { a(blocks, pos, vel, found_pos, found_vel, age); }
  };
  void rescale();
  void hear_blocks(const Seam& seam);
  void add_answers(std::size_t subsystem, CutStates& error) const;
  double perturbation(std::size_t variable, double change, const CouplingNorms& norms) const;

  const CouplingConditions& conditions_;
  JacobianOptions options_;
  std::vector<InterfaceBlock> layout_;
  NewtonSystem newton_;
  Known kept_, now_;
  std::vector<std::span<const OutputDerivative>> views_;
  ConditionGradients gradients_;
  std::vector<double> sizes_;  ///< of the variables; empty: all are alike
  std::vector<double> perturbations_, perturbed_ends_, feedback_;
  std::vector<Polynomial> perturbed_;
  std::vector<PortState> differences_;
  Response request_;
  Window window_;
  int kappa_ = 0;
  double pos_ = 0, vel_ = 0;  ///< of this step
  bool due_ = true;           ///< the predictor sweep must compute it
  bool asked_ = false;        ///< the sweep under way does
  bool fresh_ = false;        ///< computed in this step
  std::int64_t computed_ = 0;
};

}  // namespace cosimo
