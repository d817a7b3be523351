#include "integrator/switch_watch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

namespace cosimo {

namespace {

constexpr double margin = 1.5;              ///< of rates, which change between the samples
constexpr double difference = 1.0 / 16384;  ///< of theta, for rates
constexpr double shallow = 0.1;             ///< of the depth of a stretch: an end there has not seen it
constexpr double rounding = 1e-12;          ///< of a coordinate: nothing that a switch could tell from noise
constexpr double resolved = 100;            ///< absolute tolerances: more than an error test lets pass
constexpr int deepest = 24;                 ///< bisections
constexpr double straight = 0.5;   ///< of the steeper slope: the mean one of a switch that goes over once
constexpr double middle = 0.4583;  ///< of a step, roughly
constexpr std::size_t most_samples = 200;  ///< more: the step is too long to be watched
constexpr double largest_share = 0.9;      ///< so that meeting an end does not stretch it back

/// Without a common measure, so that what is periodic in time is not met at the same phase.
constexpr std::array<double, 7> inside{0.0893, 0.2117, 0.3301, 0.4583, 0.6037, 0.7451, 0.8839};

}  // namespace

SwitchWatch::SwitchWatch(const System& system, const Tolerances& tolerances)
    : system_(system), tolerances_(tolerances), laws_(system.switch_laws()) {
  if (idle()) return;
  for (auto* x : {&q_, &v_, &shifted_q_, &shifted_v_}) x->resize(system.size());
  for (auto* s : {&now_, &beside_}) s->resize(laws_.size());
  sides_.resize(laws_.size());
}

void SwitchWatch::begin() {
  lost_turn_.reset();
  if (!system_.driven().empty())
    for (Known& known : known_) known.key.clear();
}

/// The switches at one place, into now_. At the ends of a step they may be known.
void SwitchWatch::evaluate(double theta) {
  (*motion_)(theta, q_.data(), v_.data());
  const double t = t_ + theta * h_;
  const bool end = theta == 1;
  if (!end && theta != 0) return system_.switches(t, q_.data(), v_.data(), now_.data());
  key_.clear();
  key_.push_back(t);
  for (const std::int32_t dof : dofs()) {
    key_.push_back(q_[static_cast<std::size_t>(dof)]);
    key_.push_back(v_[static_cast<std::size_t>(dof)]);
  }
  const auto same = [&](const Known& known) {
    return known.key.size() == key_.size() &&
           std::memcmp(known.key.data(), key_.data(), key_.size() * sizeof(double)) == 0;
  };
  const auto found = std::find_if(known_.begin(), known_.end(), same);
  if (found != known_.end()) {
    std::copy(found->switches.begin(), found->switches.end(), now_.begin());
  } else {
    system_.switches(t, q_.data(), v_.data(), now_.data());
  }
  // The step is repeated from the same begin, or goes on from its end.
  const std::size_t place = end ? 1 : 0;
  if (found == known_.begin() + static_cast<std::ptrdiff_t>(place)) return;
  known_[place].key = key_;
  known_[place].switches = now_;
}

/// Values and rates of the switches looked at, at one place; returns its number. Rates that laws do not tell
/// are found within a small part of the interval that it divides: a kink there must not spoil those of both
/// its halves.
std::size_t SwitchWatch::sample(double theta, double interval) {
  const double away = std::min(difference, interval / 16);
  const double beside = theta < 0.5 ? theta + away : theta - away;
  evaluate(theta);
  const auto lacks_rate = [&](std::size_t k) { return !now_[k].angle && !now_[k].tells_rate(); };
  if (std::any_of(looked_at_.begin(), looked_at_.end(), lacks_rate)) {
    (*motion_)(beside, shifted_q_.data(), shifted_v_.data());
    system_.switches(t_ + beside * h_, shifted_q_.data(), shifted_v_.data(), beside_.data());
  }
  samples_.push_back({theta, switch_.size()});
  for (const std::size_t k : looked_at_) {
    switch_.push_back(now_[k]);
    Switch& made = switch_.back();
    if (lacks_rate(k)) made.rate = (beside_[k].value - now_[k].value) / ((beside - theta) * h_);
    // log(x) below zero, say, which a condition keeps off: without a value no branch acts.
    if (!std::isfinite(made.value)) made.value = 0;
    if (!std::isfinite(made.rate)) made.rate = 0;
  }
  return samples_.size() - 1;
}

/// By how much the switches change when coordinates change by the absolute tolerances: all together, and all
/// those against the others whose number has a certain bit. Any two are shifted apart in one of these ways.
void SwitchWatch::find_noise() {
  const auto bits = static_cast<unsigned>(std::bit_width(system_.size()));
  const double t = t_ + samples_.back().theta * h_;  // where q_ and v_ are still
  const MotionSizes absolute = tolerances_.absolute();
  const auto angles = system_.angles();
  std::copy(now_.begin(), now_.end(), beside_.begin());
  for (unsigned bit = 0; bit <= bits; ++bit) {
    for (const std::int32_t dof : dofs()) {
      const auto i = static_cast<std::size_t>(dof);
      const double sign = bit < bits && ((i >> bit) & 1U) != 0 ? -1.0 : 1.0;
      const MotionSize& atol = absolute.of(!angles.empty() && angles[i] != 0);
      shifted_q_[i] = q_[i] + sign * (atol.position + rounding * std::fabs(q_[i]));
      shifted_v_[i] = v_[i] + sign * (atol.velocity + rounding * std::fabs(v_[i]));
    }
    system_.switches(t, shifted_q_.data(), shifted_v_.data(), now_.data());
    for (std::size_t j = 0; j < looked_at_.size(); ++j) {
      const std::size_t k = looked_at_[j];
      noise_[j] = std::max(noise_[j], std::fabs(now_[k].value - beside_[k].value));
    }
  }
}

int SwitchWatch::side(std::size_t j, const Sample& at) const {
  const double s = switch_[at.first + j].angle ? 0 : switch_[at.first + j].value;
  return s > noise_[j] ? 1 : (s < -noise_[j] ? -1 : 0);
}

/// What happens to a switch between two samples is known: it keeps its sign or, `crossed`, goes straight
/// over.
bool SwitchWatch::settled(std::size_t j, const Sample& a, const Sample& b, bool& crossed) const {
  const Switch &x = switch_[a.first + j], &y = switch_[b.first + j];
  if (x.angle) return true;
  const double time = (b.theta - a.theta) * h_, at_a = x.rate, at_b = y.rate;
  const double slope = std::max(std::fabs(at_a), std::fabs(at_b)), change = y.value - x.value;
  const bool trusted = time <= std::min(x.span, y.span);
  crossed = side(j, a) * side(j, b) < 0;
  if (crossed)
    return trusted && at_a * change > 0 && at_b * change > 0 && std::fabs(change) >= straight * slope * time;
  const double bound = std::max(x.bound, y.bound), rate = trusted ? std::min(bound, slope) : bound;
  return std::fabs(x.value) + std::fabs(y.value) + 2 * noise_[j] >= margin * rate * time;
}

/// Not all is known between two samples; at most one switch of a law may act there.
bool SwitchWatch::must_split(const Sample& a, const Sample& b, std::size_t first, std::size_t last) const {
  std::int32_t acted = -1;
  for (std::size_t j = first; j < last; ++j) {
    bool crossed = false;
    if (!settled(j, a, b, crossed)) return true;
    if (!crossed) continue;
    if (acted == laws_[looked_at_[j]]) return true;
    acted = laws_[looked_at_[j]];
  }
  return false;
}

/// Puts all samples between two into the order, and the right one.
void SwitchWatch::refine(std::size_t left, std::size_t right, int depth) {
  if (samples_.size() >= most_samples) return;
  if (depth < deepest && must_split(samples_[left], samples_[right], 0, looked_at_.size())) {
    const double a = samples_[left].theta, b = samples_[right].theta;
    const std::size_t half = sample(0.5 * (a + b), b - a);
    refine(left, half, depth + 1);
    refine(half, right, depth + 1);
    return;
  }
  order_.push_back(right);
}

/// The ends of the step alone tell that a switch keeps far from zero all along: it cannot come there with the
/// fastest rates that its law knows of and with all of their change. Of laws that tell their rates.
bool SwitchWatch::far(std::size_t k, double smallest) const {
  const Switch &x = switch_[samples_[0].first + k], &y = switch_[samples_[1].first + k];
  if (x.angle) return true;
  if (!now_[k].tells_rate() || !(x.value * y.value > 0)) return false;
  const double rate = std::max({x.bound, y.bound, std::fabs(y.value - x.value) / h_});
  const double distance = std::fabs(x.value) + std::fabs(y.value);
  return distance >= smallest && distance >= margin * (rate + std::fabs(y.rate - x.rate)) * h_;
}

/// The first switch after those of the law of one, among those looked at.
std::size_t SwitchWatch::end_of_law(std::size_t first) const {
  std::size_t next = first;
  while (next < looked_at_.size() && laws_[looked_at_[next]] == laws_[looked_at_[first]]) ++next;
  return next;
}

void SwitchWatch::start_over() {
  samples_.clear();
  switch_.clear();
  noise_.assign(looked_at_.size(), 0.0);
}

/// Looks at all switches at the ends of the step and, unless all are far, at a third place. Those of laws of
/// which that does not tell enough are looked at further. False when there are none.
bool SwitchWatch::look_briefly() {
  looked_at_.resize(laws_.size());
  std::iota(looked_at_.begin(), looked_at_.end(), std::size_t{0});
  start_over();
  sample(0);
  sample(1);
  find_lost_turn();
  const double smallest = resolved * tolerances_.absolute().of(false).position;
  open_.clear();
  for (std::size_t first = 0, next = 0; first < laws_.size(); first = next) {
    next = end_of_law(first);
    bool all_far = true;
    for (std::size_t k = first; k < next; ++k) all_far = all_far && far(k, smallest);
    for (std::size_t k = first; k < next && !all_far; ++k) open_.push_back(k);
  }
  if (open_.empty()) return false;

  sample(middle);
  order_ = {0, 2, 1};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < open_.size();) {
    const std::size_t first = open_[i], next = end_of_law(first);
    const bool further = must_split(samples_[0], samples_[2], first, next) ||
                         must_split(samples_[2], samples_[1], first, next) || unseen(first, next) < 1;
    for (std::size_t k = first; k < next; ++k, ++i)
      if (further) open_[kept++] = k;
  }
  open_.resize(kept);
  std::swap(looked_at_, open_);
  return !looked_at_.empty();
}

