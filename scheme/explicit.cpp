#include "scheme/explicit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "numerics/sums.hpp"
#include "scheme/clock.hpp"

namespace cosimo {

namespace {

double rms(std::span<const double> x) {
  if (x.empty()) return 0;
  return std::sqrt(reproducible_sum(x.size(), [&](std::size_t i) { return x[i] * x[i]; }) /
                   static_cast<double>(x.size()));
}

// Points that any predictor, estimator or the order control may look back to.
std::size_t history_capacity(const ExplicitOptions& options) {
  return static_cast<std::size_t>(std::max(max_degree + 2, options.predictor.least_squares_points));
}

bool compares_lanes(Estimator e) {
  return e == Estimator::exLE || e == Estimator::exMD;
}

}  // namespace

/// Weighted norms of coupling-variable derivatives, for order and step control.
class ExplicitScheme::Norms final : public DerivativeNorms {
 public:
  explicit Norms(const ExplicitScheme& scheme) : scheme_(scheme), scratch_(scheme.u_.size()) {}
  double H = 0;

  int available() const override { return static_cast<int>(scheme_.history_.size()) - 1; }
  double scaled_derivative(int j) const override {
    cosimo::scaled_derivative(scheme_.history_, j, H, scratch_);
    return norm();
  }
  double a_priori(int kappa, double next_H) const override {
    a_priori_error(scheme_.history_, scheme_.history_.time(0) + next_H, kappa, scratch_);
    return norm();
  }

 private:
  double norm() const { return scheme_.weighted_norm(scratch_, scheme_.history_.values(0)); }
  const ExplicitScheme& scheme_;
  mutable std::vector<double> scratch_;
};

ExplicitScheme::ExplicitScheme(LaneSet& lanes, const ForceLaws& laws, double t_start,
                               const ExplicitOptions& options)
    : lanes_(lanes),
      laws_(laws),
      options_(options),
      history_(laws.size(), history_capacity(options)),
      y_(laws.size()),
      y_compare_(laws.size()),
      estimate_(laws.size()),
      u_(laws.size()),
      u_pre_(laws.size()),
      u_compare_(laws.size()),
      u_error_(laws.size()),
      cut_error_(laws.size()),
      actual_(laws.size()),
      compare_(laws.size()),
      floor_(laws.size()) {
  lanes_.gather(false, y_);
  laws_.evaluate(y_, u_);
  history_.push(t_start, u_);
  magnitude_ = next_magnitude_ = rms(u_);
  laws_.forces_at(options_.estimate.atol_pos, options_.estimate.atol_vel, floor_);
  norms_ = std::make_unique<Norms>(*this);
}

ExplicitScheme::~ExplicitScheme() = default;

double ExplicitScheme::atol_u(std::size_t coupling) const {
  const double given = options_.estimate.atol_u;
  // The smallest positive number keeps 0/0 out where a coupling exerts no force at all.
  return given > 0 ? given
                   : options_.estimate.rtol * next_magnitude_ + floor_[coupling] +
                         std::numeric_limits<double>::min();
}

/// (3.21) with the weights of (3.23).
double ExplicitScheme::weighted_norm(std::span<const double> error, std::span<const double> u) const {
  if (error.empty()) return 0;
  const double rtol = options_.estimate.rtol;
  const double sum = reproducible_sum(error.size(), [&](std::size_t i) {
    const double e = error[i] / (atol_u(i) + rtol * std::fabs(u[i]));
    return e * e;
  });
  return std::sqrt(sum / static_cast<double>(error.size()));
}

int ExplicitScheme::admissible(int kappa) const {
  const int points = static_cast<int>(history_.size());
  // exLE and exMD look one point further back than the prediction itself (3.3, 3.8).
  const int most = compares_lanes(options_.estimate.estimator) ? std::max(0, points - 2) : points - 1;
  return std::min(kappa, most);
}

/// Builds the polynomials; true when comparison lanes take part.
bool ExplicitScheme::prepare(const Window& window, int kappa) {
  predict(history_, window.end, kappa, options_.predictor, u_pre_);
  approximate(history_, window.end, kappa, u_pre_, actual_);
  const bool comparing =
      compares_lanes(options_.estimate.estimator) && static_cast<int>(history_.size()) >= kappa + 2;
  if (comparing) {
    predict(history_, window.end, kappa + 1, {}, u_compare_);  // (3.3), (3.8)
    const int degree = options_.estimate.estimator == Estimator::exLE ? kappa + 1 : kappa;
    approximate(history_, window.end, degree, u_compare_, compare_);  // (3.2), (3.7)
  }
  return comparing;
}

Candidate ExplicitScheme::attempt(const Attempt& attempt, std::span<const double> output_times) {
  Candidate candidate;
  candidate.kappa = admissible(attempt.kappa);
  next_time_ = attempt.window.end;

  double begin = clock_seconds();
  const bool comparing = prepare(attempt.window, candidate.kappa);
  interface_seconds_ = clock_seconds() - begin;

  lanes_.advance(attempt.window, actual_,
                 comparing ? std::span<const Polynomial>(compare_) : std::span<const Polynomial>(),
                 output_times);

  begin = clock_seconds();
  if (blame_failed_lane(lanes_, candidate)) return candidate;
  lanes_.gather(false, y_);
  laws_.evaluate(y_, u_);  // consistent update (2.25)
  next_magnitude_ = std::max(magnitude_, rms(u_));
  if (!std::isfinite(next_magnitude_)) {
    candidate.ok = false;
    candidate.reached = attempt.window.end;
    candidate.reason = "a coupling force is not finite: the coupling is unstable with this macro step";
    const auto bad = std::find_if(u_.begin(), u_.end(), [](double x) { return !std::isfinite(x); });
    candidate.worst = CouplingId{static_cast<std::size_t>(bad == u_.end() ? 0 : bad - u_.begin())};
    return candidate;
  }
  if (options_.estimate.estimator != Estimator::none) {
    if (comparing) {
      estimate_states(attempt.window, candidate);
    } else {
      estimate_coupling(candidate);
    }
    const auto worst = std::max_element(cut_error_.begin(), cut_error_.end());
    candidate.worst = CouplingId{static_cast<std::size_t>(worst - cut_error_.begin())};
  }
  interface_seconds_ += clock_seconds() - begin;
  return candidate;
}

/// exCV (3.16).
void ExplicitScheme::estimate_coupling(Candidate& candidate) {
  const double rtol = options_.estimate.rtol;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_error_[i] = std::fabs(u_pre_[i] - u_[i]);
    cut_error_[i] = u_error_[i] / (atol_u(i) + rtol * std::fabs(u_[i]));
  }
  candidate.norms.level = ErrorLevel::coupling;
  candidate.norms.u = weighted_norm(u_error_, u_);
}

