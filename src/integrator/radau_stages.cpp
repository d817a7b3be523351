#include "integrator/radau_stages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrator/error_sum.hpp"
#include "integrator/stiffness.hpp"
#include "numerics/sums.hpp"

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

RadauStages::RadauStages(const ConstrainedSystem& system, const Tolerances& tolerances)
    : system_(system),
      tolerances_(tolerances),
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
      complex_b_(f_ + states_ + m_) {
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
  system_.lower(from.q, from.v, a_begin_, alpha_begin_.data());
  system_.linearise_whole(from.t, from.whole(), alpha_begin_.data(), lambda_begin_.data(), tangent_);
  if (!real_solver_) real_solver_.emplace(f_, m_, tangent_, states_, tangent_.z);
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
  return cost_ = radau_cost(tangent_, system_.force_entries().in_vectors, real_solver_->count());
}

bool RadauStages::factor(double h, Counters& counters) {
  h_ = h;
  counters.factorizations += 2;
  if (!complex_solver_) complex_solver_.emplace(f_, m_, tangent_, states_, tangent_.z);
  return real_solver_->factor(tangent_, h * rd::mu, tangent_.z) &&
         complex_solver_->factor(tangent_, h * rd::Complex{rd::kappa_real, rd::kappa_imag}, tangent_.z);
}

void RadauStages::begin() {
  constexpr double farthest = 6;  // steps ahead of the last one
  const State* previous = from_.previous;
  if (previous != nullptr && !(h_ <= farthest * (from_.t - previous->t))) previous = nullptr;
  if (previous != nullptr) {
    begin_extrapolated(*previous);
  } else {
    begin_constant();
  }
  if (states_ > 0) begin_states(previous);
  for (std::size_t s = 0; s < stages; ++s) {
    std::copy(lambda_begin_.begin(), lambda_begin_.end(), lambda_[s].begin());
    system_.lower(q_[s], v_[s], a_[s], alpha_[s].data());
  }
}

/// Accelerations as at the beginning. Where a stiff motion is disturbed its acceleration is large and
/// short-lived, no guess for a whole step; the linearised equations, which the first iteration solves, then
/// do better from nothing.
void RadauStages::begin_constant() {
  const double jump = h_ * root_mean_square(a_begin_, weight_v_, n_);
  const double factor = jump * tolerances_.rtol <= trusted ? 1.0 : 0.0;
  for (std::size_t s = 0; s < stages; ++s) {
    const double t = rd::c[s] * h_;
    for (std::size_t i = 0; i < n_; ++i) {
      const double a = a_[s][i] = factor * a_begin_[i];
      v_[s][i] = from_.v[i] + t * a;
      q_[s][i] = from_.q[i] + t * (from_.v[i] + 0.5 * t * a);
    }
  }
}

/// The velocities v_0 + a t + b t^2 that fit positions and velocities at both ends of the last step. The
/// accelerations there are left alone: noise times stiffness.
void RadauStages::begin_extrapolated(const State& previous) {
  const double H = from_.t - previous.t;
  for (std::size_t i = 0; i < n_; ++i) {
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
void RadauStages::follow() {
  for (std::size_t s = 0; s < stages; ++s)
    for (std::size_t i = 0; i < states_; ++i)
      z_[s][i] = from_.z[i] + h_ * ((rd::A[s][0] * z_rate_[0][i] + rd::A[s][1] * z_rate_[1][i]) +
                                    rd::A[s][2] * z_rate_[2][i]);
  const int passes = n_ == f_ ? 1 : 2;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t s = 0; s < stages; ++s) system_.lift(q_[s], v_[s], alpha_[s].data(), a_[s]);
    for (std::size_t s = 0; s < stages; ++s) {
      const double w0 = h_ * rd::A[s][0], w1 = h_ * rd::A[s][1], w2 = h_ * rd::A[s][2];
      for (std::size_t i = 0; i < n_; ++i)
        v_[s][i] = from_.v[i] + ((w0 * a_[0][i] + w1 * a_[1][i]) + w2 * a_[2][i]);
    }
    for (std::size_t s = 0; s < stages; ++s) {
      const double w0 = h_ * rd::A[s][0], w1 = h_ * rd::A[s][1], w2 = h_ * rd::A[s][2];
      for (std::size_t i = 0; i < n_; ++i)
        q_[s][i] = from_.q[i] + ((w0 * v_[0][i] + w1 * v_[1][i]) + w2 * v_[2][i]);
    }
  }
}

