// The method of integrator/rosenbrock.hpp for systems with first-order states or memory. With U = (h P, W, Z)
// of rodas.hpp and the positions eliminated, stage s solves
//
//   (M + g C + g^2 K) W - g f_z Z              = g M (a + sum_j C_sj/h W_j + d_s h a_t) - g^2 K r_s
//   -(g z_w + g^2 z_x) W + (I - g z_z) Z       = g (z' + sum_j C_sj/h Z_j + d_s h z_t) + g^2 z_x r_s
//
// by one sparse LU over (v, z): the matrix of numerics/kkt_solver.hpp without constraints.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "integrator/error_sum.hpp"
#include "integrator/rodas_stages.hpp"
#include "integrator/rosenbrock.hpp"
#include "integrator/stiffness.hpp"
#include "numerics/kkt_solver.hpp"

namespace cosimo {
namespace {

constexpr double failed = std::numeric_limits<double>::infinity();

using rodas::combine;
using rodas::scale;
using rodas::Stages;

class WholeRosenbrock final : public Stepper {
 public:
  WholeRosenbrock(const System& system, const Tolerances& tolerances, Range judged)
      : system_(system),
        tolerances_(tolerances),
        n_(system.size()),
        m_(system.extent().z),
        judged_(judged_range(judged, n_)) {}

  StepperTraits traits() const override { return {"rosenbrock", 4, true}; }
  /// Systems with first-order states are small.
  double cost(const Point& /*at*/) override { return rosenbrock_without_fill; }

  double attempt(const Point& from, double h, bool retry, State& to, Counters& counters) override {
    if (work_.empty()) allocate();
    from_ = from;
    h_ = h;
    if (!retry) linearise();
    ++counters.factorizations;
    if (!solver_->factor(tangent_, h * rodas::gamma, tangent_.z)) return failed;
    if (!all_stages(to, counters, std::make_index_sequence<rodas::stages>{})) return failed;
    const double error = finish(to);
    if (!(error <= 1)) return error;
    ++counters.evaluations;
    return system_.evaluate(to.t, {to.q.data(), to.v.data(), to.z.data(), from.s}, to.a.data(),
                            to.z_rate.data())
               ? error
               : failed;
  }

  std::optional<Motion> stage_interpolant(double theta, std::size_t dof) const override {
    Motion bend;
    for (std::size_t j = 0; j < rodas::stages; ++j) {
      const double factor = rodas::dense[0][j] + theta * rodas::dense[1][j];
      double increment = rodas::folded.P[j].v * from_.v[dof];
      for (std::size_t l = 0; l <= j; ++l) increment += rodas::folded.P[j].w[l] * w_[l][dof];
      bend.q += factor * (h_ * increment);
      bend.v += factor * w_[j][dof];
    }
    return Motion{blend(theta, from_.q[dof], end_.q[dof], bend.q),
                  blend(theta, from_.v[dof], end_.v[dof], bend.v)};
  }

  std::optional<double> state_interpolant(double theta, std::size_t k) const override {
    double bend = 0;
    for (std::size_t j = 0; j < rodas::stages; ++j)
      bend += (rodas::dense[0][j] + theta * rodas::dense[1][j]) * z_[j][k];
    return blend(theta, from_.z[k], end_.z[k], bend);
  }

  void carry(const AcceptedStep&, DirectionSet&, Counters&) override {
    COSIMO_CHECK(false, "sensitivities are not offered for systems with first-order states");
  }

 private:
  static double blend(double theta, double y0, double y1, double bend) {
    return (1 - theta) * y0 + theta * (y1 + (1 - theta) * bend);
  }

  void allocate() {
    work_ = Slab(rodas::stages + 2, n_, work_place);
    for (std::size_t s = 0; s < rodas::stages; ++s) w_[s] = work_.row(s).data();
    r_ = work_.row(rodas::stages).data();
    a_ = work_.row(rodas::stages + 1).data();
    states_ = Slab(rodas::stages + 1, m_, work_place);
    for (std::size_t s = 0; s < rodas::stages; ++s) z_[s] = states_.row(s).data();
    z_rate_ = states_.row(rodas::stages).data();
    b_.resize(n_ + m_);
    sum_.resize(n_);
    tangent_.a_t.resize(n_);
    tangent_.z_t.resize(m_);
  }

  void linearise() {
    std::fill(tangent_.a_t.begin(), tangent_.a_t.end(), 0.0);
    std::fill(tangent_.z_t.begin(), tangent_.z_t.end(), 0.0);
    system_.state_tangent(from_.t, from_.whole(), tangent_);
    if (!solver_) solver_.emplace(n_, 0, tangent_, m_, tangent_.z);
  }

