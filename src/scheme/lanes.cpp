#include "scheme/lanes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "scheme/batch.hpp"
#include "scheme/clock.hpp"

namespace cosimo {

namespace {

/// As the ports have it; couplings that no port belongs to count as scalar. What is no motion makes no
/// difference here.
CutLayout layout_of(std::span<const std::unique_ptr<Component>> subsystems, const Seam& seam) {
  Interface interface;
  for (const Seam::End& end : seam.foreign_ends()) {
    if (interface.couplings.size() <= end.coupling) interface.couplings.resize(end.coupling + 1);
    Coupling& coupling = interface.couplings[end.coupling];
    (end.side == CutSide::from ? coupling.from : coupling.to).coordinates = end.coordinates;
  }
  for (const auto& subsystem : subsystems)
    for (const Port& port : subsystem->ports()) {
      const std::size_t c = port.coupling.index();
      if (interface.couplings.size() <= c) interface.couplings.resize(c + 1);
      Coupling& coupling = interface.couplings[c];
      (port.side == CutSide::from ? coupling.from : coupling.to).coordinates = port.outputs;
    }
  return CutLayout(interface);
}

int kind_of(std::size_t stage, bool with_beside) {
  return batch::first_stage + 2 * static_cast<int>(stage) + (with_beside ? 1 : 0);
}

}  // namespace

LaneSet::Runner LaneSet::make_runner(const Component& subsystem, std::unique_ptr<Lane> lane) {
  Runner runner;
  runner.lane = std::move(lane);
  runner.inputs.resize(subsystem.inputs().size());
  runner.outputs.resize(output_count(subsystem.ports()));
  if (subsystem.feeds()) runner.values.resize(subsystem.inputs().size());
  return runner;
}

LaneSet::LaneSet(std::span<const std::unique_ptr<Component>> subsystems, std::span<const Recorded> recorded,
                 Pool& pool, Beside beside, bool repeatable, Seam* seam,
                 std::span<const std::unique_ptr<Team>> teams)
    : seam_(seam != nullptr ? seam : &alone_),
      slots_(subsystems.size()),
      layout_(layout_of(subsystems, *seam_)),
      stage_of_(subsystems.size(), 0),
      pool_(pool),
      beside_(beside),
      repeatable_(repeatable || beside != Beside::none),
      solve_seconds_(subsystems.size()),
      thread_seconds_(static_cast<std::size_t>(pool.threads())),
      work_(subsystems.size()),
      micro_steps_(subsystems.size()),
      stage_seconds_(static_cast<std::size_t>(pool.threads())),
      stage_longest_(subsystems.size()),
      sections_(pool) {
  auto make = [&](std::size_t i) {
    slots_[i].actual = make_runner(*subsystems[i], subsystems[i]->make_lane());
  };
  pool_.run(slots_.size(), make, batch::making);
  std::size_t most_inputs = 0, most_outputs = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.subsystem = subsystems[i].get();
    slot.recorded = &recorded[i];
    if (!teams.empty()) slot.team = teams[i].get();
    slot.motion_of_member.resize(slot.team != nullptr ? static_cast<std::size_t>(slot.team->members()) : 1);
    const std::size_t ports = slot.subsystem->ports().size(), inputs = slot.subsystem->inputs().size();
    most_inputs = std::max(most_inputs, inputs);
    most_outputs = std::max(most_outputs, slot.actual.outputs.size());
    slot.push.u.resize(inputs);
    ends_early_ = ends_early_ || slot.subsystem->ends_early();
    some_stay_ = some_stay_ || !slot.subsystem->goes_back();
    slot.actual.lane->outputs(0, slot.actual.values, slot.actual.outputs);
    const std::size_t outputs = slot.actual.outputs.size();
    for (auto* each : {&slot.push.here, &slot.push.pushed, &slot.push.held}) each->resize(outputs);
    slot.push.moved.resize(outputs);
    slot.start.assign(slot.actual.lane->position().begin(), slot.actual.lane->position().end());
    if (repeatable_ && slot.subsystem->goes_back()) slot.memory = slot.actual.lane->make_snapshot();
    if (!slot.subsystem->cheap_snapshot()) copied_.push_back(i);
    const std::size_t lanes = ports == 0                      ? 0
                              : beside_ == Beside::comparison ? 1
                              : beside_ == Beside::perturbed  ? inputs
                                                              : 0;
    for (std::size_t k = 0; k < lanes; ++k)
      slot.beside.push_back(make_runner(*slot.subsystem, slot.subsystem->make_lane()));
  }
  ends_early_ = seam_->any(ends_early_);
  some_stay_ = seam_->any(some_stay_);
  port_u_.resize(most_inputs);
  port_a_.resize(most_outputs);
  plan_tasks();
  plan_messages();
  save_all();
}

