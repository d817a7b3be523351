#include "integrator/radau.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/check.hpp"
#include "integrator/end_projection.hpp"
#include "integrator/error_sum.hpp"
#include "integrator/radau_stages.hpp"

namespace cosimo {
namespace {

namespace rd = radau;

constexpr double failed = std::numeric_limits<double>::infinity();
/// Said of a step whose iteration does not converge: the control then tries half of it.
constexpr double not_converged = 10;

class Radau final : public Stepper {
 public:
  Radau(const ConstrainedSystem& system, const Tolerances& tolerances, Range judged)
      : system_(system),
        tolerances_(tolerances),
        n_(system.size()),
        f_(system.freedoms()),
        judged_(judged_range(judged, n_)),
        end_(system, tolerances) {}

  StepperTraits traits() const override { return {"radau", 4, true, 4.0, Control::predictive}; }

  double attempt(const Point& from, double h, bool retry, State& to, Counters& counters) override {
    if (!stages_) allocate();
    from_ = from;
    h_ = h;
    if (!retry && !stages_->linearise(from, counters)) return failed;
    if (!stages_->factor(h, counters)) return failed;
    if (!stages_->solve(to.t, counters)) return not_converged;
    std::copy_n(stages_->q(rd::stages - 1), n_, to.q.begin());
    std::copy_n(stages_->v(rd::stages - 1), n_, to.v.begin());
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

  void carry(const AcceptedStep&, DirectionSet&, Counters&) override {
    COSIMO_CHECK(false, "sensitivities are not offered for systems with constraints");
  }

 private:
  // `automatic` may never come to the method: matrices and work arrays exist once it is in use.
  void allocate() {
    stages_.emplace(system_, tolerances_);
    work_ = Slab(4, n_, work_place);
    for (auto* x : {&d_x_, &d_w_, &e_x_, &e_w_, &alpha_}) x->resize(f_);
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
    system_.twist(from_.q, d_q, d_x_.data());
    for (std::size_t j = 0; j < f_; ++j)
      d_w_[j] = h_ * (rd::mu * stages_->alpha_begin()[j] +
                      ((slope[0] * stages_->alpha(0)[j] + slope[1] * stages_->alpha(1)[j]) +
                       slope[2] * stages_->alpha(2)[j]));
    double error = measure(to, counters);
    return error > 1 && refine(counters) ? measure(to, counters) : error;
  }

  double measure(const State& to, Counters& counters) {
    stages_->filter(d_x_.data(), d_w_.data(), e_x_.data(), e_w_.data(), counters);
    double* const e_q = work_.row(1).data();
    double* const e_v = work_.row(2).data();
    system_.rates(from_.q, e_x_.data(), e_q);
    system_.rates(from_.q, e_w_.data(), e_v);
    ErrorSum error(judged_, n_);
    error.add_until(n_, {tolerances_, system_.angles()}, {from_.q, from_.v}, {to.q.data(), to.v.data()},
                    [=](std::size_t i) {
                      return Motion{e_q[i], e_v[i]};
                    });
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
    ++counters.evaluations;
    if (!system_.acceleration(from_.t, q, v, a, {0, n_})) return false;
    system_.lower(q, v, a, alpha_.data());
    for (std::size_t j = 0; j < f_; ++j) {
      d_x_[j] += g * e_w_[j];
      d_w_[j] += g * (alpha_[j] - stages_->alpha_begin()[j]);
    }
    return true;
  }

  const ConstrainedSystem& system_;
  Tolerances tolerances_;
  std::size_t n_, f_;
  Range judged_;
  EndProjection end_;
  std::optional<RadauStages> stages_;
  Point from_;
  double h_ = 0;
  Slab work_;
  std::vector<double> d_x_, d_w_, e_x_, e_w_, alpha_;
};

}  // namespace

std::unique_ptr<Stepper> make_radau_stepper(const ConstrainedSystem& system, const Tolerances& tolerances,
                                            Range judged) {
  return std::make_unique<Radau>(system, tolerances, judged);
}

}  // namespace cosimo
