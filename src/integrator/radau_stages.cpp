#include "integrator/radau_stages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrator/error_sum.hpp"
#include "integrator/stiffness.hpp"
#include "numerics/sums.hpp"
#include "parallel/shares.hpp"

namespace cosimo {
namespace {

namespace rd = radau;
constexpr std::size_t stages = rd::stages;
constexpr int max_iterations = 10;
/// Changes that a first guess may make, in parts of what changes and as far as the tolerances see it.
constexpr double trusted = 0.1;

/// The iteration ends with an error of this part of the tolerances (Hairer, Wanner II, IV.8).
double iteration_limit(double rtol) {
  const double rounding = 10 * std::numeric_limits<double>::epsilon() / rtol;
  return std::max(rounding, std::min(0.03, std::sqrt(rtol)));
}

/// Follows the size of the corrections (Hairer, Wanner II, IV.8).
class Convergence {
 public:
  enum Verdict { reached, ahead, hopeless };

  explicit Convergence(double limit) : limit_(limit) {}

  /// After a correction of size `now`, with `left` more to come at most.
  Verdict judge(double now, int left) {
    if (!std::isfinite(now)) return hopeless;
    const int k = count_++;
    const double last = std::exchange(last_, now), before = std::exchange(before_, last);
    if (k == 0) return now <= limit_ ? reached : ahead;
    if (now <= limit_ && now >= 0.5 * last) return reached;  // rounding: it will not get better
    // Velocities and multipliers correct each other in turn: the mean of two rates is the rate. But the first
    // correction of a stiff motion may be followed by a larger one before it settles.
    const double rate = k == 1 ? now / last : std::sqrt(now / before);
    if (k == 1 && rate >= 0.5) return rate < 100 ? ahead : hopeless;
    if (rate >= 0.99) return hopeless;
    const double rest = rate / (1 - rate) * now;
    if (rest <= limit_) return reached;
    return k > 1 && std::pow(rate, left) / (1 - rate) * now > limit_ ? hopeless : ahead;
  }

