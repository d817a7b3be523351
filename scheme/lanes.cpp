#include "scheme/lanes.hpp"

#include <algorithm>
#include <chrono>

namespace cosimo {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

LaneSet::LaneSet(std::span<const std::unique_ptr<Subsystem>> subsystems, std::span<const Recorded> recorded,
                 Pool& pool, bool comparison, bool repeatable)
    : slots_(subsystems.size()),
      pool_(pool),
      repeatable_(repeatable),
      solve_seconds_(subsystems.size()),
      thread_seconds_(static_cast<std::size_t>(pool.threads())) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.subsystem = subsystems[i].get();
    slot.recorded = &recorded[i];
    slot.actual = slot.subsystem->make_lane();
    const std::size_t ports = slot.subsystem->ports().size();
    slot.actual_inputs.resize(ports);
    slot.outputs.resize(ports);
    if (repeatable_) slot.memory = slot.actual->make_snapshot();
    if (comparison && ports > 0) {
      slot.compare = slot.subsystem->make_lane();
      slot.compare_inputs.resize(ports);
      compared_.push_back(i);
    }
  }
  save_all();
}

void LaneSet::save_all() {
  if (!repeatable_) return;
  const double begin = now();
  if (slots_.front().subsystem->cheap_snapshot() || pool_.threads() == 1) {
    for (Slot& slot : slots_) slot.actual->save(*slot.memory);
  } else {
    auto save = [this](std::size_t i) { slots_[i].actual->save(*slots_[i].memory); };
    pool_.run(slots_.size(), save);
  }
  snapshot_seconds_ += now() - begin;
}

void LaneSet::run_task(std::size_t i) {
  const bool actual = i < slots_.size();
  Slot& slot = slots_[actual ? i : compared_[i - slots_.size()]];
  if (!actual) {
    slot.compare->restore(*slot.memory);
    slot.compare_result = slot.compare->advance(window_, slot.compare_inputs, {});
    return;
  }
  if (go_back_) slot.actual->restore(*slot.memory);
  const Sampling samples{output_times_, slot.recorded->dofs, slot.sample_q, slot.sample_v};
  slot.actual_result = slot.actual->advance(window_, slot.actual_inputs, samples);
}

void LaneSet::advance(const Window& window, std::span<const Polynomial> actual,
                      std::span<const Polynomial> compare, std::span<const double> output_times) {
  window_ = window;
  output_times_ = output_times;
  comparing_ = !compare.empty();
  snapshot_seconds_ = 0;
  for (Slot& slot : slots_) {
    const auto ports = slot.subsystem->ports();
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const std::size_t c = ports[p].coupling.index();
      slot.actual_inputs[p] = actual[c];
      if (comparing_) slot.compare_inputs[p] = compare[c];
    }
    const std::size_t samples = output_times.size() * slot.recorded->dofs.size();
    slot.sample_q.resize(samples);
    slot.sample_v.resize(samples);
  }
  const std::size_t tasks = slots_.size() + (comparing_ ? compared_.size() : 0);
  auto task = [this](std::size_t i) { run_task(i); };
  pool_.run(tasks, task);
  go_back_ = false;

  pool_.busy(thread_seconds_);
  const auto seconds = pool_.seconds();
  total_seconds_ = 0;
  for (std::size_t i = 0; i < tasks; ++i) total_seconds_ += seconds[i];
  for (std::size_t i = 0; i < slots_.size(); ++i) solve_seconds_[i] = seconds[i];
  if (comparing_)
    for (std::size_t i = 0; i < compared_.size(); ++i) {
      double& longest = solve_seconds_[compared_[i]];
      longest = std::max(longest, seconds[slots_.size() + i]);
    }
}

PartId LaneSet::failed(StepResult& result) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    result = slot.actual_result;
    if (result.status != StepStatus::ok) return PartId{i};
    if (!comparing_ || !slot.compare) continue;
    result = slot.compare_result;
    if (result.status != StepStatus::ok) return PartId{i};
  }
  result = {};
  return PartId{};
}

void LaneSet::gather(bool comparison, CutStates& y) const {
  for (const Slot& slot : slots_) {
    const auto ports = slot.subsystem->ports();
    if (ports.empty()) continue;
    (comparison ? *slot.compare : *slot.actual).outputs(slot.outputs);
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const std::size_t c = ports[p].coupling.index();
      const bool from = ports[p].side == CutSide::from;
      (from ? y.from_x : y.to_x)[c] = slot.outputs[p].x;
      (from ? y.from_v : y.to_v)[c] = slot.outputs[p].v;
    }
  }
}

void LaneSet::commit() {
  save_all();
}

void LaneSet::discard() {
  go_back_ = true;
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
    const auto sq = slot.actual->position();
    const auto sv = slot.actual->velocity();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      q[bodies[i].index()] = sq[i];
      v[bodies[i].index()] = sv[i];
    }
  }
}

}  // namespace cosimo
