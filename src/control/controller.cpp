#include "control/controller.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// In the start phase H grows by this factor per step.
constexpr double start_factor = 2;

/// More attempts than this at one step, each at most 0.9 of the one before, end at the smallest step.
constexpr int most_failures = 60;

/// (3.26) is needed when the order changes, and possible once the history has kappa + 2 points.
bool judged_a_priori(int kappa, int kappa_next, const DerivativeNorms& sdn) {
  return kappa_next != kappa && kappa_next < sdn.available();
}

}  // namespace

Controller::Controller(const ControlOptions& options, double t_start, double t_end)
    : options_(options), t_start_(t_start), t_end_(t_end), starting_(options.order_max > 0) {
  COSIMO_CHECK(options.first_step > 0, "first macro step " + std::to_string(options.first_step));
  COSIMO_CHECK(0 <= options.order_max && options.order_max < max_degree,
               "highest order " + std::to_string(options.order_max));
  COSIMO_CHECK(options.min_step <= options.max_step, "smallest macro step above the largest");
}

Decision Controller::first() const {
  if (options_.step_fixed) return {.H = fixed_step(options_.first_step, 0, 0.0)};
  return {.H = std::min(std::max(options_.first_step, smallest_step(t_start_)), options_.max_step)};
}

Decision Controller::restart(double t) {
  starting_ = options_.order_max > 0;
  last_chance_ = false;
  order_ = n_succ_ = n_fail_ = 0;
  if (options_.step_fixed) return {.H = options_.first_step};
  return {.H = std::min(std::max(options_.first_step, smallest_step(t)), options_.max_step)};
}

double Controller::smallest_step(double t) const {
  return std::max(options_.min_step, 1e-14 * std::max(std::abs(t), std::abs(t_end_)));
}

int Controller::highest_order(const DerivativeNorms& sdn) const {
  return std::clamp(sdn.available() - options_.spare_points, 0, options_.order_max);
}

int Controller::choose_order(int kappa, int n_succ, const DerivativeNorms& sdn) const {
  const int highest = highest_order(sdn);
  if (options_.order_fixed) return highest;
  const OrderState state{.kappa = kappa, .highest = highest, .n_succ = n_succ, .n_fail = n_fail_};
  return std::min(next_order(options_.strategy, state, sdn), highest);
}

bool Controller::start_goes_on(int kappa, const ErrorNorms& norms, const DerivativeNorms& sdn) const {
  if (!starting_) return false;
  if (!options_.order_fixed && choose_order(kappa, 0, sdn) < kappa) return false;
  return options_.step_fixed || optimal_factor(norms, kappa, options_.safety) >= 1;
}

/// The error found tells more than (3.26).
bool Controller::calibrated(const ErrorNorms& norms) const {
  return norms.states_decide() || (options_.calibrate && norms.level == ErrorLevel::state);
}

/// Optimal factor for a step of size H with another degree.
double Controller::factor_after_change(double H, int kappa, int kappa_next, const ErrorNorms& norms,
                                       const DerivativeNorms& sdn) const {
  const double next = sdn.a_priori(kappa_next, H);
  if (!calibrated(norms) || kappa >= sdn.available())
    return optimal_factor(next, kappa_next + 1, options_.safety);
  const double now = sdn.a_priori(kappa, H);
  if (!(now > 0)) return optimal_factor(next, kappa_next + 1, options_.safety);
  ErrorNorms expected = norms;
  for (double* norm : {&expected.pos, &expected.vel, &expected.u}) *norm *= next / now;
  return optimal_factor(expected, kappa_next, options_.safety);
}

double Controller::next_size(double H, double planned, int kappa, int kappa_next, const ErrorNorms& norms,
                             const DerivativeNorms& sdn) const {
  if (starting_) return std::max(start_factor * H, planned);
  if (judged_a_priori(kappa, kappa_next, sdn)) {
    if (!calibrated(norms))
      return planned * step_factor(factor_after_change(planned, kappa, kappa_next, norms, sdn), 0, limits());
    return resized(H, planned, factor_after_change(H, kappa, kappa_next, norms, sdn));
  }
  return resized(H, planned, optimal_factor(norms, kappa, options_.safety));
}

/// The next size when r is the optimal factor for the size H of the step done.
double Controller::resized(double H, double planned, double r) const {
  const double factor = step_factor(r, 0, limits());
  if (H < planned && r >= 1) return std::max(planned, factor * H);
  return factor * std::min(H, planned);
}

Decision Controller::accepted(double t, double H, double planned, int kappa, const ErrorNorms& norms,
                              const DerivativeNorms& sdn) {
  n_fail_ = 0;
  last_chance_ = false;
  n_succ_ = kappa == order_ ? n_succ_ + 1 : 1;
  ++steps_;

  starting_ = start_goes_on(kappa, norms, sdn);
  const int kappa_next =
      starting_ ? std::min(kappa + 1, highest_order(sdn)) : choose_order(kappa, n_succ_, sdn);
  const double H_next = options_.step_fixed ? fixed_step(options_.first_step, steps_, t - t_start_)
                                            : next_size(H, planned, kappa, kappa_next, norms, sdn);
  const bool reduced = !options_.step_fixed && H_next < std::min(H, planned);
  if (kappa_next != kappa || reduced) n_succ_ = 0;
  if (kappa_next == options_.order_max) starting_ = false;
  order_ = kappa_next;

  if (options_.step_fixed) return {.H = H_next, .kappa = kappa_next};
  return {.H = std::min(std::max(H_next, smallest_step(t)), options_.max_step), .kappa = kappa_next};
}

Decision Controller::rejected(double t, double H, int kappa, const ErrorNorms& norms,
                              const DerivativeNorms& sdn) {
  if (!std::isfinite(norms.largest())) return failed(t, H, kappa);
  ++n_fail_;
  const int kappa_next = options_.order_fixed ? kappa : choose_order(kappa, 0, sdn);
  const double r = judged_a_priori(kappa, kappa_next, sdn)
                       ? factor_after_change(H, kappa, kappa_next, norms, sdn)
                       : optimal_factor(norms, kappa, options_.safety);
  return repeat(t, H, step_factor(r, n_fail_, limits()), kappa_next);
}

Decision Controller::failed(double t, double H, int kappa) {
  ++n_fail_;
  return repeat(t, H, failure_factor, options_.order_fixed ? kappa : order_after_failures(kappa, n_fail_));
}

Decision Controller::repeat(double t, double H, double factor, int kappa) {
  starting_ = false;
  n_succ_ = 0;
  order_ = kappa;
  if (options_.step_fixed) return {.H = H, .kappa = kappa, .too_small = true};
  const double H_next = std::min(factor * H, options_.max_step);
  const double smallest = smallest_step(t);
  if (H_next >= smallest && n_fail_ < most_failures) return {.H = H_next, .kappa = kappa};
  // The smallest step itself gets one chance before the run gives up. (Not judged by H: a window's
  // size is rounded to the grid of t.)
  const bool had_chance = std::exchange(last_chance_, true);
  return {.H = had_chance ? H_next : smallest, .kappa = kappa, .too_small = had_chance};
}

}  // namespace cosimo