bool RadauStages::residuals(double t_end, Counters& counters) {
  for (std::size_t s = 0; s < stages; ++s) {
    const double t = s + 1 == stages ? t_end : from_.t + rd::c[s] * h_;
    ++counters.evaluations;
    double* const r = residual_[s].data();
    double* const rows = r + f_ + states_;
    if (!system_.whole_residual(t, {q_[s], v_[s], z_[s].data(), from_.s}, alpha_[s].data(), lambda_[s].data(),
                                r, r + f_))
      return false;
    for (std::size_t i = 0; i < states_; ++i) r[f_ + i] = z_rate_[s][i] - r[f_ + i];
    system_.velocity_residual(t, q_[s], v_[s], rows);
    for (std::size_t k = 0; k < m_; ++k)
      if (tangent_.is_dependent(k)) rows[k] = 0;  // its multiplier stays as it begins
  }
  return true;
}

/// One Newton correction of alpha, z' and lambda.
void RadauStages::correct(Counters& counters) {
  const double g = h_ * rd::mu;
  const rd::Complex gc = h_ * rd::Complex{rd::kappa_real, rd::kappa_imag};
  const auto& [r0, r1, r2] = residual_;
  const rd::ComplexRow &lr = real_.left, &lc = complex_.left;
  const std::size_t first_row = f_ + states_;
  for (std::size_t k = 0; k < first_row + m_; ++k) {
    // The rows of the constraints are divided by g.
    const bool row = k >= first_row;
    const double x = (lr[0].real() * r0[k] + lr[1].real() * r1[k]) + lr[2].real() * r2[k];
    const rd::Complex y = (lc[0] * r0[k] + lc[1] * r1[k]) + lc[2] * r2[k];
    real_b_[k] = row ? -x / g : -x;
    complex_b_[k] = row ? -y / gc : -y;
  }
  counters.solves += 2;
  real_solver_->solve(real_b_);
  complex_solver_->solve(complex_b_);
  for (std::size_t s = 0; s < stages; ++s) {
    const double rr = real_.right[s].real();
    const double re = 2 * complex_.right[s].real(), im = 2 * complex_.right[s].imag();
    auto correction = [&](std::size_t k) {
      return rr * real_b_[k] + (re * complex_b_[k].real() - im * complex_b_[k].imag());
    };
    for (std::size_t j = 0; j < f_; ++j) alpha_[s][j] += correction(j);
    for (std::size_t i = 0; i < states_; ++i) z_rate_[s][i] += correction(f_ + i);
    for (std::size_t k = 0; k < m_; ++k) lambda_[s][k] += correction(first_row + k);
  }
}

/// How much the stages have moved, in units of the tolerances.
double RadauStages::change() const {
  double sum = 0;
  for (std::size_t s = 0; s < stages; ++s)
    sum += reproducible_sum(n_, [&](std::size_t i) {
      const double x = weight_q_[i] * (q_[s][i] - old_q_[s][i]);
      const double y = weight_v_[i] * (v_[s][i] - old_v_[s][i]);
      return x * x + y * y;
    });
  for (std::size_t s = 0; s < stages; ++s)
    sum += reproducible_sum(states_, [&](std::size_t i) {
      const double x = weight_z_[i] * (z_[s][i] - old_z_[s][i]);
      return x * x;
    });
  return std::sqrt(sum / static_cast<double>(stages * (2 * n_ + states_)));
}

bool RadauStages::solve(double t_end, Counters& counters) {
  begin();
  if (n_ != f_) follow();
  Convergence convergence(iteration_limit(tolerances_.rtol));
  for (int k = 0; k < max_iterations; ++k) {
    if (!residuals(t_end, counters)) return false;
    correct(counters);
    for (std::size_t s = 0; s < stages; ++s) {
      std::copy_n(q_[s], n_, old_q_[s]);
      std::copy_n(v_[s], n_, old_v_[s]);
      std::copy(z_[s].begin(), z_[s].end(), old_z_[s].begin());
    }
    follow();
    switch (convergence.judge(change(), max_iterations - 1 - k)) {
      case Convergence::reached:
        return true;
      case Convergence::hopeless:
        return false;
      case Convergence::ahead:
        break;
    }
  }
  return false;
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
  real_solver_->solve(real_b_);
  for (std::size_t j = 0; j < f_; ++j) {
    e.w[j] = real_b_[j];
    e.x[j] = d.x[j] + g * e.w[j];
  }
  std::copy_n(real_b_.data() + f_, states_, e.z.begin());
}

}  // namespace cosimo
