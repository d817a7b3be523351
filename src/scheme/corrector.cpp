#include "scheme/corrector.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

namespace {

/// Of tau, where coupling variables are judged: the error test of the next step, which sees the residual
/// however short the step is, multiplies it by a safety factor of about 6. States do not see it.
constexpr double residual_share = 0.3;

std::array<std::size_t, 2> coordinates_in_all(const CutLayout& layout, const Seam& seam) {
  std::array<std::size_t, 2> here{};
  for (std::size_t c = 0; c < layout.couplings(); ++c) {
    if (!seam.counts(c)) continue;
    if (!layout.is_motion(c, CutSide::from)) continue;
    here[0] += layout.coordinates(c, CutSide::from).size();
    here[1] += layout.coordinates(c, CutSide::to).size();
  }
  return {seam.total(here[0]), seam.total(here[1])};
}

}  // namespace

Corrector::Corrector(const CouplingConditions& conditions, const CorrectorOptions& options,
                     std::span<const double> u, const Seam& seam)
    : conditions_(conditions),
      options_(options),
      seam_(seam),
      variables_(conditions.variables()),
      laws_(conditions.laws()),
      norms_(conditions, options.norms, u, seam),
      convergence_(options.tau),
      gradients_(conditions.variables()),
      weights_at_(conditions.size()),
      u_before_(conditions.size()),
      difference_(conditions.size()),
      y_before_(conditions.layout()),
      coordinates_in_all_(coordinates_in_all(conditions.layout(), seam)) {}

void Corrector::begin(double t, std::span<const double> u_pre) {
  t_ = t;
  norms_.follow();
  weights_at_.assign(u_pre.begin(), u_pre.end());
  // A signal that an input from outside is about to move has the size of what will become of it.
  difference_.resize(u_pre.size());
  std::transform(u_pre.begin(), u_pre.end(), difference_.begin(), [](double u) { return std::fabs(u); });
  conditions_.spread_given(difference_);
  for (std::size_t i = 0; i < difference_.size(); ++i)
    if (difference_[i] > std::fabs(u_pre[i])) weights_at_[i] = difference_[i];
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
  const double rtol = options_.norms.rtol;
  const MotionSizes absolute = options_.norms.states().absolute();
  const CutLayout& layout = variables_.layout();
  std::array<ExactSum, 4> sums;  // positions and velocities of `from`, then of `to`
  const auto add = [&](std::size_t k, CutSide side, const std::vector<double>& a,
                       const std::vector<double>& b, double MotionSize::*level) {
    for (std::size_t c = 0; c < layout.couplings(); ++c) {
      if (!seam_.counts(c) || !layout.is_motion(c, side)) continue;
      for (std::size_t i = layout.first(c, side); i < layout.coordinates(c, side).last; ++i) {
        const double atol = absolute.of(laws_.is_angle(c, side, i - layout.first(c, side))).*level;
        const double e = (a[i] - b[i]) / (atol + rtol * std::fabs(a[i]));
        sums[k].add(e * e);
      }
    }
  };
  add(0, CutSide::from, y.from_x, y_before_.from_x, &MotionSize::position);
  add(1, CutSide::from, y.from_v, y_before_.from_v, &MotionSize::velocity);
  add(2, CutSide::to, y.to_x, y_before_.to_x, &MotionSize::position);
  add(3, CutSide::to, y.to_v, y_before_.to_v, &MotionSize::velocity);
  seam_.total(sums);
  const auto mean = [&](std::size_t k) {
    return sums[k].value() / static_cast<double>(std::max<std::size_t>(1, coordinates_in_all_[k / 2]));
  };
  // Both sides count alike.
  const double pos = mean(0) + mean(2), vel = mean(1) + mean(3);
  const double larger = std::isnan(pos) || pos > vel ? pos : vel;  // keeps a NaN on either side
  const double states = std::sqrt(0.5 * larger);
  if (!norms_.has_signals()) return states;
  for (std::size_t i = 0; i < u.size(); ++i) difference_[i] = u[i] - u_before_[i];
  const double signals = norms_.signal_norm(difference_, weights_at_);
  return std::isnan(signals) || signals > states ? signals : states;
}

/// How far phi is off when the states are off by their tolerances.
double Corrector::leeway(std::size_t variable, const CutStates& y) const {
  const double rtol = options_.norms.rtol;
  const MotionSizes absolute = options_.norms.states().absolute();
  const std::size_t c = variables_[variable].coupling.index();
  if (variables_[variable].quantity == Quantity::signal) return 0;
  double sum = 0;
  for (const CutSide side : {CutSide::from, CutSide::to}) {
    const auto slopes = gradients_.at(variable, side);
    std::size_t k = gradients_.first_coordinate(variable);
    for (const Slope& slope : slopes) {
      const std::size_t at = variables_.layout().first(c, side) + k;
      const MotionSize& atol = absolute.of(laws_.is_angle(c, side, k));
      sum += std::fabs(slope.x) * (atol.position + rtol * std::fabs(y.x(side)[at]));
      sum += std::fabs(slope.v) * (atol.velocity + rtol * std::fabs(y.v(side)[at]));
      ++k;
    }
  }
  return sum;
}

double Corrector::norm(std::span<const double> residual, const CutStates& y) {
  if (!options_.judge_states) return norms_.norm(residual, weights_at_);
  conditions_.gradients(t_, y, {}, gradients_);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    const double tolerance = norms_.tolerance(i, weights_at_[i]);
    difference_[i] = residual[i] * (tolerance / (tolerance + leeway(i, y)));
  }
  return norms_.norm(difference_, weights_at_);
}

CouplingId Corrector::worst(std::span<const double> error) const {
  CouplingId found;
  double most = -1;
  for (std::size_t i = 0; i < error.size(); ++i) {
    const double w = norms_.weighted(i, error[i], weights_at_[i]);
    if (w <= most) continue;
    found = variables_[i].coupling;
    most = w;
    if (std::isnan(w)) break;
  }
  return seam_.where_largest(found, most);
}

bool Corrector::ends(std::span<const double> u, const CutStates& y, Candidate& candidate,
                     std::span<const double> residual) {
  bool converged = convergence_.converged(change(u, y));
  const double allowed = options_.judge_states ? options_.tau : residual_share * options_.tau;
  stale_ = converged && !residual.empty() && !(norm(residual, y) <= allowed);
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
