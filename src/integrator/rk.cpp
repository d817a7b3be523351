#include "integrator/rk.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "integrator/constrained_system.hpp"
#include "integrator/dormand_prince.hpp"
#include "integrator/error_sum.hpp"
#include "integrator/explicit_stages.hpp"
#include "integrator/merson.hpp"
#include "integrator/rk_directions.hpp"
#include "integrator/scratch.hpp"
#include "integrator/shared_evaluation.hpp"
#include "parallel/shares.hpp"

namespace cosimo {
namespace {

/// Degrees of freedom that advance together, at most; eleven arrays of this length fit the first-level cache.
constexpr std::size_t largest_window = 320;
/// Up to this reach the stages run behind each other: what lies between the first and the last of them fits
/// the second-level cache.
constexpr std::size_t farthest_wave = 1200;

/// Accelerations of inner stages that are kept at least: fewer laps, and still in the second-level cache.
constexpr std::size_t shortest_lap = 2048;
/// Where neighbours are far, so many times as far: kernels evaluate forces between rows of the same window
/// once.
constexpr std::size_t reaches_per_window = 4;

/// Equal shares of at most that size, in whole vectors: a short last one would cost nearly as much as a full.
std::size_t window_for(std::size_t size, std::size_t reach) {
  const std::size_t largest = std::max(largest_window, reaches_per_window * reach);
  const std::size_t passes = std::max<std::size_t>((size + largest - 1) / largest, 1);
  return ((size + passes - 1) / passes + 7) / 8 * 8;
}

template <class Pair>
class RungeKutta final : public Stepper {
  using Arrays = StageArrays<Pair>;

 public:
  RungeKutta(const System& system, const Tolerances& tolerances, Range judged, Team* team)
      : system_(system),
        tolerances_(tolerances),
        size_(system.size()),
        judged_(judged_range(judged, size_)),
        errors_(judged_, size_),
        lag_((system.reach() + 7) / 8 * 8 * 2),
        window_(window_for(size_, system.reach())),
        directions_(system) {
    if (system.shareable()) team_ = team;
    if (team != nullptr && !system.shareable() && system.constrained() != nullptr &&
        system.constrained()->shared() != nullptr)
      evaluating_ = team;
    wave_ = system.reach() < size_ && system.reach() <= farthest_wave;
    in_pieces_ = !wave_ && system.shareable();
    // Where the stages are close together, the last pass takes all of them to the end.
    drained_ = std::size_t{2} * Pair::stages * lag_ <= window_ ? 0 : (Pair::stages - 2) * lag_;
    // Sums of errors go by groups of eight from the beginning of what is judged: a lap must not divide one.
    if (wave_ && judged_.first % 8 == 0 && (judged_.last % 8 == 0 || judged_.last == size_))
      lap_ = std::bit_ceil(std::max(shortest_lap, window_ + Pair::stages * lag_ + 64));
  }

  StepperTraits traits() const override { return pair_traits<Pair>; }
  double cost(const Point& /*at*/) override { return attempt_cost<Pair>; }