 private:
  double limit_;
  int count_ = 0;
  double last_ = 0, before_ = 0;
};

double root_mean_square(const double* x, const double* w, std::size_t n) {
  const double sum = reproducible_sum(n, [=](std::size_t i) { return (w[i] * x[i]) * (w[i] * x[i]); });
  return std::sqrt(sum / static_cast<double>(n));
}

}  // namespace

RadauStages::RadauStages(const ConstrainedSystem& system, const Tolerances& tolerances, Linear linear,
                         Team* team)
    : system_(system),
      shared_(system.shared_equations()),
      team_(shared_ == nullptr ? nullptr : team),
      tolerances_(tolerances),
      linear_{linear != Linear::klu, kkt_iteration},
      n_(system.size()),
      f_(system.freedoms()),
      m_(system.constraints()),
      states_(system.extent().z),
      real_(rd::eigenvectors(rd::mu)),
      complex_(rd::eigenvectors({rd::kappa_real, rd::kappa_imag})),
      work_(5 * stages + 3, n_, work_place),
      alpha_begin_(f_),
      lambda_begin_(m_),
      z_rate_begin_(states_),
      weight_z_(states_),
      real_b_(f_ + states_ + m_),
      complex_b_(f_ + states_ + m_),
      squares_(stages * n_) {
  std::size_t row = 0;
  for (Rows* rows : {&q_, &v_, &a_, &old_q_, &old_v_})
    for (double*& x : *rows) x = work_.row(row++).data();
  for (double** x : {&weight_q_, &weight_v_, &a_begin_}) *x = work_.row(row++).data();
  for (std::size_t s = 0; s < stages; ++s) {
    alpha_[s].resize(f_);
    lambda_[s].resize(m_);
    residual_[s].resize(f_ + states_ + m_);
    for (auto* x : {&z_[s], &old_z_[s], &z_rate_[s]}) x->resize(states_);
  }
}

bool RadauStages::linearise(const Point& from, Counters& counters) {
  from_ = from;
  ++counters.evaluations;
  if (!system_.evaluate_with_multipliers(from.t, from.whole(), a_begin_, z_rate_begin_.data(),
                                         lambda_begin_.data()))
    return false;
  auto work = [&](const Fellow& me) {
    if (shared_ == nullptr) {
      system_.lower(from.q, from.v, a_begin_, alpha_begin_.data());
      return system_.linearise_whole(from.t, from.whole(), alpha_begin_.data(), lambda_begin_.data(),
                                     tangent_);
    }
    shared_->lower(from.q, from.v, a_begin_, alpha_begin_.data(), me);
    me.meet();
    shared_->linearise(from.t, from.whole(), alpha_begin_.data(), lambda_begin_.data(), tangent_, me);
  };
  together(team_, fellows(), work);
  if (!real_solver_) real_solver_.emplace(f_, m_, tangent_, states_, tangent_.z, linear_);
  const ErrorWeights weights(tolerances_, system_.angles());
  for (std::size_t i = 0; i < n_; ++i) {
    weight_q_[i] = 1 / weights.q(i, from.q[i]);
    weight_v_[i] = 1 / weights.v(i, from.v[i]);
  }
  const StateWeights state_weights(tolerances_, system_.nominals());
  for (std::size_t i = 0; i < states_; ++i) weight_z_[i] = 1 / state_weights(i, from.z[i]);
  return true;
}

double RadauStages::cost(const Point& at) {
  if (cost_ > 0) return cost_;
  Counters elsewhere;  // what is counted must not depend on who asks when
  if (!real_solver_ && !linearise(at, elsewhere)) return std::numeric_limits<double>::infinity();
  return cost_ = radau_cost(tangent_, system_.force_entries(), real_solver_->count());
}

bool RadauStages::factor(double h, Counters& counters) {
  h_ = h;
  counters.factorizations += 2;
  if (!complex_solver_) complex_solver_.emplace(f_, m_, tangent_, states_, tangent_.z, linear_);
  bool fine = true;
  auto work = [&](const Fellow& me) {
    const bool done =
        real_solver_->factor(tangent_, h * rd::mu, tangent_.z, me) &&
        complex_solver_->factor(tangent_, h * rd::Complex{rd::kappa_real, rd::kappa_imag}, tangent_.z, me);
    if (me.leads()) fine = done;
  };
  together(team_, fellows(), work);
  return fine;
}

int RadauStages::fellows() const {
  return shared_ == nullptr ? 1 : shared_->most_fellows();
}

Range RadauStages::coordinates(const Fellow& me) const {
  return me.count == 1 ? Range{0, n_} : shared_->coordinates(me);
}

Range RadauStages::freedoms(const Fellow& me) const {
  return me.count == 1 ? Range{0, f_} : shared_->freedoms(me);
}

void RadauStages::lift(std::size_t s, const Fellow& me) {
  if (shared_ == nullptr) return system_.lift(q_[s], v_[s], alpha_[s].data(), a_[s]);
  shared_->lift(q_[s], v_[s], alpha_[s].data(), a_[s], me);
}

void RadauStages::lower(std::size_t s, const Fellow& me) {
  if (shared_ == nullptr) return system_.lower(q_[s], v_[s], a_[s], alpha_[s].data());
  shared_->lower(q_[s], v_[s], a_[s], alpha_[s].data(), me);
}

/// What the leader makes for all is there after the next meeting.
void RadauStages::begin(const Fellow& me) {
  constexpr double farthest = 6;  // steps ahead of the last one
  const State* previous = from_.previous;
  if (previous != nullptr && !(h_ <= farthest * (from_.t - previous->t))) previous = nullptr;
  if (previous != nullptr) {
    begin_extrapolated(*previous, coordinates(me));
  } else {
    begin_constant(coordinates(me));
  }
  if (me.leads() && states_ > 0) begin_states(previous);
  const Range rows = me.share(m_);
  for (std::size_t s = 0; s < stages; ++s) {
    std::copy(lambda_begin_.data() + rows.first, lambda_begin_.data() + rows.last,
              lambda_[s].data() + rows.first);
    lower(s, me);
  }
}

/// Accelerations as at the beginning. Where a stiff motion is disturbed its acceleration is large and
/// short-lived, no guess for a whole step; the linearised equations, which the first iteration solves, then
/// do better from nothing.
void RadauStages::begin_constant(Range own) {
  const double jump = h_ * root_mean_square(a_begin_, weight_v_, n_);
  const double factor = jump * tolerances_.rtol <= trusted ? 1.0 : 0.0;
  for (std::size_t s = 0; s < stages; ++s) {
    const double t = rd::c[s] * h_;
    for (std::size_t i = own.first; i < own.last; ++i) {
      const double a = a_[s][i] = factor * a_begin_[i];
      v_[s][i] = from_.v[i] + t * a;
      q_[s][i] = from_.q[i] + t * (from_.v[i] + 0.5 * t * a);
    }
  }
}

/// The velocities v_0 + a t + b t^2 that fit positions and velocities at both ends of the last step. The
/// accelerations there are left alone: noise times stiffness.
void RadauStages::begin_extrapolated(const State& previous, Range own) {
  const double H = from_.t - previous.t;
  for (std::size_t i = own.first; i < own.last; ++i) {
    const double v0 = from_.v[i], v1 = previous.v[i], way = from_.q[i] - previous.q[i];
    const double b = 6 * (0.5 * (v0 + v1) - way / H) / (H * H), a = (v0 - v1) / H + b * H;
    for (std::size_t s = 0; s < stages; ++s) {
      const double t = rd::c[s] * h_;
      a_[s][i] = a + 2 * b * t;
      v_[s][i] = v0 + t * (a + t * b);
      q_[s][i] = from_.q[i] + t * (v0 + t * (0.5 * a + t * b / 3));
    }
  }
}

/// The same for first-order states, straight on.
void RadauStages::begin_states(const State* previous) {
  const double jump = h_ * root_mean_square(z_rate_begin_.data(), weight_z_.data(), states_);
  const double factor = jump * tolerances_.rtol <= trusted ? 1.0 : 0.0;
  for (std::size_t i = 0; i < states_; ++i) {
    const double rate = previous != nullptr ? (from_.z[i] - previous->z[i]) / (from_.t - previous->t)
                                            : factor * z_rate_begin_[i];
    for (std::size_t s = 0; s < stages; ++s) {
      z_rate_[s][i] = rate;
      z_[s][i] = from_.z[i] + rd::c[s] * h_ * rate;
    }
  }
}

/// A, V, Q and Z of all stages for the present alpha and z'. Where coordinates are no freedoms, the lift
/// depends on Q and V in turn; what a second pass leaves open is of second order in the rotation within the
/// step, and goes on to converge with the iteration.
void RadauStages::follow(const Fellow& me) {
  const Range own = coordinates(me);
  if (me.leads())
    for (std::size_t s = 0; s < stages; ++s)
      for (std::size_t i = 0; i < states_; ++i)
        z_[s][i] = from_.z[i] + h_ * ((rd::A[s][0] * z_rate_[0][i] + rd::A[s][1] * z_rate_[1][i]) +
                                      rd::A[s][2] * z_rate_[2][i]);
  const int passes = n_ == f_ ? 1 : 2;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t s = 0; s < stages; ++s) lift(s, me);
    for (std::size_t s = 0; s < stages; ++s) {
      const double w0 = h_ * rd::A[s][0], w1 = h_ * rd::A[s][1], w2 = h_ * rd::A[s][2];
      for (std::size_t i = own.first; i < own.last; ++i)
        v_[s][i] = from_.v[i] + ((w0 * a_[0][i] + w1 * a_[1][i]) + w2 * a_[2][i]);
    }
    for (std::size_t s = 0; s < stages; ++s) {
      const double w0 = h_ * rd::A[s][0], w1 = h_ * rd::A[s][1], w2 = h_ * rd::A[s][2];
      for (std::size_t i = own.first; i < own.last; ++i)
        q_[s][i] = from_.q[i] + ((w0 * v_[0][i] + w1 * v_[1][i]) + w2 * v_[2][i]);
    }
  }
}

