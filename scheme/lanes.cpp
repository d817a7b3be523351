#include "scheme/lanes.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "scheme/clock.hpp"

namespace cosimo {

namespace {

// Kinds of batches: their costs have nothing to do with each other.
constexpr int saving = 1, making = 5, first_stage = 16;

/// As the ports have it; couplings that no port belongs to count as scalar.
CutLayout layout_of(std::span<const std::unique_ptr<Subsystem>> subsystems) {
  Interface interface;
  for (const auto& subsystem : subsystems)
    for (const Port& port : subsystem->ports()) {
      const std::size_t c = port.coupling.index();
      if (interface.couplings.size() <= c) interface.couplings.resize(c + 1);
      Coupling& coupling = interface.couplings[c];
      (port.side == CutSide::from ? coupling.from : coupling.to).coordinates = port.coordinates;
    }
  return CutLayout(interface);
}

int kind_of(std::size_t stage, bool with_beside) {
  return first_stage + 2 * static_cast<int>(stage) + (with_beside ? 1 : 0);
}

}  // namespace

LaneSet::Runner LaneSet::make_runner(const Subsystem& subsystem, std::unique_ptr<Lane> lane) {
  Runner runner;
  runner.lane = std::move(lane);
  runner.inputs.resize(subsystem.inputs().size());
  runner.outputs.resize(output_count(subsystem.ports()));
  return runner;
}

LaneSet::LaneSet(std::span<const std::unique_ptr<Subsystem>> subsystems, std::span<const Recorded> recorded,
                 Pool& pool, Beside beside, bool repeatable)
    : slots_(subsystems.size()),
      layout_(layout_of(subsystems)),
      stage_of_(subsystems.size(), 0),
      pool_(pool),
      beside_(beside),
      repeatable_(repeatable || beside != Beside::none),
      solve_seconds_(subsystems.size()),
      thread_seconds_(static_cast<std::size_t>(pool.threads())),
      work_(subsystems.size()),
      stage_seconds_(static_cast<std::size_t>(pool.threads())),
      stage_longest_(subsystems.size()) {
  auto make = [&](std::size_t i) {
    slots_[i].actual = make_runner(*subsystems[i], subsystems[i]->make_lane());
  };
  pool_.run(slots_.size(), make, making);
  std::size_t most_inputs = 0, most_outputs = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.subsystem = subsystems[i].get();
    slot.recorded = &recorded[i];
    const std::size_t ports = slot.subsystem->ports().size(), inputs = slot.subsystem->inputs().size();
    most_inputs = std::max(most_inputs, inputs);
    most_outputs = std::max(most_outputs, slot.actual.outputs.size());
    slot.actual.lane->outputs(slot.actual.outputs);
    if (repeatable_) slot.memory = slot.actual.lane->make_snapshot();
    if (!slot.subsystem->cheap_snapshot()) copied_.push_back(i);
    const std::size_t lanes = ports == 0                      ? 0
                              : beside_ == Beside::comparison ? 1
                              : beside_ == Beside::perturbed  ? inputs
                                                              : 0;
    for (std::size_t k = 0; k < lanes; ++k)
      slot.beside.push_back(make_runner(*slot.subsystem, slot.subsystem->make_lane()));
  }
  port_u_.resize(most_inputs);
  port_a_.resize(most_outputs);
  plan_tasks();
  save_all();
}

void LaneSet::plan_tasks() {
  tasks_.assign(static_cast<std::size_t>(stages()), {});
  actual_tasks_.assign(tasks_.size(), 0);
  for (std::size_t i = 0; i < slots_.size(); ++i)
    tasks_[static_cast<std::size_t>(stage_of_[i])].push_back({static_cast<std::uint32_t>(i), -1});
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    auto& tasks = tasks_[k];
    actual_tasks_[k] = tasks.size();
    for (std::size_t t = 0; t < actual_tasks_[k]; ++t)
      for (std::size_t b = 0; b < slots_[tasks[t].slot].beside.size(); ++b)
        tasks.push_back({tasks[t].slot, static_cast<std::int32_t>(b)});
  }
}

