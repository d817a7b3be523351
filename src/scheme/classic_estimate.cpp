// How far a candidate of a classic scheme is off: the estimators of Section 3.1.
#include <algorithm>
#include <array>
#include <cmath>

#include "scheme/classic.hpp"

namespace cosimo {

namespace {

/// Not a number is larger than every number.
double larger(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

}  // namespace

void ClassicScheme::estimate(Candidate& candidate) {
  std::fill(cut_error_.begin(), cut_error_.end(), 0.0);
  if (options_.estimator == Estimator::imMD) {
    const ErrorConstants ratio = milne_ratios();
    compare_states(y_first_, 1 - ratio.pos, 1 - ratio.vel, candidate);  // (3.18), (3.19)
  } else if (comparing_) {
    const ErrorConstants ratio =
        options_.estimator == Estimator::exMD ? milne_ratios() : ErrorConstants{1, 1};
    compare_states(y_compare_, ratio.pos, ratio.vel, candidate);  // (3.6), (3.13), (3.14)
  } else {
    compare_variables(candidate);
  }
}

CouplingId ClassicScheme::worst() const {
  return where_worst(lanes_.seam(), cut_error_);
}

/// What final variables are compared with. (3.16) takes the error at the end of the step for that of the
/// whole course: right where both come from one extrapolation. A prediction from accelerations knows the end
/// better than the polynomial through old points knows the way there: that is off as if the end of an
/// extrapolation were by this share of what it is (docs/decisions/0017).
void ClassicScheme::find_compared() {
  u_compare_ = u_pre_;
  if (!motion_) return;
  const ErrorConstants low = constants(kappa_), high = constants(kappa_ + 1);
  const double share = (low.vel - high.vel) / high.vel;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double on_the_way = share * (extrapolated_[i] - u_[i]);
    if (std::fabs(on_the_way) > std::fabs(u_pre_[i] - u_[i])) u_compare_[i] = u_[i] + on_the_way;
  }
}

/// exCV (3.16), imCV (3.20), waCV.
void ClassicScheme::compare_variables(Candidate& candidate) {
  find_compared();
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_error_[i] = std::fabs(u_compare_[i] - u_[i]);
    double& cut = cut_error_[conditions_.variables()[i].coupling.index()];
    cut = larger(cut, norms_.weighted(i, u_error_[i], u_[i]));
  }
  candidate.norms.level = ErrorLevel::both;
  candidate.norms.u = norms_.norm(u_error_, u_);
  judge_effect(candidate);
}

/// What the difference between predicted and final variables does to the bodies beside the cuts: forces that
/// are right to a share of the largest one may be anything but small for the lightest body.
void ClassicScheme::judge_effect(Candidate& candidate) {
  // Of a course that is extrapolated, or that ends at the right value.
  ErrorConstants c = constants(kappa_ + 1);
  if (options_.estimator == Estimator::imCV || options_.estimator == Estimator::waCV) {
    const ErrorConstants at_end = constants(kappa_);
    c = {at_end.pos - c.pos, at_end.vel - c.vel};
  }
  const double H = window_.size();
  variables_error_ = cut_error_;
  for (const bool held : {false, true}) {
    lanes_.effect(window_.end, u_, u_compare_, {c.pos * H * H, c.vel * H}, held, estimate_,
                  end_accelerations_);
    close_loop(estimate_);
    cut_error_ = variables_error_;
    judge_estimate(end_accelerations_, candidate);
    if (!candidate.norms.states_decide()) return;
  }
}

/// C^k on the real grid.
ErrorConstants ClassicScheme::constants(int k) const {
  std::array<double, max_degree + 3> grid{};
  const auto points = std::min(history_.size(), grid.size() - 1);
  grid[0] = window_.end;
  for (std::size_t j = 0; j < points; ++j) grid[j + 1] = history_.time(j);
  return error_constants(k, {grid.data(), points + 1});
}