void LaneSet::plan_tasks() {
  tasks_.assign(static_cast<std::size_t>(stages()), {});
  actual_tasks_.assign(tasks_.size(), 0);
  stayers_.assign(tasks_.size(), 0);
  for (const bool goes_back : {true, false})
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].subsystem->goes_back() != goes_back) continue;
      const auto stage = static_cast<std::size_t>(stage_of_[i]);
      tasks_[stage].push_back({static_cast<std::uint32_t>(i), -1});
      if (!goes_back) ++stayers_[stage];
    }
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    auto& tasks = tasks_[k];
    actual_tasks_[k] = tasks.size();
    for (std::size_t t = 0; t < actual_tasks_[k]; ++t)
      for (std::size_t b = 0; b < slots_[tasks[t].slot].beside.size(); ++b)
        tasks.push_back({tasks[t].slot, static_cast<std::int32_t>(b)});
  }
}

void LaneSet::advance_in_stages(std::span<const int> stage) {
  COSIMO_CHECK(stage.size() >= slots_.size(), "stages of lanes");
  stage_of_.assign(stage.begin(), stage.begin() + static_cast<std::ptrdiff_t>(slots_.size()));
  stages_.clear();
  for (std::size_t i = 0; i < stage.size(); ++i) {
    const auto number = static_cast<std::size_t>(stage[i]);
    if (number >= stages_.size()) stages_.resize(number + 1);
    if (i < slots_.size()) stages_[number].push_back(i);
  }
  if (stages_.size() > 1) seam_->set_stages(stage);
  if (stages_.size() < 2) {
    stages_.clear();
    std::fill(stage_of_.begin(), stage_of_.end(), 0);
  }
  plan_tasks();
}

void LaneSet::begin() {
  std::fill(solve_seconds_.begin(), solve_seconds_.end(), 0.0);
  std::fill(thread_seconds_.begin(), thread_seconds_.end(), 0.0);
  snapshot_seconds_ = transport_seconds_ = 0;
  // A lane whose stage is not reached has nothing to tell.
  for (Slot& slot : slots_) {
    slot.actual.result = {};
    for (Runner& runner : slot.beside) runner.result = {};
  }
}

/// For lanes beside the actual ones: they restore what the actual lanes saved, so that must be complete
/// before either starts. Without them every task saves its own lane.
void LaneSet::save_all() {
  if (beside_ == Beside::none) return;
  const Section before = sections_.enter(Section::snapshot);
  const double begin = clock_seconds();
  for (Slot& slot : slots_)
    if (slot.subsystem->cheap_snapshot()) slot.actual.lane->save(*slot.memory);
  if (!copied_.empty()) {
    auto save = [this](std::size_t i) {
      Slot& slot = slots_[copied_[i]];
      slot.actual.lane->save(*slot.memory);
    };
    pool_.run(copied_.size(), save, batch::saving);
  }
  const double end = clock_seconds();
  snapshot_seconds_ += end - begin;
  phases_.add(Phase::snapshot, begin, end);
  sections_.enter(before);
}

