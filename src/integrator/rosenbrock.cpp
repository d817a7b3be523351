#include "integrator/rosenbrock.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "integrator/error_sum.hpp"
#include "integrator/rodas_kernels.hpp"
#include "integrator/rosenbrock_directions.hpp"
#include "integrator/stiffness.hpp"
#include "parallel/shares.hpp"

namespace cosimo {
namespace {

constexpr double failed = std::numeric_limits<double>::infinity();

/// Degrees of freedom that go through the loops of one stage together.
constexpr std::size_t window = 512;

using rodas::Stages;

class Rosenbrock final : public Stepper {
 public:
  Rosenbrock(const System& system, const Tolerances& tolerances, Linear linear, Range judged, Team* team)
      : system_(system),
        tolerances_(tolerances),
        size_(system.size()),
        errors_(judged_range(judged, size_), size_),
        team_(system.shareable() ? team : nullptr),
        linear_(linear),
        directions_(system) {}

  StepperTraits traits() const override { return {"rosenbrock", 4, true}; }
  double cost(const Point& /*at*/) override {
    if (work_.empty()) allocate();
    return rosenbrock_cost(system_.pattern(), *solver_);
  }

  double attempt(const Point& from, double h, bool retry, State& to, Counters& counters) override {
    if (work_.empty()) allocate();
    from_ = from;
    h_ = h;
    if (!retry) {
      auto work = [&](Share& mine) { system_.tangent_rows(from.t, from.q, from.v, tangent_, mine.rows); };
      in_shares(team_, size_, work);
      system_.time_derivative(from.t, from.q, from.v, a_t_);
    }
    ++counters.factorizations;
    if (!solver_->factor(tangent_, h * rodas::gamma)) return failed;
    if (!all_stages(to, counters, std::make_index_sequence<rodas::stages>{})) return failed;
    const double error = finish(to);
    if (!(error <= 1)) return error;
    ++counters.evaluations;
    std::atomic<bool> finite{true};
    auto work = [&](Share& mine) {
      if (!system_.acceleration(to.t, to.q.data(), to.v.data(), to.a.data(), mine.rows)) finite = false;
    };
    in_shares(team_, size_, work);
    return finite ? error : failed;
  }

  std::optional<Motion> stage_interpolant(double theta, std::size_t dof) const override;

  void carry(const AcceptedStep& step, DirectionSet& directions, Counters& counters) override {
    directions_.carry(step, tangent_, *solver_, directions, counters);
  }

 private:
  // Work arrays and solver exist only once the method is in use: `automatic` may never come to that.
  void allocate() {
    work_ = Slab(rodas::stages + 4, size_, work_place);
    for (std::size_t s = 0; s < rodas::stages; ++s) w_[s] = work_.row(s).data();
    r_ = work_.row(rodas::stages).data();
    a_t_ = work_.row(rodas::stages + 1).data();
    kr_ = work_.row(rodas::stages + 2).data();
    a_ = work_.row(rodas::stages + 3).data();
    tangent_ = Tangent(system_.pattern());
    solver_ = make_linear_solver(system_.pattern(), linear_);
  }

  template <std::size_t... S>
  bool all_stages(State& to, Counters& counters, std::index_sequence<S...>) {
    return (stage<S>(to, counters) && ...);
  }

  /// Right-hand side and solution of stage s; Q_s and V_s are in `to`.
  template <std::size_t s>
  bool stage(State& to, Counters& counters) {
    counters.evaluations += s == 0 ? 0 : 1;
    const bool path = system_.pattern().is_path();
    if (path && members_for(team_, size_) > 1 ? !prepare_together<s>(to) : !prepare<s>(to)) return false;
    if (!path) {
      const AlignedVector &diag = tangent_.k_diag, &edge = tangent_.k_edge;
      multiply(system_.pattern(), {diag.data(), diag.size()}, {edge.data(), edge.size()}, {r_, size_},
               {kr_, size_});
      right_hand_side<s>({0, size_});
    }
    ++counters.solves;
    solver_->solve({w_[s], size_});
    return true;
  }

  /// All that a stage needs before it is solved; on a path the right-hand side as well. Window after window,
  /// while they are in cache.
  template <std::size_t s>
  bool prepare(State& to) {
    const std::size_t reach = std::min(system_.reach(), size_);
    const bool blocks = 2 * reach <= window;
    std::size_t done = 0, evaluated = 0;
    while (evaluated < size_) {
      const std::size_t front = blocks ? std::min(done + window, size_) : size_;
      stage_state<s>(to, {done, front});
      done = front;
      const std::size_t ready = front == size_ ? size_ : front - std::max<std::size_t>(reach, 1);
      if (!evaluate<s>(to, {std::exchange(evaluated, ready), ready})) return false;
    }
    return true;
  }

  /// The same by a team.
  template <std::size_t s>
  bool prepare_together(State& to) {
    std::atomic<bool> finite{true};
    auto work = [&](Share& mine) {
      stage_state<s>(to, mine.rows);
      mine.meet();
      for (std::size_t first = mine.rows.first; first < mine.rows.last; first += window)
        if (!evaluate<s>(to, {first, std::min(first + window, mine.rows.last)})) finite = false;
    };
    in_shares(team_, size_, work);
    return finite;
  }

