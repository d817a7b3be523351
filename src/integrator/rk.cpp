#include "integrator/rk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "integrator/dormand_prince.hpp"
#include "integrator/error_sum.hpp"
#include "integrator/explicit_stages.hpp"
#include "integrator/merson.hpp"
#include "integrator/rk_directions.hpp"
#include "integrator/scratch.hpp"

namespace cosimo {
namespace {

/// Degrees of freedom that advance together, at most; eleven arrays of this length fit the first-level cache.
constexpr std::size_t largest_window = 320;
/// Up to this reach the stages run behind each other: what lies between the first and the last of them fits
/// the second-level cache.
constexpr std::size_t farthest_wave = 1200;

/// Equal shares of at most that size, in whole vectors: a short last one would cost nearly as much as a full.
std::size_t window_for(std::size_t size) {
  const std::size_t passes = std::max<std::size_t>((size + largest_window - 1) / largest_window, 1);
  return ((size + passes - 1) / passes + 7) / 8 * 8;
}

template <class Pair>
class RungeKutta final : public Stepper {
  using Arrays = StageArrays<Pair>;

 public:
  RungeKutta(const System& system, const Tolerances& tolerances, Range judged)
      : system_(system),
        tolerances_(tolerances),
        size_(system.size()),
        judged_(judged_range(judged, size_)),
        lag_((2 * system.reach() + 7) / 8 * 8),
        window_(window_for(size_)),
        directions_(system) {
    wave_ = system.reach() < size_ && system.reach() <= farthest_wave;
    // Where the stages are close together, the last pass takes all of them to the end.
    drained_ = std::size_t{2} * Pair::stages * lag_ <= window_ ? 0 : (Pair::stages - 2) * lag_;
  }

  StepperTraits traits() const override { return pair_traits<Pair>; }
  double cost(const Point& /*at*/) override { return attempt_cost<Pair>; }

  double attempt(const Point& from, double h, bool, State& to, Counters& counters) override {
    Arrays x{from.q, from.v, to.q.data(), to.v.data(), {}};
    // The first stage's accelerations are read only, like those of every finished state.
    x.a[0] = const_cast<double*>(from.a);
    // The inner stages are forgotten at the end of the step.
    const Scratch stages(Pair::stages - 2, size_, work_place);
    for (std::size_t s = 1; s + 1 < Pair::stages; ++s) x.a[s] = stages.row(s - 1);
    x.a[Pair::stages - 1] = to.a.data();
    counters.evaluations += Pair::stages - 1;
    return sweep(x, {from.t, to.t, h}, std::make_index_sequence<Pair::stages - 1>{});
  }

  std::optional<Motion> stage_interpolant(double, std::size_t) const override { return std::nullopt; }

  void carry(const AcceptedStep& step, DirectionSet& directions, Counters&) override {
    directions_.carry(step, directions);
  }

 private:
  /// In time, from one end to the other.
  struct Span {
    double begin, end, h;
    /// The last stages lie at the end to the bit: their accelerations are those of the new state.
    template <std::size_t s>
    double at() const {
      return Pair::c[s] == 1 ? end : begin + Pair::c[s] * h;
    }
  };

  /// The wave: in every pass all stages move their fronts forward, each a lag behind the one before.
  template <std::size_t... S>
  double sweep(const Arrays& x, const Span& t, std::index_sequence<S...>) {
    std::array<Front, Pair::stages> done{};
    ErrorSum error(judged_, size_);
    const ErrorWeights weights(tolerances_, system_.angles());
    for (std::size_t front = wave_ ? window_ : size_ + drained_;; front += window_) {
      const bool last = front >= size_ + drained_;
      const auto of_stage = [&](std::size_t s) {
        return last ? size_ : std::min(size_, std::max(front, s * lag_) - s * lag_);
      };
      if (!(move<S + 1>(x, t, of_stage(S), done[S + 1]) && ...))
        return std::numeric_limits<double>::infinity();
      add_error(x, t.h, done[Pair::stages - 1].evaluated, weights, error);
      if (last) break;
    }
    return error.norm();
  }

  /// How far a stage has come: states up to `combined`, accelerations up to `evaluated`.
  struct Front {
    std::size_t combined = 0, evaluated = 0;
  };

  /// Moves stage s to `front`. Its accelerations stay half a lag behind its states, which covers the
  /// reach forward; the other half keeps the next stage from overwriting what the reach back needs.
  template <std::size_t s>
  bool move(const Arrays& x, const Span& t, std::size_t front, Front& done) {
    if (front == done.evaluated) return true;
    stage_state<Pair, s>(x, t.h, {done.combined, front});
    done.combined = front;
    const std::size_t ready = front == size_ ? size_ : std::max(front, lag_ / 2) - lag_ / 2;
    const Range range{std::exchange(done.evaluated, ready), ready};
    return system_.acceleration(t.template at<s>(), x.q, x.v, x.a[s], range);
  }

  void add_error(const Arrays& x, double h, std::size_t front, const ErrorWeights& weights,
                 ErrorSum& error) const {
    const RowOf<Pair> v_row = scaled(velocity_error<Pair>, h);
    const RowOf<Pair> q_row = scaled(position_error<Pair>, h * h);
    const auto a = x.a;
    const auto j = std::make_index_sequence<Pair::stages>{};
    error.add_until(front, weights, {x.q0, x.v0}, {x.q, x.v}, [&](std::size_t i) {
      return Motion{combine<position_error<Pair>>(a, q_row, i, j),
                    combine<velocity_error<Pair>>(a, v_row, i, j)};
    });
  }

  const System& system_;
  Tolerances tolerances_;
  std::size_t size_;
  Range judged_;
  std::size_t lag_;  ///< between the fronts of two stages: twice the reach, in whole vectors
  std::size_t window_;
  bool wave_ = false;
  std::size_t drained_ = 0;  ///< how far the first stage is ahead when the last one arrives
  RkDirections<Pair> directions_;
};

}  // namespace

std::unique_ptr<Stepper> make_rk_stepper(const System& system, const Tolerances& tolerances, Range judged) {
  if (system.extent().states()) return make_whole_rk_stepper(system, tolerances, judged);
  return std::make_unique<RungeKutta<DormandPrince>>(system, tolerances, judged);
}

std::unique_ptr<Stepper> make_merson_stepper(const System& system, const Tolerances& tolerances,
                                             Range judged) {
  if (system.extent().states()) return make_whole_merson_stepper(system, tolerances, judged);
  return std::make_unique<RungeKutta<Merson>>(system, tolerances, judged);
}

}  // namespace cosimo
