#include "integrator/rk.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "integrator/dormand_prince_stages.hpp"
#include "integrator/error_sum.hpp"
#include "integrator/rk_directions.hpp"
#include "integrator/scratch.hpp"
#include "parallel/team.hpp"

namespace cosimo {
namespace {

namespace dp = dormand_prince;
using dp::combine;
using dp::scale;
using dp::stage_state;
using Arrays = dp::StageArrays;

/// Degrees of freedom that advance together, at most; eleven arrays of this length fit the first-level cache.
constexpr std::size_t largest_window = 320;
/// Up to this reach the stages run behind each other: what lies between the first and the last of them fits
/// the second-level cache.
constexpr std::size_t farthest_wave = 1200;

/// Degrees of freedom that are worth a thread: their step takes far longer than the meetings in it.
constexpr std::size_t worth_a_member = 2048;

/// Equal shares of at most that size, in whole vectors: a short last one would cost nearly as much as a full.
std::size_t window_for(std::size_t size) {
  const std::size_t passes = std::max<std::size_t>((size + largest_window - 1) / largest_window, 1);
  return ((size + passes - 1) / passes + 7) / 8 * 8;
}

class RungeKutta final : public Stepper {
 public:
  RungeKutta(const System& system, const Tolerances& tolerances, Range judged, Team* team)
      : system_(system),
        tolerances_(tolerances),
        size_(system.size()),
        judged_(judged_range(judged, size_)),
        lag_((2 * system.reach() + 7) / 8 * 8),
        window_(window_for(size_)),
        directions_(system) {
    if (system.shareable() && judged_.size() == size_) team_ = team;
    wave_ = system.reach() < size_ && system.reach() <= farthest_wave;
    // Where the stages are close together, the last pass takes all of them to the end.
    drained_ = std::size_t{2} * dp::stages * lag_ <= window_ ? 0 : (dp::stages - 2) * lag_;
  }

  StepperTraits traits() const override { return {"rk", 5, false}; }

  double attempt(const Point& from, double h, bool, State& to, Counters& counters) override {
    Arrays x{from.q, from.v, to.q.data(), to.v.data(), {}};
    // The first stage's accelerations are read only, like those of every finished state.
    x.a[0] = const_cast<double*>(from.a);
    // The inner stages are forgotten at the end of the step.
    const Scratch stages(dp::stages, size_, work_place);
    for (std::size_t s = 1; s + 1 < dp::stages; ++s) x.a[s] = stages.row(s - 1);
    x.a[dp::stages - 1] = to.a.data();
    counters.evaluations += dp::stages - 1;
    if (const int wanted = members_wanted(); wanted > 1)
      return together(x, {from.t, to.t, h}, wanted, std::make_index_sequence<dp::stages - 2>{});
    return sweep(x, {from.t, to.t, h}, std::make_index_sequence<dp::stages - 1>{});
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
      return dp::c[s] == 1 ? end : begin + dp::c[s] * h;
    }
  };

  /// f(error), where error(i) is that of a degree of freedom.
  template <class F>
  auto with_error(const Arrays& x, double h, F f) const {
    const dp::Row v_row = scale(dp::e, h);
    const dp::Row q_row = scale(dp::ebar, h * h);
    const auto a = x.a;
    const auto j = std::make_index_sequence<dp::stages>{};
    return f([&](std::size_t i) {
      return Motion{combine<dp::ebar>(a, q_row, i, j), combine<dp::e>(a, v_row, i, j)};
    });
  }

  void add_error(const Arrays& x, double h, std::size_t front, const ErrorWeights& weights,
                 ErrorSum& error) const {
    with_error(x, h, [&](auto of) { error.add_until(front, weights, {x.q0, x.v0}, {x.q, x.v}, of); });
  }

  /// The wave: in every pass all stages move their fronts forward, each a lag behind the one before.
  template <std::size_t... S>
  double sweep(const Arrays& x, const Span& t, std::index_sequence<S...>) {
    std::array<Front, dp::stages> done{};
    ErrorSum error(judged_, size_);
    const ErrorWeights weights(tolerances_, system_.angles());
    for (std::size_t front = wave_ ? window_ : size_ + drained_;; front += window_) {
      const bool last = front >= size_ + drained_;
      const auto of_stage = [&](std::size_t s) {
        return last ? size_ : std::min(size_, std::max(front, s * lag_) - s * lag_);
      };
      if (!(move<S + 1>(x, t, of_stage(S), done[S + 1]) && ...))
        return std::numeric_limits<double>::infinity();
      add_error(x, t.h, done[dp::stages - 1].evaluated, weights, error);
      if (last) break;
    }
    return error.norm();
  }