void LaneSet::run_actual(Slot& slot, const LaneStep& step) {
  Runner& runner = slot.actual;
  const bool timed =
      !slot.subsystem->cheap_snapshot() && (slot.go_back || (repeatable_ && beside_ == Beside::none));
  const double begin = timed ? clock_seconds() : 0;
  if (slot.go_back && !slot.memory) {  // somebody of a later stage had an event
    runner.result = {StepStatus::failed, step.window.begin, "it cannot go back to an earlier state"};
    return;
  }
  if (slot.go_back)
    runner.lane->restore(*slot.memory);
  else if (repeatable_ && beside_ == Beside::none && slot.memory)
    runner.lane->save(*slot.memory);
  slot.saving = timed ? clock_seconds() - begin : 0;
  slot.thread = Pool::this_thread();
  slot.go_back = false;
  slot.moved = true;
  const auto variables = slot.subsystem->inputs();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (step.held.empty())
      runner.inputs[i] = step.inputs[variables[i]];
    else
      runner.inputs[i].a[0] = step.held[variables[i]];
  }
  const std::size_t numbers = step.output_times.size() * slot.recorded->dofs.size();
  slot.sample_q.resize(numbers);
  slot.sample_v.resize(numbers);
  slot.sample_state.resize(step.output_times.size() * slot.recorded->states.size());
  const Samples samples{.times = step.output_times,
                        .dofs = slot.recorded->dofs,
                        .position = slot.sample_q,
                        .velocity = slot.sample_v,
                        .states = slot.recorded->states,
                        .state = slot.sample_state};
  Response* response = nullptr;
  if (step.response != nullptr && !variables.empty()) {
    response = &slot.response;
    response->method = step.response->method;
    response->terms = step.response->terms;
    response->shape = step.response->shape;
  }
  runner.result = runner.lane->advance(step.window, runner.inputs, samples, response);
  find_outputs(runner, step.window.end);
  slot.sample_input.clear();
  for (const double t : step.output_times)
    for (const std::size_t i : slot.recorded->inputs) slot.sample_input.push_back(runner.inputs[i](t));
  measure(slot);
  slot.reached_work = runner.lane->work();
  const SolverStatus status = runner.lane->status();
  slot.reached_steps = status.counters.steps;
  slot.next_step = status.next_step;
}

void LaneSet::run_beside(Slot& slot, std::size_t number, const LaneStep& step) {
  Runner& runner = slot.beside[number];
  runner.lane->restore(*slot.memory);
  const auto variables = slot.subsystem->inputs();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool other = beside_ == Beside::comparison || i == number;
    runner.inputs[i] = (other ? step.beside : step.inputs)[variables[i]];
  }
  runner.result = runner.lane->advance(step.window, runner.inputs, {});
  // What jumps there jumps in the actual lane as well, which decides on the step.
  if (runner.result.status == StepStatus::early) runner.result.status = StepStatus::ok;
  find_outputs(runner, step.window.end);
}

void LaneSet::find_outputs(Runner& runner, double t) {
  for (std::size_t i = 0; i < runner.values.size(); ++i) runner.values[i] = runner.inputs[i](t);
  runner.lane->outputs(t, runner.values, runner.outputs);
}

/// Lanes that cannot go back wait for the others: only when all these have come through is the step one that
/// will not be taken back for an event or a failure of theirs. Such lanes have none beside them.
void LaneSet::run_before_stayers(std::size_t stage, std::function<void(std::size_t)> run) {
  const auto& tasks = tasks_[stage];
  const std::size_t first = tasks.size() - stayers_[stage];
  const int kind = kind_of(stage, false);
  task_seconds_.assign(tasks.size(), 0.0);
  const auto note = [&](std::size_t from) {
    const auto seconds = pool_.seconds();
    std::copy(seconds.begin(), seconds.end(), task_seconds_.begin() + static_cast<std::ptrdiff_t>(from));
  };
  pool_.run(first, run, kind);
  note(0);
  const bool through =
      std::all_of(tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(first),
                  [&](const Task& t) { return slots_[t.slot].actual.result.status == StepStatus::ok; });
  if (seam_->any(!through)) return;
  auto later = [&](std::size_t i) { run(first + i); };
  pool_.run(stayers_[stage], later, kind);
  note(first);
}