  double attempt(const Point& from, double h, bool, State& to, Counters& counters) override {
    Arrays x{from.q, from.v, to.q.data(), to.v.data(), {}, 0};
    // The first stage's accelerations are read only, like those of every finished state.
    x.a[0] = const_cast<double*>(from.a);
    // The inner stages are forgotten at the end of the step; alone, as soon as the wave has gone on.
    const int wanted = members_for(team_, size_, system_.row_cost());
    const Scratch stages(Pair::stages, wanted == 1 ? std::min(lap_, size_) : size_, work_place);
    for (std::size_t s = 1; s + 1 < Pair::stages; ++s) x.a[s] = stages.row(s - 1);
    x.a[Pair::stages - 1] = to.a.data();
    counters.evaluations += Pair::stages - 1;
    const Span span{from.t, to.t, h};
    if (evaluating_ != nullptr)
      if (const std::optional<double> error = evaluate_together(x, span)) return *error;
    if (wanted == 1 && !in_pieces_) return sweep(x, span);
    spare_ = {stages.row(Pair::stages - 2), stages.row(Pair::stages - 1)};
    return together(x, span, wanted);
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

  /// Adds up the squares of the errors, for ErrorSum.
  auto squares(const Arrays& x, double h, const ErrorWeights& weights) const {
    return [&x, h, &weights, add = kernels_.error](Range range, EightSums& sums) {
      add(x, h, weights, range, sums);
    };
  }

  /// Degrees of freedom that one thread takes through the stages. At a border with those of another thread
  /// every stage stops a reach before the one it is made of: what lies there is mended afterwards.
  struct Own {
    Range range;
    std::size_t left = 0, right = 0;  ///< the reach where there is a border, in whole vectors
    /// A power of two: degree of freedom i is number i modulo this of the inner stages' accelerations.
    std::size_t lap = std::size_t{1} << 63U;

    Range states(std::size_t stage) const {
      return {range.first + (stage - 1) * left, range.last - (stage - 1) * right};
    }
    Range accelerations(std::size_t stage) const {
      return {range.first + stage * left, range.last - stage * right};
    }
  };

  /// f(y, piece) for the pieces of a range that have the inner accelerations of one lap.
  template <class F>
  static bool by_laps(Arrays& x, std::size_t lap, Range range, F f) {
    for (std::size_t first = range.first; first < range.last;) {
      const std::size_t begin = first & ~(lap - 1), last = std::min(range.last, begin + lap);
      if (x.begin != begin) x.begin = begin;  // a kernel that reads it at once waits for the write
      if (!f(Range{first, last})) return false;
      first = last;
    }
    return true;
  }

  /// How far a stage has come: states up to `combined`, accelerations up to `evaluated`.
  struct Front {
    std::size_t combined = 0, evaluated = 0;
  };

  /// The wave: in every pass all stages move their fronts forward, each a lag behind the one before.
  /// done(front): the last stage has come there. False when an acceleration is not finite.
  template <class Done, std::size_t... S>
  bool wave(Arrays& x, const Span& t, const Own& own, Done done, std::index_sequence<S...>) const {
    std::array<Front, Pair::stages> at{};
    ((at[S + 1] = {own.states(S + 1).first, own.accelerations(S + 1).first}), ...);
    const std::size_t begin = own.range.first, end = own.range.last;
    for (std::size_t front = wave_ ? begin + window_ : end + drained_;; front += window_) {
      const bool last = front >= end + drained_;
      const auto of_stage = [&](std::size_t s) {
        return last ? end : std::min(end, std::max(front, begin + s * lag_) - s * lag_);
      };
      if (!(move<S + 1>(x, t, own, of_stage(S), at[S + 1]) && ...)) return false;
      done(at[Pair::stages - 1].evaluated);
      if (last) return true;
    }
  }

  /// Moves stage s to `front`. Its accelerations stay half a lag behind its states, which covers the
  /// reach forward; the other half keeps the next stage from overwriting what the reach back needs.
  template <std::size_t s>
  bool move(Arrays& x, const Span& t, const Own& own, std::size_t front, Front& at) const {
    const Range states = own.states(s), accelerations = own.accelerations(s);
    front = std::clamp(front, at.combined, states.last);
    if (front == at.combined && front != states.last) return true;
    by_laps(x, own.lap, {at.combined, front}, [&](Range range) {
      kernels_.state[s](x, t.h, range);
      return true;
    });
    at.combined = front;
    const std::size_t ready =
        front == states.last ? accelerations.last : std::max(front, at.evaluated + lag_ / 2) - lag_ / 2;
    const Range range{std::exchange(at.evaluated, ready), ready};
    constexpr bool inner = s + 1 < Pair::stages;
    return by_laps(x, own.lap, range, [&](Range piece) {
      return system_.acceleration(t.template at<s>(), x.q, x.v, x.a[s] - (inner ? x.begin : 0), piece);
    });
  }

  double sweep(Arrays& x, const Span& t) const {
    ErrorSum error(judged_, size_);
    const ErrorWeights weights(tolerances_, system_.angles());
    const auto add = [&](std::size_t front) {
      error.add_until(front, [&](Range range, EightSums& sums) {
        by_laps(x, lap_, range, [&](Range piece) {
          kernels_.error(x, t.h, weights, piece, sums);
          return true;
        });
      });
    };
    const bool finite =
        wave(x, t, {{0, size_}, 0, 0, lap_}, add, std::make_index_sequence<Pair::stages - 1>{});
    return finite ? error.norm() : std::numeric_limits<double>::infinity();
  }

  /// Of the positions, and of the velocities, around a border; a gap keeps them apart in the cache.
  std::size_t seam_length() const { return Pair::stages * lag_; }
  static constexpr std::size_t seam_gap = 64;

  /// What all members of a team know of a step.
  struct Shared {
    const Arrays& x;
    const Span& t;
    ErrorWeights weights;
    std::atomic<bool> finite{true};

    void note(bool ok) {
      if (!ok) finite.store(false, std::memory_order_relaxed);
    }
  };

  /// The same where all accelerations depend on all of the state: members evaluate together
  /// (integrator/shared_evaluation.hpp). None when a single thread has to do it.
  std::optional<double> evaluate_together(const Arrays& x, const Span& t) {
    SharedEvaluation& shared = *system_.constrained()->shared();
    const int wanted = std::min(evaluating_->members(), shared.most_shares());
    if (wanted == 1) return std::nullopt;
    shared.expect(wanted);
    Shared step{x, t, ErrorWeights(tolerances_, system_.angles())};
    bool done = false;  // the first member's word: all of them say the same
    auto work = [&](Team::Member& member) {
      if (member.count() == 1 || !go_through(shared, step, member)) return;
      const auto blocks_before = [&](int members) {
        return errors_.count() * static_cast<std::size_t>(members) / static_cast<std::size_t>(member.count());
      };
      for (std::size_t b = blocks_before(member.number()); b < blocks_before(member.number() + 1); ++b)
        add_block(step, b);
      if (member.number() == 0) done = true;
    };
    evaluating_->run(wanted, work);
    if (!done) return std::nullopt;
    return errors_.norm();
  }

  /// All stages, two meetings each. False when a single thread has to say what is the matter.
  bool go_through(SharedEvaluation& shared, const Shared& step, Team::Member& member) const {
    const SharedEvaluation::Share share{member.number(), member.count()};
    const std::span<const Range> own = shared.own(share);
    constexpr std::size_t last = Pair::stages - 1;
    const auto at = [&](std::size_t s) {
      const double time = Pair::c[s] == 1 ? step.t.end : step.t.begin + Pair::c[s] * step.t.h;
      return SharedEvaluation::Instant{time, step.x.q, step.x.v, step.x.a[s]};
    };
    const auto place = [&](std::size_t s) {
      if (s > last) return;
      for (const Range& range : own) kernels_.state[s](step.x, step.t.h, range);
      shared.place(at(s), share);
    };
    const auto evaluate = [&](std::size_t s, bool again) {
      if (!again && shared.has_others()) {
        shared.load_others(at(s), fellow_of(member));
        member.meet();
      }
      shared.load(at(s), share, again);
      member.meet();
      shared.move(at(s), share, again);
      place(s + 1);
      member.meet();
    };
    place(1);
    member.meet();
    for (std::size_t s = 1; s <= last; ++s) {
      evaluate(s, false);
      for (int times = 0;; ++times) {
        const SharedEvaluation::Verdict verdict = shared.judge(at(s), share, times);
        if (verdict == SharedEvaluation::Verdict::unclear) return false;
        if (verdict == SharedEvaluation::Verdict::fine) break;
        place(s);
        evaluate(s, true);
      }
    }
    return true;
  }

  /// The blocks whose errors a member adds up: they begin among its own degrees of freedom.
  Range blocks_of(Range rows) const {
    return {errors_.first_block(rows.first), errors_.first_block(rows.last)};
  }

  /// The same numbers by a team.
  double together(const Arrays& x, const Span& t, int wanted) {
    seams_.resize(wave_ ? static_cast<std::size_t>(team_->members()) : 0);
    for (AlignedVector& seam : seams_)
      if (seam.size() != 2 * seam_length() + seam_gap) seam.resize(2 * seam_length() + seam_gap);
    Shared step{x, t, ErrorWeights(tolerances_, system_.angles())};
    auto work = [&](Share& mine) {
      if (mine.member != nullptr && wave_ && seams_fit(*mine.member))
        wave_together(step, mine);
      else
        stage_by_stage(step, mine);
    };
    if (wanted > 1) {
      in_shares(team_, size_, work, system_.row_cost());
    } else {
      Share all{{0, size_}};
      work(all);
    }
    if (!step.finite.load(std::memory_order_relaxed)) return std::numeric_limits<double>::infinity();
    return errors_.norm();
  }

  /// Whether shares are so long that every border has a seam of its own. Between two of them the waves must
  /// finish more than a block of errors: then none reaches into both.
  bool seams_fit(const Team::Member& member) const {
    const std::size_t units = size_ / share_unit / static_cast<std::size_t>(member.count());
    return units * share_unit >= (Pair::stages - 1) * lag_ + std::max(lag_, 2 * ErrorSum::block);
  }

  void add_block(const Shared& step, std::size_t block) {
    errors_.add(block, squares(step.x, step.t.h, step.weights));
  }

  /// Every member sends the wave through its own degrees of freedom, and adds up the errors of what it has
  /// finished. When all have, each mends its left border and adds up what reaches into that.
  void wave_together(Shared& step, const Share& mine) {
    const std::size_t reach = lag_ / 2;
    const Own own{mine.rows, mine.rows.first > 0 ? reach : 0, mine.rows.last < size_ ? reach : 0};
    const Range whole = own.accelerations(Pair::stages - 1);
    std::size_t next = errors_.first_block(whole.first);
    const std::size_t first = next;
    Arrays x = step.x;
    step.note(wave(
        x, step.t, own,
        [&](std::size_t front) {
          for (; next < errors_.count() && errors_.rows(next).last <= front; ++next) add_block(step, next);
        },
        std::make_index_sequence<Pair::stages - 1>{}));
    mine.meet();
    if (own.left == 0) return;
    mend(step, own.range.first, seams_[mine.number], std::make_index_sequence<Pair::stages - 1>{});
    const std::size_t open = errors_.block_behind(own.range.first - (Pair::stages - 1) * reach);
    for (std::size_t b = open; b < first; ++b) add_block(step, b);
  }

  /// What the waves on both sides have left open, stage by stage, with the same operations. States of a stage
  /// are made once more of the accelerations, which are all there, in arrays of their own.
  template <std::size_t... S>
  void mend(Shared& step, std::size_t border, AlignedVector& seam, std::index_sequence<S...>) {
    const std::size_t reach = lag_ / 2, first = border - Pair::stages * reach;
    Arrays y = step.x;
    y.q = seam.data() - first;
    y.v = seam.data() + seam_length() + seam_gap - first;
    const auto stage = [&](auto number) {
      constexpr std::size_t s = number() + 1;
      kernels_.state[s](y, step.t.h, {border - (s + 1) * reach, border + (s + 1) * reach});
      step.note(system_.acceleration(step.t.template at<s>(), y.q, y.v, y.a[s],
                                     {border - s * reach, border + s * reach}));
    };
    (stage(std::integral_constant<std::size_t, S>{}), ...);
    const std::size_t open = (Pair::stages - 2) * reach;  // where the waves made no states of the last stage
    std::copy(y.q + (border - open), y.q + (border + open), step.x.q + (border - open));
    std::copy(y.v + (border - open), y.v + (border + open), step.x.v + (border - open));
  }

  /// Where elements are long. A member evaluates a few of its degrees of freedom and makes their next states
  /// of that at once, in the other of two sets of arrays: all others may still read the states of this stage.
  void stage_by_stage(Shared& step, const Share& mine) {
    const Arrays& x = step.x;
    const Range blocks = blocks_of(mine.rows);
    std::size_t next = blocks.first;
    Arrays other = x;
    other.q = spare_[0];
    other.v = spare_[1];
    // The last stage has the arrays of the new state.
    const auto of = [&](std::size_t stage) -> const Arrays& {
      return (Pair::stages - 1 - stage) % 2 == 0 ? x : other;
    };
    const auto stage = [&](auto number) {
      constexpr std::size_t s = number() + 1;
      const Arrays& now = of(s);
      mine.meet();
      for_pieces(mine.rows, [&](Range piece) {
        step.note(system_.acceleration(step.t.template at<s>(), now.q, now.v, now.a[s], piece));
        if constexpr (s + 1 < Pair::stages)
          kernels_.state[s + 1](of(s + 1), step.t.h, piece);
        else
          for (; next < blocks.last && errors_.rows(next).last <= piece.last; ++next) add_block(step, next);
      });
    };
    for_pieces(mine.rows, [&](Range piece) { kernels_.state[1](of(1), step.t.h, piece); });
    [&]<std::size_t... S>(std::index_sequence<S...>) {
      (stage(std::integral_constant<std::size_t, S>{}), ...);
    }
    (std::make_index_sequence<Pair::stages - 1>{});
    mine.meet();  // blocks that reach into others' degrees of freedom
    for (; next < blocks.last; ++next) add_block(step, next);
  }

  /// f(degrees of freedom), a few at a time. The pieces of bodies in the plane or in space begin with whole
  /// slices of eight: these must not be evaluated twice.
  template <class F>
  static void for_pieces(Range rows, F f) {
    constexpr std::size_t together = 32 * share_unit;
    for (std::size_t first = rows.first; first < rows.last;) {
      const std::size_t end = std::min(rows.last, (first / together + 1) * together);
      f(Range{first, end});
      first = end;
    }
  }

  const System& system_;
  Tolerances tolerances_;
  std::size_t size_;
  Range judged_;
  ErrorBlocks errors_;  ///< of a step that is shared
  const StageKernels<Pair>& kernels_ = stage_kernels<Pair>();
  std::size_t lag_;  ///< between the fronts of two stages: twice the reach, that in whole vectors
  std::size_t window_;
  bool wave_ = false;
  bool in_pieces_ = false;                   ///< stage by stage, also on one thread
  std::size_t lap_ = std::size_t{1} << 63U;  ///< of one thread; longer than the stages are apart
  std::size_t drained_ = 0;                  ///< how far the first stage is ahead when the last one arrives
  RkDirections<Pair> directions_;
  Team* team_ = nullptr;        ///< null where steps are not shared
  Team* evaluating_ = nullptr;  ///< shares evaluations alone: all accelerations depend on all of the state
  std::vector<AlignedVector> seams_;  ///< of every member: states around its left border
  std::array<double*, 2> spare_{};    ///< during a step: a second set of states
};

}  // namespace

std::unique_ptr<Stepper> make_rk_stepper(const System& system, const Tolerances& tolerances, Range judged,
                                         Team* team) {
  if (system.extent().states()) return make_whole_rk_stepper(system, tolerances, judged);
  return std::make_unique<RungeKutta<DormandPrince>>(system, tolerances, judged, team);
}

std::unique_ptr<Stepper> make_merson_stepper(const System& system, const Tolerances& tolerances, Range judged,
                                             Team* team) {
  if (system.extent().states()) return make_whole_merson_stepper(system, tolerances, judged);
  return std::make_unique<RungeKutta<Merson>>(system, tolerances, judged, team);
}

}  // namespace cosimo