/// Fellows have met before and meet when it is done.
bool RadauStages::residual(std::size_t s, double t, const Fellow& me) {
  double* const r = residual_[s].data();
  double* const rows = r + f_ + states_;
  const Whole y{q_[s], v_[s], z_[s].data(), from_.s};
  if (shared_ != nullptr)
    return shared_->residual({t, y, alpha_[s].data(), lambda_[s].data(), r, r + f_, rows}, me);
  if (!system_.whole_residual(t, y, alpha_[s].data(), lambda_[s].data(), r, r + f_)) return false;
  system_.velocity_residual(t, q_[s], v_[s], rows);
  return true;
}

bool RadauStages::residuals(double t_end, const Fellow& me) {
  for (std::size_t s = 0; s < stages; ++s)
    if (!residual(s, s + 1 == stages ? t_end : from_.t + rd::c[s] * h_, me)) return false;
  if (me.leads() && states_ > 0)
    for (std::size_t s = 0; s < stages; ++s)
      for (std::size_t i = 0; i < states_; ++i) residual_[s][f_ + i] = z_rate_[s][i] - residual_[s][f_ + i];
  const Range rows = me.share(tangent_.dependent.size());
  for (std::size_t k = rows.first; k < rows.last; ++k)  // their multipliers stay as they begin
    if (tangent_.is_dependent(k))
      for (std::size_t s = 0; s < stages; ++s) residual_[s][f_ + states_ + k] = 0;
  me.meet();
  return true;
}

