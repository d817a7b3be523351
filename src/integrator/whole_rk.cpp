// The method of integrator/rk.hpp for systems with first-order states or memory: stage by stage, all degrees
// of freedom at once. States take the formula of velocities, Z_s = z_0 + h sum_j A_sj z'_j.
#include <array>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "integrator/dormand_prince_stages.hpp"
#include "integrator/error_sum.hpp"
#include "integrator/rk.hpp"
#include "integrator/scratch.hpp"

namespace cosimo {
namespace {

namespace dp = dormand_prince;

class WholeRungeKutta final : public Stepper {
 public:
  WholeRungeKutta(const System& system, const Tolerances& tolerances, Range judged)
      : system_(system),
        tolerances_(tolerances),
        n_(system.size()),
        m_(system.extent().z),
        judged_(judged_range(judged, n_)) {}

  StepperTraits traits() const override { return {"rk", 5, false}; }

  double attempt(const Point& from, double h, bool, State& to, Counters& counters) override {
    Step step{from, to, h, {from.q, from.v, to.q.data(), to.v.data(), {}}, {}};
    // The inner stages are forgotten at the end of the step; the first stage's rates are read only.
    constexpr std::size_t inner = dp::stages - 2;
    const Scratch stages(2 * inner, std::max(n_, m_), work_place);
    step.x.a[0] = const_cast<double*>(from.a);
    step.rates[0] = const_cast<double*>(from.z_rate);
    for (std::size_t s = 1; s <= inner; ++s) {
      step.x.a[s] = stages.row(s - 1);
      step.rates[s] = stages.row(inner + s - 1);
    }
    step.x.a[dp::stages - 1] = to.a.data();
    step.rates[dp::stages - 1] = to.z_rate.data();
    counters.evaluations += dp::stages - 1;
    return all_stages(step, std::make_index_sequence<dp::stages - 1>{})
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
    dp::StageArrays x;
    std::array<double*, dp::stages> rates;  ///< of z
  };

  template <std::size_t... S>
  bool all_stages(const Step& step, std::index_sequence<S...>) const {
    return (stage<S + 1>(step) && ...);
  }

  template <std::size_t s>
  bool stage(const Step& step) const {
    dp::stage_state<s>(step.x, step.h, {0, n_});
    const dp::Row row = dp::scale(dp::velocity_row<s>, step.h);
    const auto j = std::make_index_sequence<s>{};
    for (std::size_t i = 0; i < m_; ++i)
      step.to.z[i] = step.from.z[i] + dp::combine<dp::velocity_row<s>>(step.rates, row, i, j);
    const double t = dp::c[s] == 1 ? step.to.t : step.from.t + dp::c[s] * step.h;
    return system_.evaluate(t, {step.x.q, step.x.v, step.to.z.data(), step.from.s}, step.x.a[s],
                            step.rates[s]);
  }

  double error(const Step& step) const {
    static constexpr dp::Row e = dp::e, ebar = dp::ebar;
    const dp::Row first = dp::scale(e, step.h), second = dp::scale(ebar, step.h * step.h);
    const auto j = std::make_index_sequence<dp::stages>{};
    const dp::StageArrays& x = step.x;
    ErrorSum sum(judged_, n_);
    sum.add_until(n_, {tolerances_, system_.angles()}, {x.q0, x.v0}, {x.q, x.v}, [&](std::size_t i) {
      return Motion{dp::combine<ebar>(x.a, second, i, j), dp::combine<e>(x.a, first, i, j)};
    });
    sum.add_states(m_, {tolerances_, system_.nominals()}, step.from.z, step.to.z.data(),
                   [&](std::size_t i) { return dp::combine<e>(step.rates, first, i, j); });
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
  return std::make_unique<WholeRungeKutta>(system, tolerances, judged);
}

}  // namespace cosimo
