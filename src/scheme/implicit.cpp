#include "scheme/implicit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {

namespace {

/// Share of the open loop's error that an estimate keeps.
constexpr double least_open = 0.3;

}  // namespace

ImplicitScheme::ImplicitScheme(LaneSet& lanes, const CouplingConditions& conditions, double t_start,
                               const ClassicOptions& options, const ImplicitOptions& implicit)
    : ClassicScheme(lanes, conditions, t_start, options),
      implicit_(implicit),
      jacobian_(lanes, conditions, implicit.jacobian),
      corrector_(conditions, implicit.corrector, u_, lanes.seam()),
      residual_(conditions.size()),
      correction_(conditions.size()),
      gap_(conditions.size()) {}

bool ImplicitScheme::sweep_with_jacobian(Candidate& candidate, std::span<const double> change, bool slow) {
  LaneStep extra;
  if (jacobian_.wanted(slow)) jacobian_.ask(history_, ends_, change, norms_, extra);
  if (!sweep(candidate, true, 0.0, extra)) return false;
  jacobian_.take(lanes_);
  return true;
}

/// g = u - phi(y).
void ImplicitScheme::find_residual() {
  update(y_, residual_);
  for (std::size_t i = 0; i < ends_.size(); ++i) residual_[i] = ends_[i] - residual_[i];
}

/// One Newton correction of the ends; the change stays in correction_.
bool ImplicitScheme::correct(Candidate& candidate) {
  correction_ = residual_;
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
  jacobian_.weigh(norms_, u_pre_);
  corrector_.begin(window_.end, u_pre_);
  if (!sweep_with_jacobian(candidate, gap_, false)) return false;
  y_first_ = y_;
  find_residual();
  if (implicit_.once) return correct_once(candidate);
  best_residual_ = std::numeric_limits<double>::infinity();
  const Convergence& convergence = corrector_.convergence();
  for (;;) {
    corrector_.before(ends_, y_);
    if (!correct(candidate)) return false;
    lanes_.repeat();
    // The rate of the first iteration is that of an earlier step, and says nothing of a new Jacobian.
    const bool slow = corrector_.stale() || (convergence.iterations() > 1 && convergence.slow());
    if (!sweep_with_jacobian(candidate, correction_, slow)) return false;
    find_residual();
    if (const double norm = corrector_.norm(residual_, y_); norm < best_residual_) {
      best_residual_ = norm;
      best_ends_ = ends_;
    }
    if (!corrector_.ends(ends_, y_, candidate, residual_)) continue;
    slow_ = !candidate.converged || (candidate.iterations > 2 && convergence.slow());
    if (!candidate.converged && candidate.ok && !return_to_best(candidate)) return false;
    u_ = ends_;
    return candidate.ok;
  }
}

bool ImplicitScheme::correct_once(Candidate& candidate) {
  candidate.iterations = 1;
  if (!correct(candidate)) return false;
  lanes_.repeat();
  if (!sweep(candidate, true, 0.0)) return false;
  find_residual();
  if (!settle(candidate)) return false;
  if (options().estimator == Estimator::none || corrector_.norm(residual_, y_) <= 1) return true;
  candidate.converged = false;
  if (implicit_.corrector.go_on) return true;
  candidate.ok = false;
  candidate.worst = corrector_.worst(residual_);
  candidate.reason = "one correction leaves the coupling conditions unfulfilled";
  return false;
}

/// The last iterate of an iteration that does not converge may be the worst.
bool ImplicitScheme::return_to_best(Candidate& candidate) {
  if (!(best_residual_ < corrector_.norm(residual_, y_))) return true;
  ends_ = best_ends_;
  shape_inputs(ends_);
  lanes_.repeat();
  return sweep(candidate, true, 0.0);
}

/// The geometric mean of the error with the loop open and closed, but never less than a share of the former
/// (docs/decisions/0010): in a stiff coupling the one is far too large, the other too small; elsewhere they
/// are the same.
void ImplicitScheme::close_loop(CutStates& error) {
  if (implicit_.once && !judges_variables()) return;
  open_ = error;
  jacobian_.close_loop(y_, reported_with(), error);
  if (judges_variables()) return;
  const auto blend = [](const std::vector<double>& open, std::vector<double>& closed) {
    for (std::size_t i = 0; i < open.size(); ++i)
      closed[i] = std::max(std::sqrt(std::fabs(open[i])) * std::sqrt(std::fabs(closed[i])),
                           least_open * std::fabs(open[i]));
  };
  blend(open_.from_x, error.from_x);
  blend(open_.from_v, error.from_v);
  blend(open_.to_x, error.to_x);
  blend(open_.to_v, error.to_v);
}

void ImplicitScheme::archive(Archive& a) {
  ClassicScheme::archive(a);
  a(jacobian_, corrector_, slow_, kept_slow_);
}

void ImplicitScheme::archive_coupling(Archive& a, std::size_t coupling) {
  ClassicScheme::archive_coupling(a, coupling);
  archive_variables(a, coupling, gap_);
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
