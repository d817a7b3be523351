#include "integrator/radau.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/check.hpp"
#include "integrator/end_projection.hpp"
#include "integrator/error_sum.hpp"
#include "integrator/radau_stages.hpp"
#include "integrator/stiffness.hpp"

namespace cosimo {
namespace {

namespace rd = radau;

constexpr double failed = std::numeric_limits<double>::infinity();
/// Said of a step whose iteration does not converge: the control then tries half of it.
constexpr double not_converged = 10;

class Radau final : public Stepper {
 public:
  Radau(const ConstrainedSystem& system, const Tolerances& tolerances, Range judged, Linear linear,
        Team* team)
      : system_(system),
        tolerances_(tolerances),
        n_(system.size()),
        f_(system.freedoms()),
        m_(system.extent().z),
        judged_(judged_range(judged, n_)),
        linear_(linear),
        team_(team),
        end_(system, tolerances, team) {}

  StepperTraits traits() const override { return {"radau", 4, true, Control::predictive}; }
  double cost(const Point& at) override {
    if (!stages_) allocate();
    return stages_->cost(at);
  }
  double count_cost() const override { return radau_count_cost(system_.force_entries()); }

  double attempt(const Point& from, double h, bool retry, State& to, Counters& counters) override {
    if (!stages_) allocate();
    from_ = from;
    h_ = h;
    if (!retry && !stages_->linearise(from, counters)) return failed;
    if (!stages_->factor(h, counters)) return failed;
    if (!stages_->solve(to.t, counters)) return not_converged;
    std::copy_n(stages_->q(rd::stages - 1), n_, to.q.begin());
    std::copy_n(stages_->v(rd::stages - 1), n_, to.v.begin());
    std::copy_n(stages_->z(rd::stages - 1), m_, to.z.begin());
    const double error = estimate(to, counters);
    if (!(error <= 1)) return error;
    return end_.settle(to, from.s, false, counters) ? error : failed;
  }

  /// The collocation polynomials.
  std::optional<Motion> stage_interpolant(double theta, std::size_t dof) const override {
    const rd::Row w = rd::weights(theta);
    Motion sum;
    for (std::size_t s = 0; s < rd::stages; ++s) {
      sum.q += w[s] * stages_->v(s)[dof];
      sum.v += w[s] * stages_->a(s)[dof];
    }
    return Motion{from_.q[dof] + h_ * sum.q, from_.v[dof] + h_ * sum.v};
  }

  std::optional<double> state_interpolant(double theta, std::size_t k) const override {
    const rd::Row w = rd::weights(theta);
    double sum = 0;
    for (std::size_t s = 0; s < rd::stages; ++s) sum += w[s] * stages_->z_rate(s)[k];
    return from_.z[k] + h_ * sum;
  }

  void carry(const AcceptedStep&, DirectionSet&, Counters&) override {
    COSIMO_CHECK(false, "sensitivities are not offered for systems with constraints");
  }

 private:
  // `automatic` may never come to the method: matrices and work arrays exist once it is in use.
  void allocate() {
    stages_.emplace(system_, tolerances_, linear_, team_);
    work_ = Slab(4, n_, work_place);
    for (auto* x : {&d_.x, &d_.w, &e_.x, &e_.w, &alpha_}) x->resize(f_);
    for (auto* x : {&d_.z, &e_.z, &z_, &z_rate_}) x->resize(m_);
  }

  /// The error of the step by the embedded formula, in freedoms: their axes do not turn with the bodies, so
  /// that values of different stages may be added up.
  double estimate(const State& to, Counters& counters) {
    double* const d_q = work_.row(0).data();
    const rd::Row e = rd::e, slope = rd::e_slope;
    for (std::size_t i = 0; i < n_; ++i) {
      const double q0 = from_.q[i];
      d_q[i] = h_ * rd::mu * from_.v[i] + ((e[0] * (stages_->q(0)[i] - q0) + e[1] * (stages_->q(1)[i] - q0)) +
                                           e[2] * (stages_->q(2)[i] - q0));
    }
    system_.twist(from_.q, d_q, d_.x.data());
    for (std::size_t j = 0; j < f_; ++j)
      d_.w[j] = h_ * (rd::mu * stages_->alpha_begin()[j] +
                      ((slope[0] * stages_->alpha(0)[j] + slope[1] * stages_->alpha(1)[j]) +
                       slope[2] * stages_->alpha(2)[j]));
    for (std::size_t j = 0; j < m_; ++j)
      d_.z[j] = h_ * (rd::mu * stages_->z_rate_begin()[j] +
                      ((slope[0] * stages_->z_rate(0)[j] + slope[1] * stages_->z_rate(1)[j]) +
                       slope[2] * stages_->z_rate(2)[j]));
    double error = measure(to, counters);
    return error > 1 && refine(counters) ? measure(to, counters) : error;
  }

  double measure(const State& to, Counters& counters) {
    stages_->filter(d_, e_, counters);
    double* const e_q = work_.row(1).data();
    double* const e_v = work_.row(2).data();
    system_.rates(from_.q, e_.x.data(), e_q);
    system_.rates(from_.q, e_.w.data(), e_v);
    ErrorSum error(judged_, n_);
    error.add_until(n_, {tolerances_, system_.angles()},
                    {e_q, e_v, from_.q, from_.v, to.q.data(), to.v.data()});
    error.add_states(m_, {tolerances_, system_.nominals()}, from_.z, to.z.data(),
                     [&](std::size_t i) { return e_.z[i]; });
    return error.norm();
  }

  /// Where a stiff motion is not in equilibrium at the beginning, the first estimate is far too large: once
  /// more with f(y_0 + error) in the place of f(y_0).
  bool refine(Counters& counters) {
    const double g = h_ * rd::mu;
    double* const q = work_.row(1).data();
    double* const v = work_.row(2).data();
    double* const a = work_.row(3).data();
    for (std::size_t i = 0; i < n_; ++i) {
      q[i] += from_.q[i];
      v[i] += from_.v[i];
    }
    for (std::size_t i = 0; i < m_; ++i) z_[i] = from_.z[i] + e_.z[i];
    ++counters.evaluations;
    if (!system_.evaluate(from_.t, {q, v, z_.data(), from_.s}, a, z_rate_.data())) return false;
    system_.lower(q, v, a, alpha_.data());
    for (std::size_t j = 0; j < f_; ++j) {
      d_.x[j] += g * e_.w[j];
      d_.w[j] += g * (alpha_[j] - stages_->alpha_begin()[j]);
    }
    for (std::size_t j = 0; j < m_; ++j) d_.z[j] += g * (z_rate_[j] - stages_->z_rate_begin()[j]);
    return true;
  }

  const ConstrainedSystem& system_;
  Tolerances tolerances_;
  std::size_t n_, f_, m_;  ///< coordinates, freedoms, first-order states
  Range judged_;
  Linear linear_;
  Team* team_;
  EndProjection end_;
  std::optional<RadauStages> stages_;
  Point from_;
  double h_ = 0;
  Slab work_;
  RadauStages::Perturbation d_, e_;
  std::vector<double> alpha_, z_, z_rate_;
};

}  // namespace

std::unique_ptr<Stepper> make_radau_stepper(const ConstrainedSystem& system, const Tolerances& tolerances,
                                            Range judged, Linear linear, Team* team) {
  return std::make_unique<Radau>(system, tolerances, judged, linear, team);
}

}  // namespace cosimo