void LaneSet::advance_in_stages(std::span<const int> stage) {
  COSIMO_CHECK(stage.size() == slots_.size(), "stages of lanes");
  stage_of_.assign(stage.begin(), stage.end());
  stages_.clear();
  for (std::size_t i = 0; i < stage.size(); ++i) {
    const auto number = static_cast<std::size_t>(stage[i]);
    if (number >= stages_.size()) stages_.resize(number + 1);
    stages_[number].push_back(i);
  }
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
  const double begin = clock_seconds();
  for (Slot& slot : slots_)
    if (slot.subsystem->cheap_snapshot()) slot.actual.lane->save(*slot.memory);
  if (!copied_.empty()) {
    auto save = [this](std::size_t i) {
      Slot& slot = slots_[copied_[i]];
      slot.actual.lane->save(*slot.memory);
    };
    pool_.run(copied_.size(), save, saving);
  }
  snapshot_seconds_ += clock_seconds() - begin;
}

void LaneSet::run_actual(Slot& slot, const LaneStep& step) {
  Runner& runner = slot.actual;
  if (slot.go_back)
    runner.lane->restore(*slot.memory);
  else if (repeatable_ && beside_ == Beside::none)
    runner.lane->save(*slot.memory);
  slot.go_back = false;
  slot.moved = true;
  const auto variables = slot.subsystem->inputs();
  for (std::size_t i = 0; i < variables.size(); ++i) runner.inputs[i] = step.inputs[variables[i]];
  const std::size_t numbers = step.output_times.size() * slot.recorded->dofs.size();
  slot.sample_q.resize(numbers);
  slot.sample_v.resize(numbers);
  const Sampling samples{step.output_times, slot.recorded->dofs, slot.sample_q, slot.sample_v};
  Response* response = nullptr;
  if (step.response != nullptr && !variables.empty()) {
    response = &slot.response;
    response->method = step.response->method;
    response->terms = step.response->terms;
    response->shape = step.response->shape;
  }
  runner.result = runner.lane->advance(step.window, runner.inputs, samples, response);
  runner.lane->outputs(runner.outputs);
  slot.reached_work = runner.lane->work();
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
  runner.lane->outputs(runner.outputs);
}

void LaneSet::run_stage(std::size_t stage, const LaneStep& step) {
  const auto& tasks = tasks_[stage];
  const std::size_t count = with_beside_ ? tasks.size() : actual_tasks_[stage];
  auto run = [&](std::size_t i) {
    Slot& slot = slots_[tasks[i].slot];
    if (tasks[i].beside < 0)
      run_actual(slot, step);
    else
      run_beside(slot, static_cast<std::size_t>(tasks[i].beside), step);
  };
  pool_.run(count, run, kind_of(stage, with_beside_));
  integrations_ += static_cast<std::int64_t>(count);
  transport_seconds_ += pool_.overhead();
  pool_.busy(stage_seconds_);
  for (std::size_t t = 0; t < thread_seconds_.size(); ++t) thread_seconds_[t] += stage_seconds_[t];

  // A subsystem's share of the step is as long as the longest of its lanes.
  const auto seconds = pool_.seconds();
  for (std::size_t i = 0; i < actual_tasks_[stage]; ++i) {
    const std::size_t slot = tasks[i].slot;
    work_[slot] = slots_[slot].reached_work - slots_[slot].kept_work;
    stage_longest_[slot] = seconds[i];
  }
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
  for (std::size_t k = 0; k < tasks_.size(); ++k) run_stage(k, step);
}

void LaneSet::repeat() {
  for (Slot& slot : slots_) slot.go_back = slot.moved;
}

PartId LaneSet::failed(StepResult& result) const {
  const auto fails = [&](std::size_t i) {
    const Slot& slot = slots_[i];
    result = slot.actual.result;
    if (result.status != StepStatus::ok) return true;
    for (const Runner& runner : slot.beside) {
      if (!with_beside_) break;
      result = runner.result;
      if (result.status != StepStatus::ok) return true;
    }
    return false;
  };
  // A follower may only have failed because of the one it follows.
  for (const auto& stage : stages_)
    for (const std::size_t i : stage)
      if (fails(i)) return PartId{i};
  for (std::size_t i = 0; stages_.empty() && i < slots_.size(); ++i)
    if (fails(i)) return PartId{i};
  result = {};
  return PartId{};
}

