#include "integrator/rosenbrock_directions.hpp"

#include <algorithm>
#include <utility>

#include "integrator/rodas_kernels.hpp"

namespace cosimo {

/// The input's force at stage s.
double RosenbrockDirections::Common::force(const Task& task, std::size_t s) const {
  const double theta = rodas::c[s];
  const double t = theta == 1 ? step.to.t : step.from.t + theta * step.h;
  return (task.begin.force + theta * (task.end.force - task.begin.force)) * shape(t);
}

/// h times its time derivative at the start.
double RosenbrockDirections::Common::rate(const Task& task) const {
  const double t = step.from.t;
  return step.h * task.begin.force * shape.rate(t) + (task.end.force - task.begin.force) * shape(t);
}

void RosenbrockDirections::allocate(std::size_t directions) {
  constexpr std::size_t rows = rodas::stages + 5;
  storage_ = Slab(directions * rows, system_.size(), work_place);
  tasks_.resize(directions);
  sides_.reserve(directions);
  std::size_t next = 0;
  for (Task& task : tasks_) {
    Work& work = task.work;
    for (double*& w : work.w) w = storage_.row(next++).data();
    for (double** array : {&work.q, &work.v, &work.r, &work.f, &work.f_t})
      *array = storage_.row(next++).data();
  }
}

void RosenbrockDirections::carry(const AcceptedStep& step, const Tangent& tangent,
                                 const SecondOrderSolver& solver, DirectionSet& set, Counters& counters) {
  const std::span<Direction> directions = set.directions();
  if (tasks_.size() != directions.size()) allocate(directions.size());
  end_.forget();
  const Point& from = step.from;
  const State& to = step.to;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    Task& task = tasks_[k];
    task.direction = &directions[k];
    task.begin = system_.input_effect(directions[k].input, from.t, from.q, from.v);
    task.end = system_.input_effect(directions[k].input, to.t, to.q.data(), to.v.data());
    const auto dof = static_cast<std::size_t>(task.begin.dof);
    task.live = hull(directions[k].range, {dof, dof + 1});
  }
  const Common common{step, tangent, solver, set.shape(), std::min(system_.reach(), system_.size())};
  [&]<std::size_t... S>(std::index_sequence<S...>) {
    (stage<S>(common), ...);
  }
  (std::make_index_sequence<rodas::stages>{});
  for (const Task& task : tasks_) finish(task, step.h);
  counters.solves += static_cast<std::int64_t>(rodas::stages * directions.size());
  set.next_instant();
}

template <std::size_t s>
void RosenbrockDirections::stage(const Common& common) {
  sides_.clear();
  for (Task& task : tasks_) {
    prepare<s>(common, task);
    sides_.push_back({{task.work.w[s], system_.size()}, task.live});
  }
  common.solver.solve_near(sides_);
}

/// The right-hand side of stage s.
template <std::size_t s>
void RosenbrockDirections::prepare(const Common& common, Task& task) {
  const State& to = common.step.to;
  const Work& work = task.work;
  stage_state<s>(task, common.step.h);
  task.live = widened(task.live, common.reach, system_.size());
  end_.provide(to.t, to.q.data(), to.v.data(), task.live);
  const Rows rows{system_.pattern(), task.live, common.reach};
  const auto dof = static_cast<std::size_t>(task.begin.dof);
  const TangentBlend tangent{common.tangent, end_.values(), s == 0 ? 0 : rodas::c[s]};
  restoring_force(rows, tangent, {work.q, work.v}, work.r, work.f);
  work.f[dof] += common.force(task, s);
  if constexpr (s == 0) {
    force_of_change(rows, {common.tangent, end_.values(), 1}, {work.q, work.v}, work.f_t);
    work.f_t[dof] += common.rate(task);
  }
  right_hand_side<s>(common, task);
}

/// Q_s, V_s and g r_s.
template <std::size_t s>
void RosenbrockDirections::stage_state(const Task& task, double h) {
  const Work& work = task.work;
  rodas_kernels().state[s]({task.direction->q, task.direction->v, work.q, work.v, work.r, work.w}, h,
                           h * rodas::gamma, task.live);
}

template <std::size_t s>
void RosenbrockDirections::right_hand_side(const Common& common, const Task& task) {
  const Work& work = task.work;
  rodas_kernels().direction_side[s]({common.tangent.mass.data(), work.f, work.f_t, nullptr, work.w},
                                    common.step.h, task.live);
}

/// y_1 = Y_6 + U_6; the work arrays become zero again.
void RosenbrockDirections::finish(const Task& task, double h) {
  const rodas::Stages w = task.work.w;
  Direction& d = *task.direction;
  rodas_kernels().direction_end({nullptr, nullptr, d.q, d.v, nullptr, w}, h, task.live);
  const auto clear = [&](double* array) { std::fill(array + task.live.first, array + task.live.last, 0.0); };
  std::for_each(w.begin(), w.end(), clear);
  for (double* array : {task.work.q, task.work.v, task.work.r, task.work.f_t}) clear(array);
  d.range = task.live;
  trim(d);
}

}  // namespace cosimo