/// C^{kappa+1} / C^kappa (3.11), (3.15).
ErrorConstants ClassicScheme::milne_ratios() const {
  const ErrorConstants low = constants(kappa_), high = constants(kappa_ + 1);
  return {high.pos / low.pos, high.vel / low.vel};
}

void ClassicScheme::compare_states(const CutStates& other, double pos_factor, double vel_factor,
                                   Candidate& candidate) {
  const auto differ = [](const std::vector<double>& a, const std::vector<double>& b, double factor,
                         std::vector<double>& out) {
    for (std::size_t i = 0; i < a.size(); ++i) out[i] = factor * (a[i] - b[i]);
  };
  differ(y_.from_x, other.from_x, pos_factor, estimate_.from_x);
  differ(y_.to_x, other.to_x, pos_factor, estimate_.to_x);
  differ(y_.from_v, other.from_v, vel_factor, estimate_.from_v);
  differ(y_.to_v, other.to_v, vel_factor, estimate_.to_v);
  close_loop(estimate_);
  candidate.norms.level = ErrorLevel::state;
  judge_estimate({}, candidate);
  if (norms_.has_signals()) judge_signals(candidate);
}

/// Signals are coupling variables whatever judges the motion: predicted against final ones.
void ClassicScheme::judge_signals(Candidate& candidate) {
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_error_[i] = std::fabs(u_pre_[i] - u_[i]);
    const CouplingVariable& variable = conditions_.variables()[i];
    if (variable.quantity != Quantity::signal) continue;
    double& cut = cut_error_[variable.coupling.index()];
    cut = larger(cut, norms_.weighted(i, u_error_[i], u_[i]));
  }
  candidate.norms.level = ErrorLevel::both;
  candidate.norms.u = norms_.signal_norm(u_error_, u_);
}

/// Weighs the estimated errors of states. With accelerations, against what the states change by within the
/// step as well: an error that is a share of the change does no harm, although the state may be zero just
/// then. Absolute tolerances that follow the largest motion need not, and must not, be as large then: what a
/// light body did in the beginning says nothing of what it does once that has died away.
void ClassicScheme::judge_estimate(std::span<const double> accelerations, Candidate& candidate) {
  constexpr double share = 1e-2;
  const double rtol = options_.norms.rtol;
  Tolerances states = options_.norms.states();
  if (!accelerations.empty()) states.rtol *= share;
  const MotionSizes absolute = states.absolute();
  const CutLayout& layout = conditions_.layout();
  const Seam& seam = lanes_.seam();
  const double H = accelerations.empty() ? 0 : window_.size();
  std::array<ExactSum, 2> squares;  // positions, velocities
  const auto judge = [&](double& error, double tolerance, std::size_t c, ExactSum& sum) {
    error = std::fabs(error);
    const double weighted = error / tolerance;
    cut_error_[c] = larger(cut_error_[c], weighted);
    if (seam.counts(c)) sum.add(weighted * weighted);
  };
  for (std::size_t c = 0; c < cut_error_.size(); ++c)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const Range own = layout.coordinates(c, side);
      if (!layout.is_motion(c, side)) continue;
      for (std::size_t i = own.first; i < own.last; ++i) {
        const MotionSize& atol = absolute.of(conditions_.laws().is_angle(c, side, i - own.first));
        const double x = std::fabs(y_.x(side)[i]), v = std::fabs(y_.v(side)[i]);
        const double dv = accelerations.empty()
                              ? 0
                              : H * std::fabs(accelerations[layout.joint_first(c, side) + i - own.first]);
        judge(estimate_.x(side)[i], atol.position + rtol * (x + H * (v + dv)), c, squares[0]);
        judge(estimate_.v(side)[i], atol.velocity + rtol * (v + dv), c, squares[1]);
      }
    }
  seam.total(squares);
  const auto n = static_cast<double>(std::max<std::size_t>(1, coordinates_in_all_));
  candidate.norms.pos = std::sqrt(squares[0].value() / n);
  candidate.norms.vel = std::sqrt(squares[1].value() / n);
}

}  // namespace cosimo