  template <std::size_t... S>
  bool all_stages(State& to, Counters& counters, std::index_sequence<S...>) {
    return (stage<S>(to, counters) && ...);
  }

  template <std::size_t s>
  bool stage(State& to, Counters& counters) {
    stage_state<s>(to);
    if constexpr (s > 0) {
      ++counters.evaluations;
      const double t = rodas::c[s] == 1 ? to.t : from_.t + rodas::c[s] * h_;
      if (!system_.evaluate(t, {to.q.data(), to.v.data(), to.z.data(), from_.s}, a_, z_rate_)) return false;
    }
    right_hand_side<s>();
    ++counters.solves;
    solver_->solve(b_);
    std::copy_n(b_.data(), n_, w_[s]);
    std::copy_n(b_.data() + n_, m_, z_[s]);
    return true;
  }

  /// Q_s, V_s, Z_s and r_s.
  template <std::size_t s>
  void stage_state(State& to) {
    const rodas::Row q_row = scale(rodas::folded.Q[s].w, h_), r_row = rodas::folded.r[s].w;
    const double q_v = h_ * rodas::folded.Q[s].v, r_v = rodas::folded.r[s].v;
    for (std::size_t i = 0; i < n_; ++i) {
      to.q[i] = from_.q[i] + (q_v * from_.v[i] + combine<s>(w_, q_row, i));
      to.v[i] = from_.v[i] + combine<s>(w_, rodas::A[s], i);
      r_[i] = r_v * from_.v[i] + combine<s>(w_, r_row, i);
    }
    for (std::size_t i = 0; i < m_; ++i) to.z[i] = from_.z[i] + combine<s>(z_, rodas::A[s], i);
  }

  template <std::size_t s>
  void right_hand_side() {
    const double g = h_ * rodas::gamma, dh = rodas::d[s] * h_;
    const rodas::Row c_row = scale(rodas::C[s], 1 / h_);
    const double* const a = s == 0 ? from_.a : a_;
    const double* const z_rate = s == 0 ? from_.z_rate : z_rate_;
    for (std::size_t i = 0; i < n_; ++i) sum_[i] = a[i] + combine<s>(w_, c_row, i) + dh * tangent_.a_t[i];
    std::fill_n(b_.begin(), n_, 0.0);
    for (std::size_t i = 0; i < m_; ++i)
      b_[n_ + i] = g * (z_rate[i] + combine<s>(z_, c_row, i) + dh * tangent_.z_t[i]);
    add_product(tangent_.M, g, sum_.data(), b_.data());
    add_product(tangent_.K, -g * g, r_, b_.data());
    add_product(tangent_.z.z_x, g * g, r_, b_.data() + n_);
  }

  /// y_1 = Y_6 + U_6, and the norm of U_6.
  double finish(State& to) {
    constexpr std::size_t s = rodas::stages - 1;
    const rodas::Combination& P = rodas::folded.P[s];
    const rodas::Row p_row = scale(P.w, h_);
    const double p_v = h_ * P.v;
    double* const p = r_;
    for (std::size_t i = 0; i < n_; ++i) {
      p[i] = p_v * from_.v[i] + combine<s + 1>(w_, p_row, i);
      to.q[i] += p[i];
      to.v[i] += w_[s][i];
    }
    for (std::size_t i = 0; i < m_; ++i) to.z[i] += z_[s][i];
    end_ = {to.q.data(), to.v.data(), to.z.data(), nullptr};
    ErrorSum error(judged_, n_);
    error.add_until(n_, {tolerances_, system_.angles()}, {p, w_[s], from_.q, from_.v, end_.q, end_.v});
    error.add_states(m_, {tolerances_, system_.nominals()}, from_.z, end_.z,
                     [&](std::size_t i) { return z_[s][i]; });
    return error.norm();
  }

  const System& system_;
  Tolerances tolerances_;
  std::size_t n_, m_;
  Range judged_;
  StateTangent tangent_;
  std::optional<KktSolver<double>> solver_;
  Slab work_, states_;
  Stages w_{}, z_{};
  double* r_ = nullptr;  ///< r_s; at the end the position part of U_6
  double* a_ = nullptr;  ///< accelerations of a stage
  double* z_rate_ = nullptr;
  std::vector<double> b_, sum_;
  double h_ = 0;
  Point from_;
  Whole end_;  ///< of the last attempt
};

}  // namespace

std::unique_ptr<Stepper> make_whole_rosenbrock_stepper(const System& system, const Tolerances& tolerances,
                                                       Range judged) {
  return std::make_unique<WholeRosenbrock>(system, tolerances, judged);
}

}  // namespace cosimo
