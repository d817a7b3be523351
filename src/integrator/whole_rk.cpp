// The methods of integrator/rk.hpp for systems with first-order states or memory: stage by stage, all degrees
// of freedom at once. States take the formula of velocities, Z_s = z_0 + h sum_j A_sj z'_j.
#include <array>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "integrator/dormand_prince.hpp"
#include "integrator/error_sum.hpp"
#include "integrator/explicit_stages.hpp"
#include "integrator/merson.hpp"
#include "integrator/rk.hpp"
#include "integrator/scratch.hpp"

namespace cosimo {
namespace {

template <class Pair>
class WholeRungeKutta final : public Stepper {
 public:
  WholeRungeKutta(const System& system, const Tolerances& tolerances, Range judged)
      : system_(system),
        tolerances_(tolerances),
        n_(system.size()),
        m_(system.extent().z),
        judged_(judged_range(judged, n_)) {}

  StepperTraits traits() const override { return pair_traits<Pair>; }
  double cost(const Point& /*at*/) override { return attempt_cost<Pair>; }

  double attempt(const Point& from, double h, bool, State& to, Counters& counters) override {
    Step step{from, to, h, {from.q, from.v, to.q.data(), to.v.data(), {}, 0}, {}};
    // The inner stages are forgotten at the end of the step; the first stage's rates are read only.
    constexpr std::size_t inner = Pair::stages - 2;
    const Scratch stages(2 * inner, std::max(n_, m_), work_place);
    step.x.a[0] = const_cast<double*>(from.a);
    step.rates[0] = const_cast<double*>(from.z_rate);
    for (std::size_t s = 1; s <= inner; ++s) {
      step.x.a[s] = stages.row(s - 1);
      step.rates[s] = stages.row(inner + s - 1);
    }
    step.x.a[Pair::stages - 1] = to.a.data();
    step.rates[Pair::stages - 1] = to.z_rate.data();
    counters.evaluations += Pair::stages - 1;
    return all_stages(step, std::make_index_sequence<Pair::stages - 1>{})
               ? error(step)
               : std::numeric_limits<double>::infinity();
  }

  std::optional<Motion> stage_interpolant(double, std::size_t) const override { return std::nullopt; }
  void carry(const AcceptedStep&, DirectionSet&, Counters&) override {
    COSIMO_CHECK(false, "sensitivities are not offered for systems with first-order states");
  }

 private:
  struct Step {
    const Point& from;
    State& to;
    double h;
    StageArrays<Pair> x;
    std::array<double*, Pair::stages> rates;  ///< of z
  };

  template <std::size_t... S>
  bool all_stages(const Step& step, std::index_sequence<S...>) const {
    return (stage<S + 1>(step) && ...);
  }

  template <std::size_t s>
  bool stage(const Step& step) const {
    stage_state<Pair, s>(step.x, step.h, {0, n_});
    const RowOf<Pair> row = scaled(velocity_row<Pair, s>, step.h);
    const auto j = std::make_index_sequence<s>{};
    for (std::size_t i = 0; i < m_; ++i)
      step.to.z[i] = step.from.z[i] + combine<velocity_row<Pair, s>>(step.rates, row, i, j);
    const double t = Pair::c[s] == 1 ? step.to.t : step.from.t + Pair::c[s] * step.h;
    return system_.evaluate(t, {step.x.q, step.x.v, step.to.z.data(), step.from.s}, step.x.a[s],
                            step.rates[s]);
  }

  double error(const Step& step) const {
    const RowOf<Pair> first = scaled(velocity_error<Pair>, step.h);
    const auto j = std::make_index_sequence<Pair::stages>{};
    const ErrorWeights weights(tolerances_, system_.angles());
    ErrorSum sum(judged_, n_);
    sum.add_until(n_, [&](Range range, EightSums& sums) {
      stage_kernels<Pair>().error(step.x, step.h, weights, range, sums);
    });
    sum.add_states(m_, {tolerances_, system_.nominals()}, step.from.z, step.to.z.data(),
                   [&](std::size_t i) { return combine<velocity_error<Pair>>(step.rates, first, i, j); });
    return sum.norm();
  }

  const System& system_;
  Tolerances tolerances_;
  std::size_t n_, m_;
  Range judged_;
};

}  // namespace

std::unique_ptr<Stepper> make_whole_rk_stepper(const System& system, const Tolerances& tolerances,
                                               Range judged) {
  return std::make_unique<WholeRungeKutta<DormandPrince>>(system, tolerances, judged);
}

std::unique_ptr<Stepper> make_whole_merson_stepper(const System& system, const Tolerances& tolerances,
                                                   Range judged) {
  return std::make_unique<WholeRungeKutta<Merson>>(system, tolerances, judged);
}

}  // namespace cosimo