/// exLE (3.6), exMD (3.13), (3.14).
void ExplicitScheme::estimate_states(const Window& window, Candidate& candidate) {
  lanes_.gather(true, y_compare_);
  double pos_factor = 1, vel_factor = 1;
  if (options_.estimate.estimator == Estimator::exMD) {
    std::array<double, max_degree + 3> grid{};
    const auto points = std::min(history_.size(), grid.size() - 1);
    grid[0] = window.end;
    for (std::size_t j = 0; j < points; ++j) grid[j + 1] = history_.time(j);
    const std::span<const double> used(grid.data(), points + 1);
    const ErrorConstants low = error_constants(candidate.kappa, used);
    const ErrorConstants high = error_constants(candidate.kappa + 1, used);
    pos_factor = high.pos / low.pos;
    vel_factor = high.vel / low.vel;
  }
  const EstimateOptions& o = options_.estimate;
  auto level = [&](const std::vector<double>& a, const std::vector<double>& b, double factor, double atol,
                   std::vector<double>& out, bool first) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      out[i] = factor * std::fabs(a[i] - b[i]);
      const double weighted = out[i] / (atol + o.rtol * std::fabs(a[i]));
      cut_error_[i] = first ? weighted : std::max(cut_error_[i], weighted);
    }
    return wrms_norm(out, a, o.rtol, atol);
  };
  // The two ends hold equally many bodies: the norm over all is the root mean square of both.
  auto join = [](double a, double b) { return std::sqrt(0.5 * (a * a + b * b)); };
  const double from_pos = level(y_.from_x, y_compare_.from_x, pos_factor, o.atol_pos, estimate_.from_x, true);
  const double to_pos = level(y_.to_x, y_compare_.to_x, pos_factor, o.atol_pos, estimate_.to_x, false);
  const double from_vel =
      level(y_.from_v, y_compare_.from_v, vel_factor, o.atol_vel, estimate_.from_v, false);
  const double to_vel = level(y_.to_v, y_compare_.to_v, vel_factor, o.atol_vel, estimate_.to_v, false);
  candidate.norms.level = ErrorLevel::state;
  candidate.norms.pos = join(from_pos, to_pos);
  candidate.norms.vel = join(from_vel, to_vel);
}

void ExplicitScheme::accept() {
  history_.push(next_time_, u_);
  magnitude_ = next_magnitude_;
  lanes_.commit();
}

void ExplicitScheme::reject() {
  next_magnitude_ = magnitude_;
  lanes_.discard();
}

const DerivativeNorms& ExplicitScheme::derivative_norms(double H) {
  norms_->H = H;
  return *norms_;
}

AttemptCost ExplicitScheme::cost() const {
  return {lanes_.solve_seconds(),    lanes_.thread_seconds(), lanes_.work(),
          lanes_.snapshot_seconds(), interface_seconds_,      lanes_.transport_seconds()};
}

}  // namespace cosimo
