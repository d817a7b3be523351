#include "scheme/overlap_control.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

namespace {

/// H and layers are reviewed after every step at first, later after this many.
constexpr std::int64_t longest_interval = 16;

/// An error above this is too near the tolerance to wait for the next review.
constexpr double urgent = 0.5;

/// A change of H must save this part of the work.
constexpr double worth_while = 0.01;

/// More failures of one step than this end the run.
constexpr int most_failures = 40;

}  // namespace

Decision OverlapControl::first() {
  double H = options_.first_step;
  if (H == 0) {
    const double rate = scheme_.fastest_rate();
    H = rate > 0 ? std::min(1 / rate, 1e-3 * options_.t_end) : 1e-3 * options_.t_end;
  }
  return decide(0.0, H);
}

Decision OverlapControl::restart(double t) {
  failures_ = 0;
  growing_ = false;
  return decide(t, H_);
}

Decision OverlapControl::decide(double t, double H) {
  const double least = std::max(options_.min_step, 1e-14 * std::max(std::fabs(t), options_.t_end));
  if (!options_.step_fixed) H = std::clamp(H, least, std::max(least, options_.max_step));
  H_ = H;
  since_review_ = 0;
  scheme_.plan(H);
  return {.H = H, .kappa = 0, .too_small = false};
}

/// The nearest size of which a whole number fits between two output times.
double OverlapControl::meeting_outputs(double H) const {
  const double fit = options_.output / H;
  if (!(fit > 0.7) || fit > 16) return H;
  return options_.output / std::max(1.0, std::round(fit));
}

double OverlapControl::cheapest(double H) const {
  if (scheme_.fixed_layers()) return std::clamp(scheme_.longest_step(), 0.25 * H, 2 * H);
  std::vector<double> sizes{H};
  for (const double factor : {0.5, 0.7071, 1.4142, 2.0}) sizes.push_back(meeting_outputs(factor * H));
  return cheapest_of(sizes);
}

/// The first, unless another is clearly cheaper.
double OverlapControl::cheapest_of(const std::vector<double>& sizes) const {
  const std::vector<double> cost = scheme_.predicted_costs(sizes);
  double best = sizes[0], least = (1 - worth_while) * cost[0];
  for (std::size_t k = 1; k < sizes.size(); ++k)
    if (cost[k] < least) {
      least = cost[k];
      best = sizes[k];
    }
  return best;
}

Decision OverlapControl::accepted(const StepOutcome& step) {
  failures_ = 0;
  ++accepted_;
  ++since_review_;
  scheme_.observe(true);
  const std::int64_t interval = growing_ ? 1 : std::min(longest_interval, 1 + accepted_ / 8);
  const bool due = since_review_ >= interval || step.candidate.norms.largest() > urgent;
  if (!due) return {.H = H_, .kappa = 0, .too_small = false};
  const double before = H_;
  const Decision decision = decide(step.t, options_.step_fixed ? H_ : cheapest(H_));
  growing_ = decision.H > 1.8 * before;
  return decision;
}

Decision OverlapControl::rejected(const StepOutcome& step) {
  scheme_.observe(false);
  // Wider overlaps or shorter steps, whichever is cheaper; if they do not help, shorter steps in any case.
  double H = std::min(H_, step.H);
  if (scheme_.fixed_layers())
    H = std::min(0.7 * step.H, scheme_.longest_step());
  else if (!options_.step_fixed)
    H = cheapest_of({H, 0.5 * H, 0.25 * H});
  if (failures_ >= 2) H *= 0.5;
  return again(step, std::max(H, 0.1 * step.H));
}

Decision OverlapControl::failed(const StepOutcome& step) {
  Decision decision = again(step, 0.25 * step.H);
  decision.too_small |= options_.step_fixed;  // the same step would fail in the same way
  return decision;
}

Decision OverlapControl::again(const StepOutcome& step, double H) {
  ++failures_;
  growing_ = false;
  const double least = std::max(options_.min_step, 1e-14 * std::max(std::fabs(step.t), options_.t_end));
  const bool hopeless = failures_ > most_failures || (failures_ > 3 && step.H <= least * (1 + 1e-9)) ||
                        (options_.step_fixed && (failures_ > 20 || scheme_.fixed_layers()));
  Decision decision = decide(step.t, options_.step_fixed ? H_ : H);
  decision.too_small = hopeless;
  return decision;
}

}  // namespace cosimo