void LaneSet::run_stage(std::size_t stage, const LaneStep& step) {
  const auto& tasks = tasks_[stage];
  const std::size_t count = with_beside_ ? tasks.size() : actual_tasks_[stage];
  const int told = stages() > 1 ? static_cast<int>(stage) : -1;
  // While others wait for the ends of shared cuts, these are told as soon as they are known. When everything
  // is told to everybody, it is told at the end.
  const bool ranks = !seam_->single(), early = ranks && !seam_->whole();
  if (early && !tell_) await_early(stage, count, told);
  auto run = [&](std::size_t i) {
    Slot& slot = slots_[tasks[i].slot];
    const double begin = phases_.watched() ? clock_seconds() : 0;
    if (tasks[i].beside < 0)
      run_actual(slot, step);
    else
      run_beside(slot, static_cast<std::size_t>(tasks[i].beside), step);
    if (phases_.watched() && tasks[i].beside < 0)
      slot.span = {Phase::solve, begin, clock_seconds(), Pool::this_thread(),
                   static_cast<std::int32_t>(tasks[i].slot)};
    if (early && early_[tasks[i].slot] != 0 && early_left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      tell(told);
  };
  const Section before = sections_.enter(Section::integrate);
  const double began = phases_.watched() ? clock_seconds() : 0;
  if (some_stay_)
    run_before_stayers(stage, run);
  else
    pool_.run(count, run, kind_of(stage, with_beside_));
  sections_.enter(ranks ? Section::exchange : before);
  const double done = phases_.watched() ? clock_seconds() : 0;
  if (phases_.watched()) log_stage(stage, began, done);
  if (ranks && !early) tell(told);
  if (ranks) hear(told);
  if (ranks) sections_.enter(before);
  if (ranks && phases_.watched()) phases_.add(Phase::transport, done, clock_seconds());
  integrations_ += static_cast<std::int64_t>(count);
  transport_seconds_ += pool_.overhead();
  pool_.busy(stage_seconds_);
  for (std::size_t t = 0; t < thread_seconds_.size(); ++t) thread_seconds_[t] += stage_seconds_[t];

  // A subsystem's share of the step is as long as the longest of its lanes.
  const std::span<const double> seconds =
      some_stay_ ? std::span<const double>(task_seconds_) : pool_.seconds();
  for (std::size_t i = 0; i < actual_tasks_[stage]; ++i) {
    const std::size_t slot = tasks[i].slot;
    work_[slot] = slots_[slot].reached_work - slots_[slot].kept_work;
    micro_steps_[slot] = static_cast<double>(slots_[slot].reached_steps - slots_[slot].kept_steps);
    stage_longest_[slot] = seconds[i] - slots_[slot].saving;
  }
  count_saving(stage);
  for (std::size_t i = actual_tasks_[stage]; i < count; ++i) {
    double& longest = stage_longest_[tasks[i].slot];
    longest = std::max(longest, seconds[i]);
  }
  for (std::size_t i = 0; i < actual_tasks_[stage]; ++i)
    solve_seconds_[tasks[i].slot] += stage_longest_[tasks[i].slot];
}

void LaneSet::advance(const LaneStep& step) {
  with_beside_ = !step.beside.empty() && beside_ != Beside::none;
  if (step.stage >= 0) return run_stage(static_cast<std::size_t>(step.stage), step);
  if (tell_) {
    early_left_ = static_cast<std::size_t>(std::count(early_.begin(), early_.end(), 1));
    if (early_left_ == 0) tell(-1);
  }
  for (std::size_t k = 0; k < tasks_.size(); ++k) run_stage(k, step);
}

void LaneSet::repeat() {
  for (Slot& slot : slots_) slot.go_back = slot.moved;
}

PartId LaneSet::failed_here(StepResult& result, int& stage_found) const {
  const auto fails = [&](std::size_t i) {
    const Slot& slot = slots_[i];
    result = slot.actual.result;
    if (result.status != StepStatus::ok && result.status != StepStatus::early) return true;
    for (const Runner& runner : slot.beside) {
      if (!with_beside_) break;
      result = runner.result;
      if (result.status != StepStatus::ok) return true;
    }
    return false;
  };
  // A follower may only have failed because of the one it follows.
  for (std::size_t k = 0; k < stages_.size(); ++k)
    for (const std::size_t i : stages_[k])
      if (fails(i)) {
        stage_found = static_cast<int>(k);
        return PartId{i};
      }
  for (std::size_t i = 0; stages_.empty() && i < slots_.size(); ++i)
    if (fails(i)) return PartId{i};
  result = {};
  return PartId{};
}

void LaneSet::gather(Beside lanes, CutStates& y, int stage) const {
  const auto& heard = lanes == Beside::comparison ? heard_beside_ : heard_;
  for (const Seam::End& end : seam_->foreign_ends()) {
    if (tell_ || (stage >= 0 && seam_->stage_of(end.part) != stage)) continue;
    const std::size_t first = layout_.first(end.coupling, end.side);
    for (std::size_t k = 0; k < end.coordinates; ++k) {
      y.x(end.side)[first + k] = heard[end.first + k].x;
      y.v(end.side)[first + k] = heard[end.first + k].v;
    }
  }
  auto take = [&](std::size_t i) {
    const Slot& slot = slots_[i];
    const auto ports = slot.subsystem->ports();
    if (ports.empty() || (stage >= 0 && stage_of_[i] != stage)) return;
    const auto& outputs = (lanes == Beside::comparison ? slot.beside.front() : slot.actual).outputs;
    const PortState* output = outputs.data();
    for (const Port& port : ports) {
      const Range coordinates = layout_.coordinates(port.coupling.index(), port.side);
      for (std::size_t k = coordinates.first; k < coordinates.last; ++k, ++output) {
        y.x(port.side)[k] = output->x;
        y.v(port.side)[k] = output->v;
      }
    }
  };
  constexpr std::size_t worth_sharing = 2048;  // ends of cuts
  if (y.from_x.size() + y.to_x.size() < worth_sharing)
    for (std::size_t i = 0; i < slots_.size(); ++i) take(i);
  else
    pool_.run(slots_.size(), take, batch::gathering);
}

void LaneSet::difference(std::size_t subsystem, std::span<const double> perturbation,
                         std::span<PortState> out) const {
  const Slot& slot = slots_[subsystem];
  const auto variables = slot.subsystem->inputs();
  const std::size_t outputs = slot.actual.outputs.size();
  for (std::size_t i = 0; i < variables.size(); ++i)
    for (std::size_t o = 0; o < outputs; ++o) {
      const PortState &moved = slot.beside[i].outputs[o], &here = slot.actual.outputs[o];
      const double by = perturbation[variables[i]];
      out[i * outputs + o] = {(moved.x - here.x) / by, (moved.v - here.v) / by};
    }
}

bool LaneSet::accelerations(double t, std::span<const double> u, std::span<double> a) const {
  bool finite = true;
  for (const Slot& slot : slots_) {
    const auto ports = slot.subsystem->ports();
    const auto variables = slot.subsystem->inputs();
    for (std::size_t i = 0; i < variables.size(); ++i)
      port_u_[i] = u.empty() ? slot.actual.inputs[i](t) : u[variables[i]];
    finite = slot.actual.lane->accelerations(t, {port_u_.data(), variables.size()},
                                             {port_a_.data(), slot.actual.outputs.size()});
    if (!finite) break;
    const double* own = port_a_.data();
    for (const Port& port : ports) {
      const std::size_t first = layout_.joint_first(port.coupling.index(), port.side);
      for (std::size_t k = 0; k < port.outputs; ++k) a[first + k] = *own++;
    }
  }
  if (seam_->any(!finite)) return false;
  share_accelerations(a);
  return true;
}

bool blame_failed_lane(const LaneSet& lanes, Candidate& candidate) {
  StepResult result;
  candidate.culprit = lanes.failed(result);
  if (!candidate.culprit.valid()) return false;
  candidate.ok = false;
  candidate.reached = result.reached;
  candidate.reason = result.reason;
  return true;
}

}  // namespace cosimo
