#include "integrator/stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {
namespace {

constexpr int explicit_window = 16;
constexpr int implicit_window = 8;
constexpr int probe_window = 3;
constexpr int first_back_off = 4;
constexpr int max_back_off = 1024;
/// Windows between two looks at the limit, at most, and by how much steps may have changed since.
constexpr int longest_look = 8;
constexpr double steady_steps = 1.25;
/// Where the implicit method's steps can be long they are so within a few: each may be five times the last.
constexpr double hopeless_rate = 0.5;
constexpr double near_limit = 0.8;
constexpr double imaginary_limit = 1.0;
constexpr double real_limit = 3.3;
// Below the limit of Merson's pair at every ratio of damping: 3.37 at 0.1, 3.16 at 0.2, 3.04 from 0.3 to
// 0.35.
constexpr double merson_imaginary_limit = 3.464, merson_least_limit = 3.03, merson_slope = 1.7;
/// An attempt of merson: five evaluations in the place of six.
constexpr double merson_cost = 5.0 / 6;
/// Between the explicit pairs: less is not worth the digit that the one of higher order has in hand.
constexpr double merson_gain = 1.25;
constexpr double swinging = 0.1;  ///< damping ratio, at most
/// The part of all work that trials may cost.
constexpr double stake = 0.05;

// Weights of what is counted, in nanoseconds of a core of the year 2020; only their ratios matter. Fitted to
// lattices in two and three dimensions, networks and chains of rods.
constexpr double multiplication = 1.7;       ///< of a factorisation: gathers and scatters around it
constexpr double pair_multiplication = 4.0;  ///< the same of radau's real and complex matrix together
constexpr double pair_entry = 10.0;
constexpr double entry = 2.0;                                ///< of the factors, read by a solution
constexpr double scalar_element = 0.6, scalar_body = 1.0;    ///< of an evaluation, in vectors
constexpr double tangent_element = 8.0, tangent_body = 5.0;  ///< of a tangent, one by one
constexpr double force_entry = 2.6, joint_entry = 5.0;
constexpr double vector_entry = 0.09;   ///< of forces that are evaluated in vectors
constexpr double tangent_entry = 10.0;  ///< of their derivatives, one by one
constexpr double count_entry = 75.0;    ///< sorted into a matrix whose elimination is counted
constexpr double count_joined = 300.0;  ///< the same of mechanisms in tables: they are linearised one by one
constexpr double radau_without_fill = 3.0;

/// Windows before the next trial, twice as many each time.
void wait_longer(int& wait, int& back_off) {
  wait = back_off;
  back_off = std::min(2 * back_off, max_back_off);
}

}  // namespace

double SpectralBound::lambda() const {
  return 0.5 * delta + std::sqrt(0.25 * delta * delta + omega * omega);
}

double SpectralBound::stable_step() const {
  const double lambda_bound = lambda();
  if (lambda_bound == 0) return std::numeric_limits<double>::infinity();
  return (imaginary_limit + (real_limit - imaginary_limit) * damping_ratio()) / lambda_bound;
}

double SpectralBound::merson_step() const {
  const double lambda_bound = lambda();
  if (lambda_bound == 0) return std::numeric_limits<double>::infinity();
  const double limit = merson_imaginary_limit - merson_slope * std::max(0.0, damping_ratio() - 0.02);
  return std::max(merson_least_limit, limit) / lambda_bound;
}

double SpectralBound::damping_ratio() const {
  return omega > 0 ? std::min(1.0, 0.5 * delta / omega) : 1.0;
}

bool SpectralBound::swings() const {
  return damping_ratio() <= swinging;
}

SpectralBound oscillator(double lambda, double damping_ratio) {
  const double ratio = std::clamp(damping_ratio, 0.0, 1.0);
  const double omega = lambda / (ratio + std::sqrt(1 + ratio * ratio));
  return {omega, 2 * ratio * omega};
}