/// One Newton correction of alpha, z' and lambda.
void RadauStages::correct(const Fellow& me) {
  const double g = h_ * rd::mu;
  const rd::Complex gc = h_ * rd::Complex{rd::kappa_real, rd::kappa_imag};
  const auto& [r0, r1, r2] = residual_;
  const rd::ComplexRow &lr = real_.left, &lc = complex_.left;
  const std::size_t first_row = f_ + states_;
  const Range all = me.share(first_row + m_);
  for (std::size_t k = all.first; k < all.last; ++k) {
    // The rows of the constraints are divided by g.
    const bool row = k >= first_row;
    const double x = (lr[0].real() * r0[k] + lr[1].real() * r1[k]) + lr[2].real() * r2[k];
    const rd::Complex y = (lc[0] * r0[k] + lc[1] * r1[k]) + lc[2] * r2[k];
    real_b_[k] = row ? -x / g : -x;
    complex_b_[k] = row ? -y / gc : -y;
  }
  me.meet();
  real_solver_->solve(real_b_, me);
  complex_solver_->solve(complex_b_, me);
  for (std::size_t s = 0; s < stages; ++s) {
    const double rr = real_.right[s].real();
    const double re = 2 * complex_.right[s].real(), im = 2 * complex_.right[s].imag();
    auto correct = [&](std::size_t first, Range range, double* x) {
      for (std::size_t k = range.first; k < range.last; ++k) {
        const rd::Complex& y = complex_b_[first + k];
        x[k] += rr * real_b_[first + k] + (re * y.real() - im * y.imag());
      }
    };
    correct(0, freedoms(me), alpha_[s].data());
    if (me.leads()) correct(f_, {0, states_}, z_rate_[s].data());
    correct(first_row, me.share(m_), lambda_[s].data());
  }
}

void RadauStages::keep_old(const Fellow& me) {
  const Range own = coordinates(me);
  for (std::size_t s = 0; s < stages; ++s) {
    std::copy(q_[s] + own.first, q_[s] + own.last, old_q_[s] + own.first);
    std::copy(v_[s] + own.first, v_[s] + own.last, old_v_[s] + own.first);
    if (me.leads()) std::copy(z_[s].begin(), z_[s].end(), old_z_[s].begin());
  }
}

void RadauStages::note_change(const Fellow& me) {
  const Range own = coordinates(me);
  for (std::size_t s = 0; s < stages; ++s)
    for (std::size_t i = own.first; i < own.last; ++i) {
      const double x = weight_q_[i] * (q_[s][i] - old_q_[s][i]);
      const double y = weight_v_[i] * (v_[s][i] - old_v_[s][i]);
      squares_[s * n_ + i] = x * x + y * y;
    }
}

/// How much the stages have moved, in units of the tolerances.
double RadauStages::change() const {
  double sum = 0;
  for (std::size_t s = 0; s < stages; ++s)
    sum += reproducible_sum(n_, [&](std::size_t i) { return squares_[s * n_ + i]; });
  for (std::size_t s = 0; s < stages; ++s)
    sum += reproducible_sum(states_, [&](std::size_t i) {
      const double x = weight_z_[i] * (z_[s][i] - old_z_[s][i]);
      return x * x;
    });
  return std::sqrt(sum / static_cast<double>(stages * (2 * n_ + states_)));
}

/// Everybody adds up the same change and comes to the same conclusion.
bool RadauStages::solve(double t_end, Counters& counters) {
  int corrections = 0;
  bool found = false;
  auto work = [&](const Fellow& me) {
    begin(me);
    if (n_ != f_) follow(me);
    Convergence convergence(iteration_limit(tolerances_.rtol));
    auto verdict = Convergence::ahead;
    int k = 0;
    for (; k < max_iterations && verdict == Convergence::ahead; ++k) {
      me.meet();
      if (!residuals(t_end, me)) break;
      correct(me);
      keep_old(me);
      follow(me);
      note_change(me);
      me.meet();
      verdict = convergence.judge(change(), max_iterations - 1 - k);
    }
    if (!me.leads()) return;
    corrections = k;
    found = verdict == Convergence::reached;
  };
  together(team_, fellows(), work);
  counters.evaluations += static_cast<std::int64_t>(stages) * corrections;
  counters.solves += 2 * corrections;
  return found;
}

void RadauStages::filter(const Perturbation& d, Perturbation& e, Counters& counters) {
  const double g = h_ * rd::mu;
  std::fill(real_b_.begin(), real_b_.end(), 0.0);
  std::copy(d.z.begin(), d.z.end(), real_b_.begin() + static_cast<std::ptrdiff_t>(f_));
  add_product(tangent_.M, 1, d.w.data(), real_b_.data());
  add_product(tangent_.K, -g, d.x.data(), real_b_.data());
  add_product(tangent_.z.z_x, g, d.x.data(), real_b_.data() + f_);
  add_product(tangent_.rate, -1, d.x.data(), real_b_.data() + f_ + states_);
  ++counters.solves;
  auto work = [&](const Fellow& me) { real_solver_->solve(real_b_, me); };
  together(team_, fellows(), work);
  for (std::size_t j = 0; j < f_; ++j) {
    e.w[j] = real_b_[j];
    e.x[j] = d.x[j] + g * e.w[j];
  }
  std::copy_n(real_b_.data() + f_, states_, e.z.begin());
}

}  // namespace cosimo
