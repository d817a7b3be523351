#include "scheme/corrector.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/sums.hpp"

namespace cosimo {

namespace {

/// Of tau: the error test of the next step, which sees the residual however short the step is, multiplies it
/// by a safety factor of about 6.
constexpr double residual_share = 0.3;

}  // namespace

Corrector::Corrector(const CouplingConditions& conditions, const CorrectorOptions& options,
                     std::span<const double> u)
    : options_(options),
      variables_(conditions.variables()),
      norms_(conditions, options.norms, u),
      convergence_(options.tau),
      weights_at_(conditions.size()),
      u_before_(conditions.size()),
      difference_(conditions.size()),
      y_before_(conditions.layout()) {}

void Corrector::begin(std::span<const double> u_pre) {
  weights_at_.assign(u_pre.begin(), u_pre.end());
  convergence_.begin();
  stale_ = false;
}

void Corrector::before(std::span<const double> u, const CutStates& y) {
  u_before_.assign(u.begin(), u.end());
  y_before_ = y;
}

double Corrector::change(std::span<const double> u, const CutStates& y) {
  if (!options_.judge_states) {
    for (std::size_t i = 0; i < u.size(); ++i) difference_[i] = u[i] - u_before_[i];
    return norms_.norm(difference_, weights_at_);  // (2.32)
  }
  const NormOptions& o = options_.norms;
  const auto level = [&](const std::vector<double>& a, const std::vector<double>& b, double atol) {
    const double sum = reproducible_sum(a.size(), [&](std::size_t i) {
      const double e = (a[i] - b[i]) / (atol + o.rtol * std::fabs(a[i]));
      return e * e;
    });
    return sum / static_cast<double>(std::max<std::size_t>(1, a.size()));
  };
  // Both sides count alike.
  const double pos =
      level(y.from_x, y_before_.from_x, o.atol_pos) + level(y.to_x, y_before_.to_x, o.atol_pos);
  const double vel =
      level(y.from_v, y_before_.from_v, o.atol_vel) + level(y.to_v, y_before_.to_v, o.atol_vel);
  const double larger = std::isnan(pos) || pos > vel ? pos : vel;  // keeps a NaN on either side
  return std::sqrt(0.5 * larger);
}

CouplingId Corrector::worst(std::span<const double> error) const {
  if (error.empty()) return {};
  std::size_t found = 0;
  double most = 0;
  for (std::size_t i = 0; i < error.size(); ++i) {
    const double w = norms_.weighted(i, error[i], weights_at_[i]);
    if (w <= most) continue;
    found = i;
    most = w;
    if (std::isnan(w)) break;
  }
  return variables_[found].coupling;
}

bool Corrector::ends(std::span<const double> u, const CutStates& y, Candidate& candidate,
                     std::span<const double> residual) {
  bool converged = convergence_.converged(change(u, y));
  stale_ = converged && !options_.judge_states && !residual.empty() &&
           !(norm(residual) <= residual_share * options_.tau);
  converged = converged && !stale_;
  candidate.iterations = convergence_.iterations();
  if (converged) return true;
  const bool last = candidate.iterations >= options_.max_iterations;
  const bool hopeless = convergence_.diverges() && !options_.go_on;
  if (!last && !hopeless) return false;
  candidate.converged = false;
  for (std::size_t i = 0; i < u.size(); ++i) difference_[i] = u[i] - u_before_[i];
  candidate.worst = worst(difference_);
  if (options_.go_on) return true;
  candidate.ok = false;
  candidate.reason =
      hopeless ? "the corrector iteration diverges" : "the corrector iteration does not converge";
  return true;
}

void Corrector::keep(std::span<const double> u) {
  convergence_.keep();
  std::size_t bad = 0;
  if (norms_.look_at(u, bad)) norms_.keep();
}

void Corrector::forget() {
  convergence_.forget();
  norms_.forget();
}

}  // namespace cosimo