void LaneSet::gather(Beside lanes, CutStates& y, int stage) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    const auto ports = slot.subsystem->ports();
    if (ports.empty() || (stage >= 0 && stage_of_[i] != stage)) continue;
    const auto& outputs = (lanes == Beside::comparison ? slot.beside.front() : slot.actual).outputs;
    const PortState* output = outputs.data();
    for (const Port& port : ports) {
      const Range coordinates = layout_.coordinates(port.coupling.index(), port.side);
      for (std::size_t k = coordinates.first; k < coordinates.last; ++k, ++output) {
        y.x(port.side)[k] = output->x;
        y.v(port.side)[k] = output->v;
      }
    }
  }
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
  for (const Slot& slot : slots_) {
    const auto ports = slot.subsystem->ports();
    const auto variables = slot.subsystem->inputs();
    for (std::size_t i = 0; i < variables.size(); ++i)
      port_u_[i] = u.empty() ? slot.actual.inputs[i](t) : u[variables[i]];
    if (!slot.actual.lane->accelerations(t, {port_u_.data(), variables.size()},
                                         {port_a_.data(), slot.actual.outputs.size()}))
      return false;
    const double* own = port_a_.data();
    for (const Port& port : ports) {
      const std::size_t first = layout_.joint_first(port.coupling.index(), port.side);
      for (std::size_t k = 0; k < port.coordinates; ++k) a[first + k] = *own++;
    }
  }
  return true;
}

void LaneSet::commit() {
  for (Slot& slot : slots_) {
    slot.kept_work = slot.reached_work;
    slot.go_back = slot.moved = false;
  }
  save_all();
}

void LaneSet::adopt() {
  for (Slot& slot : slots_) slot.actual.lane->outputs(slot.actual.outputs);
  commit();
}

bool LaneSet::rewind() {
  for (Slot& slot : slots_) {
    if (!slot.go_back) continue;
    if (!repeatable_) return false;
    slot.actual.lane->restore(*slot.memory);
    slot.go_back = slot.moved = false;
  }
  return true;
}

void LaneSet::recorded_state(std::span<double> position, std::span<double> velocity) const {
  for (const Slot& slot : slots_) {
    const auto q = slot.actual.lane->position(), v = slot.actual.lane->velocity();
    for (std::size_t j = 0; j < slot.recorded->dofs.size(); ++j) {
      const auto dof = static_cast<std::size_t>(slot.recorded->dofs[j]);
      position[slot.recorded->columns[j]] = q[dof];
      velocity[slot.recorded->columns[j]] = v[dof];
    }
  }
}

void LaneSet::discard() {
  repeat();
}

void LaneSet::sample(std::size_t k, std::span<double> position, std::span<double> velocity) const {
  for (const Slot& slot : slots_) {
    const auto& columns = slot.recorded->columns;
    const double* q = slot.sample_q.data() + k * columns.size();
    const double* v = slot.sample_v.data() + k * columns.size();
    for (std::size_t j = 0; j < columns.size(); ++j) {
      position[columns[j]] = q[j];
      velocity[columns[j]] = v[j];
    }
  }
}

void LaneSet::state(std::span<double> q, std::span<double> v) const {
  for (const Slot& slot : slots_) {
    const auto bodies = slot.subsystem->bodies();
    const auto coordinates = slot.subsystem->coordinates();
    const auto sq = slot.actual.lane->position();
    const auto sv = slot.actual.lane->velocity();
    for (std::size_t i = 0; i < sq.size(); ++i) {
      const std::size_t place = coordinates.empty() ? bodies[i].index() : coordinates[i];
      q[place] = sq[i];
      v[place] = sv[i];
    }
  }
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
