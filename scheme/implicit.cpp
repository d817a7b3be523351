#include "scheme/implicit.hpp"

namespace cosimo {

ImplicitScheme::ImplicitScheme(LaneSet& lanes, const CouplingConditions& conditions, double t_start,
                               const ClassicOptions& options, const ImplicitOptions& implicit)
    : ClassicScheme(lanes, conditions, t_start, options),
      implicit_(implicit),
      jacobian_(lanes, conditions, implicit.jacobian),
      corrector_(conditions, implicit.corrector, u_),
      correction_(conditions.size()),
      gap_(conditions.size()) {}

bool ImplicitScheme::sweep_with_jacobian(Candidate& candidate, std::span<const double> change, bool slow) {
  LaneStep extra;
  if (jacobian_.wanted(slow)) jacobian_.ask(history_, ends_, change, norms_, extra);
  if (!sweep(candidate, true, 0.0, extra)) return false;
  jacobian_.take(lanes_);
  return true;
}

/// One Newton correction of the ends; the change stays in correction_.
bool ImplicitScheme::correct(Candidate& candidate) {
  update(y_, correction_);
  for (std::size_t i = 0; i < ends_.size(); ++i) correction_[i] = ends_[i] - correction_[i];  // g
  if (!jacobian_.solve(y_, reported_with(), correction_)) {
    candidate.ok = false;
    candidate.reason = "the linearised coupling conditions are singular";
    return false;
  }
  for (std::size_t i = 0; i < ends_.size(); ++i) ends_[i] += correction_[i];
  shape_inputs(ends_);
  return true;
}

bool ImplicitScheme::solve(Candidate& candidate) {
  jacobian_.begin(history_, window_, kappa_, slow_ || implicit_.once);
  corrector_.begin(u_pre_);
  if (!sweep_with_jacobian(candidate, gap_, false)) return false;
  y_first_ = y_;
  for (;;) {
    corrector_.before(ends_, y_);
    if (!correct(candidate)) return false;
    lanes_.repeat();
    const bool slow = corrector_.convergence().iterations() > 0 && corrector_.convergence().slow();
    if (!sweep_with_jacobian(candidate, correction_, slow)) return false;
    if (implicit_.once) {
      candidate.iterations = 1;
      update(y_, u_);
      return true;
    }
    if (!corrector_.ends(ends_, y_, candidate)) continue;
    slow_ = !candidate.converged || (candidate.iterations > 2 && corrector_.convergence().slow());
    u_ = ends_;
    return candidate.ok;
  }
}

void ImplicitScheme::close_loop(CutStates& error) {
  if (implicit_.once) return;
  jacobian_.close_loop(y_, reported_with(), error);
}

void ImplicitScheme::accept() {
  for (std::size_t i = 0; i < gap_.size(); ++i) gap_[i] = u_[i] - u_pre_[i];
  jacobian_.keep();
  corrector_.keep(u_);
  kept_slow_ = slow_;
  ClassicScheme::accept();
}

void ImplicitScheme::reject() {
  jacobian_.forget();
  corrector_.forget();
  slow_ = kept_slow_;
  ClassicScheme::reject();
}

}  // namespace cosimo