/// Between the two ends.
void SwitchWatch::find_lost_turn() {
  lost_turn_.reset();
  for (std::size_t k = 0; k < laws_.size() && !lost_turn_; ++k)
    if (now_[k].lost_turn(switch_[k])) lost_turn_ = laws_[k];
}

double SwitchWatch::longest(double t, double h, const Path& motion) {
  t_ = t;
  h_ = h;
  motion_ = &motion;
  if (!look_briefly()) return 1;

  start_over();
  const std::size_t begin = sample(0), end = sample(1);
  find_noise();
  order_.assign(1, begin);
  std::size_t last = begin;
  for (const double theta : inside) {
    const std::size_t next = sample(theta);
    refine(last, next, 0);
    last = next;
  }
  refine(last, end, 0);

  double share = samples_[order_.back()].theta;  // 1, unless there were too many
  for (std::size_t first = 0, next = 0; first < looked_at_.size(); first = next) {
    next = end_of_law(first);
    share = std::min(share, unseen(first, next));
  }
  return share < 1 ? std::min(share, largest_share) : 1;
}

/// Where the step must end to see what it otherwise passes over, of the law with these switches; 1: nothing.
double SwitchWatch::unseen(std::size_t first, std::size_t last) {
  // A sample within the noise of a switch is on the side of the one before.
  std::fill(sides_.begin() + static_cast<std::ptrdiff_t>(first),
            sides_.begin() + static_cast<std::ptrdiff_t>(last), 0);
  std::size_t changes = 0, begin = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    bool changed = false;
    for (std::size_t j = first; j < last; ++j) {
      const int now = side(j, samples_[order_[i]]);
      changed = changed || now * sides_[j] < 0;
      if (now != 0) sides_[j] = now;
    }
    if (!changed) continue;
    if (++changes == 2) return samples_[order_[(begin + i) / 2]].theta;
    begin = i;
  }
  double share = 1;
  for (std::size_t j = first; j < last; ++j)
    if (!switch_[j].angle) share = std::min(share, unseen_by(j, begin));
  return share;
}

/// The same of one switch where the law changes its branch before sample `change`, or not at all (0). An end
/// at which any switch of the law is about to act tells nothing of the branch: there sign(x) is zero, say.
double SwitchWatch::unseen_by(std::size_t j, std::size_t change) const {
  const auto value = [&](std::size_t i) { return std::fabs(switch_[samples_[order_[i]].first + j].value); };
  const std::size_t end = order_.size() - 1;
  double share = 1;
  const auto look = [&](std::size_t from, std::size_t until, double known) {
    std::size_t peak = from;
    for (std::size_t i = from; i <= until; ++i)
      if (value(i) > value(peak)) peak = i;
    if (std::max(known, noise_[j]) >= shallow * value(peak)) return;
    const auto theta = [&](std::size_t i) { return samples_[order_[i]].theta; };
    share = std::min(share, peak == from || peak == until ? 0.5 * (theta(from) + theta(until)) : theta(peak));
  };
  if (change == 0) {
    look(0, end, std::max(value(0), value(end)));
  } else {
    look(0, change - 1, value(0));
    look(change, end, value(end));
  }
  return share;
}

}  // namespace cosimo