  /// How many threads the degrees of freedom are worth.
  int members_wanted() const {
    if (team_ == nullptr || team_->members() == 1) return 1;
    return static_cast<int>(std::min(static_cast<std::size_t>(team_->members()), size_ / worth_a_member));
  }

  /// The same numbers by a team, stage by stage. A member evaluates a few of its degrees of freedom and makes
  /// their next states of that at once, in the other of two sets of arrays: all others may still read the
  /// states of this stage. One meeting per stage.
  template <std::size_t... S>
  double together(const Arrays& x, const Span& t, int wanted, std::index_sequence<S...>) {
    const Scratch spare(dp::stages, size_, work_place);  // the same rows again
    Arrays odd = x;
    odd.q = spare.row(dp::stages - 2);
    odd.v = spare.row(dp::stages - 1);
    const auto of = [&](std::size_t stage) -> const Arrays& { return stage % 2 == 0 ? x : odd; };
    static_assert(dp::stages % 2 == 1, "the last stage has the arrays of the new state");
    const ErrorWeights weights(tolerances_, system_.angles());
    const std::size_t blocks = (size_ + ErrorSum::block - 1) / ErrorSum::block;
    block_sums_.resize(blocks);
    std::atomic<bool> finite{true};
    auto work = [&](Team::Member& member) {
      const auto share = [&](int number) {
        return blocks * static_cast<std::size_t>(number) / static_cast<std::size_t>(member.count());
      };
      const Range mine{share(member.number()), share(member.number() + 1)};
      const auto rows = [&](std::size_t block) {
        return Range{block * ErrorSum::block, std::min(size_, (block + 1) * ErrorSum::block)};
      };
      const auto stage = [&](auto number) {
        constexpr std::size_t s = number() + 1;
        const Arrays& now = of(s);
        for (std::size_t b = mine.first; b < mine.last; ++b) {
          if (!system_.acceleration(t.at<s>(), now.q, now.v, now.a[s], rows(b)))
            finite.store(false, std::memory_order_relaxed);
          if constexpr (s + 1 < dp::stages) stage_state<s + 1>(of(s + 1), t.h, rows(b));
        }
      };
      for (std::size_t b = mine.first; b < mine.last; ++b) stage_state<1>(of(1), t.h, rows(b));
      ((member.meet(), stage(std::integral_constant<std::size_t, S>{})), ...);
      member.meet();
      stage(std::integral_constant<std::size_t, dp::stages - 2>{});
      for (std::size_t b = mine.first; b < mine.last; ++b)
        block_sums_[b] = with_error(x, t.h, [&](auto error) {
          return ErrorSum::block_sum(rows(b), weights, {x.q0, x.v0}, {x.q, x.v}, error);
        });
    };
    team_->run(wanted, work);
    if (!finite.load(std::memory_order_relaxed)) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (const double block : block_sums_) sum += block;
    return ErrorSum::norm(sum, 2.0 * static_cast<double>(size_));
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
    stage_state<s>(x, t.h, {done.combined, front});
    done.combined = front;
    const std::size_t ready = front == size_ ? size_ : std::max(front, lag_ / 2) - lag_ / 2;
    const Range range{std::exchange(done.evaluated, ready), ready};
    return system_.acceleration(t.at<s>(), x.q, x.v, x.a[s], range);
  }

  const System& system_;
  Tolerances tolerances_;
  std::size_t size_;
  Range judged_;
  std::size_t lag_;  ///< between the fronts of two stages: twice the reach, in whole vectors
  std::size_t window_;
  bool wave_ = false;
  std::size_t drained_ = 0;  ///< how far the first stage is ahead when the last one arrives
  RkDirections directions_;
  Team* team_ = nullptr;  ///< null where steps are not shared
  std::vector<double> block_sums_;
};

}  // namespace

std::unique_ptr<Stepper> make_rk_stepper(const System& system, const Tolerances& tolerances, Range judged,
                                         Team* team) {
  if (system.extent().states()) return make_whole_rk_stepper(system, tolerances, judged);
  return std::make_unique<RungeKutta>(system, tolerances, judged, team);
}

}  // namespace cosimo