/// (E + T + F + 6 (E + S)) / 6 E, with T for the evaluation of the tangent.
double rosenbrock_cost(const TangentPattern& pattern, const SecondOrderSolver& solver) {
  if (solver.name() == "path" || solver.name() == "tree") return rosenbrock_without_fill;
  const EliminationCount count = solver.count();
  const auto elements = static_cast<double>(pattern.edges().size());
  const auto bodies = static_cast<double>(pattern.size());
  const double tangent = tangent_element * elements + tangent_body * bodies;
  const double evaluation = scalar_element * elements + scalar_body * bodies;
  return (7 * evaluation + tangent + multiplication * count.multiplications + 6 * entry * count.entries) /
         (6 * evaluation);
}

/// About four Newton iterations, each of which solves with both matrices. Derivatives of elements cost about
/// as much as their forces where those are found one by one; that is part of what there is without fill.
/// Explicit methods evaluate mechanisms in tables; the residuals and tangents here are found one by one.
double radau_cost(const ConstrainedTangent& tangent, const ForceEntries& entries,
                  const EliminationCount& count) {
  const auto fast = static_cast<double>(entries.in_vectors);
  const double one_by_one = force_entry * (static_cast<double>(tangent.K.size() + tangent.C.size()) - fast) +
                            vector_entry * fast + joint_entry * static_cast<double>(tangent.J.size());
  if (one_by_one == 0) return radau_without_fill;
  const double evaluation = entries.in_tables > 0 ? force_entry * entries.in_tables : one_by_one;
  return radau_without_fill * (one_by_one / evaluation) +
         (tangent_entry * fast + pair_multiplication * count.multiplications +
          4 * pair_entry * count.entries) /
             (6 * evaluation);
}

double radau_count_cost(const ForceEntries& entries) {
  const auto all = static_cast<double>(entries.all);
  if (entries.in_tables > 0) return count_joined * all / (6 * force_entry * entries.in_tables);
  if (entries.in_vectors == 0) return 0;
  const auto fast = static_cast<double>(entries.in_vectors);
  return count_entry * all / (6 * (force_entry * (all - fast) + vector_entry * fast));
}

void MethodChoice::record(double time, double work) {
  if (!std::isfinite(work)) return;  // nothing could be counted there, nor done
  spent_ += work;
  if (time > 0) last_rate_ = time / work;
  steps_ += time > 0 ? 1 : 0;
  time_ += time;
  work_ += work;
}

bool MethodChoice::window_full() const {
  const int first = trial_ == 2 ? probe_window : implicit_window;
  return steps_ >= (implicit ? first : explicit_window);
}

bool MethodChoice::change(bool to_implicit, bool to_merson) {
  implicit = to_implicit;
  merson = to_merson;
  ++switches;
  return true;
}

/// What the explicit method in use, or rk, does at its limit.
MethodChoice::Explicit MethodChoice::limit_of(const SpectralBound& bound) const {
  if (!merson) return {bound.stable_step(), bound.stable_step()};
  return {merson_share * bound.merson_step(), merson_share * bound.merson_step() / merson_cost};
}

/// That Merson's pair must beat. Beyond its limit rk goes on only until its error has grown.
double MethodChoice::lasting_rate(const SpectralBound& bound) const {
  const double seen = time_ / work_;
  return bound.swings() && !implicit && !merson ? std::min(seen, bound.stable_step()) : seen;
}

bool MethodChoice::tempted(const SpectralBound& bound) const {
  return !implicit && needs_bound() && time_ / steps_ >= near_limit * limit_of(bound).step;
}

/// Where the fastest motion is a vibration Merson's pair has its turn before the implicit method; where it
/// decays, once that could not help.
bool MethodChoice::considers_merson(const SpectralBound& bound, const Prospect& prospect) const {
  if (merson || !needs_bound() || merson_wait_ > 0) return false;
  if (merson_share * bound.merson_step() / merson_cost <= merson_gain * lasting_rate(bound)) return false;
  if (implicit) return bound.swings();
  return tempted(bound) && (bound.swings() || in_vain_ > 0 || !may_pay(bound.stable_step(), prospect));
}