  template <std::size_t s>
  bool evaluate(const State& to, Range range) {
    const double t = rodas::c[s] == 1 ? to.t : from_.t + rodas::c[s] * h_;
    if (s > 0 && !system_.acceleration(t, to.q.data(), to.v.data(), a_, range)) return false;
    if (!system_.pattern().is_path()) return true;
    path_times_r(range);
    right_hand_side<s>(range);
    return true;
  }

  /// Q_s, V_s and r_s. The first stage needs r_0 = v_0 alone.
  template <std::size_t s>
  void stage_state(State& to, Range range) {
    if constexpr (s == 0)
      std::copy(from_.v + range.first, from_.v + range.last, r_ + range.first);
    else
      kernels_.state[s]({from_.q, from_.v, to.q.data(), to.v.data(), r_, w_}, h_, 1, range);
  }

  /// kr = K r on a path, while r is in cache (numerics' multiply() does any pattern).
  void path_times_r(Range range) {
    const double* const diag = tangent_.k_diag.data();
    const double* const edge = tangent_.k_edge.data();
    const double* const r = r_;
    double* const kr = kr_;
    auto one = [&](std::size_t i) {
      double sum = diag[i] * r[i];
      if (i > 0) sum += edge[i - 1] * r[i - 1];
      if (i + 1 < size_) sum += edge[i] * r[i + 1];
      kr[i] = sum;
    };
    std::size_t i = range.first;
    if (i == 0 && i < range.last) one(i++);
    const std::size_t last = range.last == size_ ? size_ - 1 : range.last;
    if (i < last) kernels_.path_product(diag, edge, r, kr, {i, last});
    if (last < range.last && last >= i) one(last);
  }

  template <std::size_t s>
  void right_hand_side(Range range) {
    kernels_.side[s]({tangent_.mass.data(), s == 0 ? from_.a : a_, a_t_, kr_, w_}, h_, range);
  }

  /// y_1 = Y_6 + U_6, and the norm of U_6.
  double finish(State& to) {
    constexpr std::size_t s = rodas::stages - 1;
    double* const q = to.q.data();
    double* const v = to.v.data();
    const ErrorWeights weights(tolerances_, system_.angles());
    const ErrorArrays arrays{r_, w_[s], from_.q, from_.v, q, v};
    auto work = [&](Share& mine) {
      kernels_.end({from_.q, from_.v, q, v, r_, w_}, h_, mine.rows);
      mine.meet();  // blocks may reach into others' degrees of freedom
      for (std::size_t b = errors_.first_block(mine.rows.first); b < errors_.first_block(mine.rows.last); ++b)
        errors_.add(b,
                    [&](Range range, EightSums& sums) { add_error_squares(arrays, weights, range, sums); });
    };
    in_shares(team_, size_, work);
    to_ = {0, q, v, nullptr};
    return errors_.norm();
  }

  const System& system_;
  Tolerances tolerances_;
  std::size_t size_;
  ErrorBlocks errors_;
  Team* team_;  ///< null where steps are not shared
  const RodasKernels& kernels_ = rodas_kernels();
  Linear linear_;
  std::unique_ptr<SecondOrderSolver> solver_;
  Tangent tangent_;
  Slab work_;
  Stages w_{};
  double* r_ = nullptr;  ///< r_s; at the end the position part of U_6
  double* a_t_ = nullptr;
  double* kr_ = nullptr;  ///< K r_s
  double* a_ = nullptr;   ///< accelerations of a stage
  double h_ = 0;
  Point from_, to_;  ///< of the last attempt, for its continuous extension
  RosenbrockDirections directions_;
};

std::optional<Motion> Rosenbrock::stage_interpolant(double theta, std::size_t dof) const {
  Motion bend;
  for (std::size_t j = 0; j < rodas::stages; ++j) {
    const double factor = rodas::dense[0][j] + theta * rodas::dense[1][j];
    double increment = rodas::folded.P[j].v * from_.v[dof];
    for (std::size_t l = 0; l <= j; ++l) increment += rodas::folded.P[j].w[l] * w_[l][dof];
    bend.q += factor * (h_ * increment);
    bend.v += factor * w_[j][dof];
  }
  auto blend = [&](double y0, double y1, double b) {
    return (1 - theta) * y0 + theta * (y1 + (1 - theta) * b);
  };
  return Motion{blend(from_.q[dof], to_.q[dof], bend.q), blend(from_.v[dof], to_.v[dof], bend.v)};
}

}  // namespace

std::unique_ptr<SecondOrderSolver> make_linear_solver(const TangentPattern& pattern, Linear linear) {
  switch (linear) {
    case Linear::klu:
      return make_klu_solver(pattern);
    case Linear::dense:
      return make_dense_solver(pattern);
    case Linear::automatic:
    case Linear::structured:
      break;
  }
  return make_structured_solver(pattern);
}

std::unique_ptr<Stepper> make_rosenbrock_stepper(const System& system, const Tolerances& tolerances,
                                                 Linear linear, Range judged, Team* team) {
  if (system.extent().states()) return make_whole_rosenbrock_stepper(system, tolerances, judged);
  return std::make_unique<Rosenbrock>(system, tolerances, linear, judged, team);
}

}  // namespace cosimo
