#include "integrator/rk_directions.hpp"

#include <algorithm>
#include <utility>

#include "integrator/dormand_prince.hpp"
#include "integrator/explicit_stages.hpp"
#include "integrator/merson.hpp"
#include "integrator/scratch.hpp"

namespace cosimo {
namespace {

/// One direction during one step.
template <class Pair>
struct Sweep {
  const System& system;
  StageArrays<Pair> x;
  const double* inverse_mass;
  const Tangent& begin;
  const Tangent& end;
  Range rows;
  std::size_t reach;
  InputEffect effect_begin, effect_end;
  const Polynomial& shape;
  double t, t_end, h;

  /// Accelerations of stage s from its states.
  void evaluate(std::size_t s, const double* q, const double* v) const {
    const double theta = Pair::c[s];
    double* const a = x.a[s];
    restoring_force({system.pattern(), rows, reach}, TangentBlend{begin, end, theta}, {q, v}, a);
    const auto dof = static_cast<std::size_t>(effect_begin.dof);
    const double effect = effect_begin.force + theta * (effect_end.force - effect_begin.force);
    a[dof] += effect * shape(theta == 1 ? t_end : t + theta * h);
#pragma GCC ivdep
    for (std::size_t i = rows.first; i < rows.last; ++i) a[i] *= inverse_mass[i];
  }

  template <std::size_t s>
  void stage() const {
    stage_state<Pair, s>(x, h, rows);
    evaluate(s, x.q, x.v);
  }
};

/// Entries beside the rows that a neighbour within reach reads.
void clear_margins(double* x, Range rows, std::size_t reach, std::size_t size) {
  const Range wide = widened(rows, reach, size);
  std::fill(x + wide.first, x + rows.first, 0.0);
  std::fill(x + rows.last, x + wide.last, 0.0);
}

}  // namespace

template <class Pair>
void RkDirections<Pair>::carry(const AcceptedStep& step, DirectionSet& set) {
  if (end_is_ == set.instant()) {
    std::swap(begin_, end_);
  } else {
    begin_.forget();
  }
  end_.forget();
  for (Direction& direction : set.directions()) carry_one(step, set.shape(), direction);
  set.next_instant();
  end_is_ = set.instant();
}

template <class Pair>
void RkDirections<Pair>::carry_one(const AcceptedStep& step, const Polynomial& shape, Direction& direction) {
  constexpr std::size_t used = Pair::stages - 1;  // the last one is the first of the next step
  const Point& from = step.from;
  const State& to = step.to;
  const std::size_t n = system_.size(), reach = std::min(system_.reach(), n);
  const InputEffect effect_begin = system_.input_effect(direction.input, from.t, from.q, from.v);
  const InputEffect effect_end = system_.input_effect(direction.input, to.t, to.q.data(), to.v.data());
  const auto dof = static_cast<std::size_t>(effect_begin.dof);
  const Range rows = widened(hull(direction.range, {dof, dof + 1}), used * reach, n);
  begin_.provide(from.t, from.q, from.v, rows);
  end_.provide(to.t, to.q.data(), to.v.data(), rows);

  const Scratch work(used + 3, n, work_place);
  Sweep<Pair> sweep{system_,       {direction.q, direction.v, work.row(0), work.row(1), {}, 0},
                    work.row(2),   begin_.values(),
                    end_.values(), rows,
                    reach,         effect_begin,
                    effect_end,    shape,
                    from.t,        to.t,
                    step.h};
  for (std::size_t s = 0; s < used; ++s) sweep.x.a[s] = work.row(3 + s);
  const AlignedVector& mass = begin_.values().mass;
  for (std::size_t i = rows.first; i < rows.last; ++i) work.row(2)[i] = 1 / mass[i];
  clear_margins(sweep.x.q, rows, reach, n);
  clear_margins(sweep.x.v, rows, reach, n);

  sweep.evaluate(0, direction.q, direction.v);
  [&]<std::size_t... S>(std::index_sequence<S...>) {
    (sweep.template stage<S + 1>(), ...);
  }
  (std::make_index_sequence<used - 1>{});
  stage_state<Pair, used>(sweep.x, step.h, rows);
  std::copy(sweep.x.q + rows.first, sweep.x.q + rows.last, direction.q + rows.first);
  std::copy(sweep.x.v + rows.first, sweep.x.v + rows.last, direction.v + rows.first);
  direction.range = rows;
  trim(direction);
}

template class RkDirections<DormandPrince>;
template class RkDirections<Merson>;

}  // namespace cosimo