/// Whether the implicit method is worth a trial, by what the explicit one has left to do at its limit.
bool MethodChoice::may_pay(double rate, const Prospect& prospect) const {
  return prospect.cost * rate <= prospect.longest_step &&
         affords(probe_window * prospect.cost, rate, prospect);
}

bool MethodChoice::may_look(const SpectralBound& bound, double more, const Prospect& prospect) const {
  return more == 0 || affords(more + probe_window * radau_without_fill, limit_of(bound).rate, prospect);
}

/// The steps of this window are those of the last look.
bool MethodChoice::steady() const {
  const double step = time_ / steps_;
  return !implicit && !merson && step < steady_steps * looked_step_ && step * steady_steps > looked_step_;
}

/// At the end of a window of rk in which the bound was looked at.
void MethodChoice::looked(bool near) {
  looked_step_ = near ? 0 : time_ / steps_;
  looked_wait_ = near ? 0 : looked_back_off_;
  looked_back_off_ = near ? 1 : std::min(2 * looked_back_off_, longest_look);
}

/// Whether trials may cost that much more, when the explicit method has this rate.
bool MethodChoice::affords(double more, double rate, const Prospect& prospect) const {
  return in_vain_ + more <= stake * (spent_ + prospect.time_left / rate);
}

bool MethodChoice::begin_trial(double rate, bool of_implicit, bool of_merson) {
  left_rate_ = rate;
  left_implicit_ = implicit;
  left_merson_ = merson;
  trial_ = 2;
  trial_work_ = 0;
  return change(of_implicit, of_merson);
}

/// At the end of a window of a trial.
bool MethodChoice::end_trial(double rate, const Prospect& prospect) {
  // What rk has stirred up at its limit may have to die down before steps become long.
  const bool hopeless = implicit && last_rate_ < hopeless_rate * left_rate_ &&
                        !affords(trial_work_ + implicit_window * prospect.cost, left_rate_, prospect);
  if (--trial_ > 0 && !hopeless) return false;
  const bool pairs = !implicit && !left_implicit_;
  int& back_off = pairs ? merson_back_off_ : back_off_;
  if (rate > (pairs ? merson_gain : 1) * left_rate_) {
    back_off = first_back_off;
    return false;
  }
  if (implicit) in_vain_ += trial_work_;
  trial_ = 0;
  wait_longer(pairs ? merson_wait_ : wait_, back_off);
  return change(left_implicit_, left_merson_);
}

/// Where accuracy holds rk, an error at merson's limit would be far too large to say anything.
bool MethodChoice::begin(const SpectralBound& bound, double rk_step, double merson_step) {
  seen_ = true;
  if (rk_step < near_limit * bound.stable_step()) return false;
  return merson_step / merson_cost > merson_gain * rk_step && begin_trial(rk_step, false, true);
}

bool MethodChoice::decide(const SpectralBound& bound, const Prospect& prospect) {
  const double rate = time_ / work_, lasting = lasting_rate(bound), work = work_;
  const bool at_limit = tempted(bound), looks = needs_bound();
  if (looks && prospect.costly_look && !implicit && !merson) looked(at_limit);
  steps_ = 0;
  time_ = work_ = 0;
  if (trial_ > 0) {
    trial_work_ += work;
    return end_trial(rate, prospect);
  }
  if (merson_wait_ > 0)
    --merson_wait_;
  else if (merson && merson_gain * rate < bound.stable_step())
    return begin_trial(rate, false, false);  // its error asks for shorter steps than rk can take
  if (wait_ > 0) {
    --wait_;
    return false;
  }
  if (!looks) {
    --looked_wait_;
    return false;
  }
  if (prospect.merson_step >= 0) {
    if (prospect.merson_step / merson_cost > merson_gain * lasting) return begin_trial(lasting, false, true);
    wait_longer(merson_wait_, merson_back_off_);
  }
  const double limit = limit_of(bound).rate;
  if (implicit ? limit <= rate : !at_limit) return false;
  if (!implicit && !may_pay(limit, prospect)) {
    wait_longer(wait_, back_off_);
    return false;
  }
  return begin_trial(rate, !implicit, false);
}

}  // namespace cosimo
