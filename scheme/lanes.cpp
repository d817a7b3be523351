#include "scheme/lanes.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "scheme/clock.hpp"

namespace cosimo {

namespace {

// Kinds of batches: their costs have nothing to do with each other.
constexpr int advancing = 0, saving = 1, making = 5, first_stage = 16;

}  // namespace

LaneSet::LaneSet(std::span<const std::unique_ptr<Subsystem>> subsystems, std::span<const Recorded> recorded,
                 Pool& pool, bool comparison, bool repeatable)
    : slots_(subsystems.size()),
      pool_(pool),
      repeatable_(repeatable),
      solve_seconds_(subsystems.size()),
      thread_seconds_(static_cast<std::size_t>(pool.threads())),
      work_(subsystems.size()) {
  auto make = [&](std::size_t i) { slots_[i].actual = subsystems[i]->make_lane(); };
  pool_.run(slots_.size(), make, making);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.subsystem = subsystems[i].get();
    slot.recorded = &recorded[i];
    const std::size_t ports = slot.subsystem->ports().size();
    slot.actual_side = Side(ports);
    slot.actual->outputs(slot.actual_side.outputs);
    if (repeatable_) slot.memory = slot.actual->make_snapshot();
    if (!slot.subsystem->cheap_snapshot()) copied_.push_back(i);
    if (comparison && ports > 0) {
      slot.compare = slot.subsystem->make_lane();
      slot.compare_side = Side(ports);
      compared_.push_back(i);
    }
  }
  save_all();
}

/// For comparison lanes: they restore what the actual lanes saved, so that must be complete before
/// either starts. Without them every task saves its own lane.
void LaneSet::save_all() {
  if (compared_.empty()) return;
  const double begin = clock_seconds();
  for (Slot& slot : slots_)
    if (slot.subsystem->cheap_snapshot()) slot.actual->save(*slot.memory);
  if (!copied_.empty()) {
    auto save = [this](std::size_t i) {
      Slot& slot = slots_[copied_[i]];
      slot.actual->save(*slot.memory);
    };
    pool_.run(copied_.size(), save, saving);
  }
  snapshot_seconds_ += clock_seconds() - begin;
}

void LaneSet::run_task(std::size_t i) {
  const bool actual = i < slots_.size();
  Slot& slot = slots_[actual ? i : compared_[i - slots_.size()]];
  Lane& lane = actual ? *slot.actual : *slot.compare;
  if (!actual || go_back_)
    lane.restore(*slot.memory);
  else if (repeatable_ && compared_.empty())
    lane.save(*slot.memory);

  Side& side = actual ? slot.actual_side : slot.compare_side;
  const auto& polynomials = actual ? actual_ : compare_;
  const auto ports = slot.subsystem->ports();
  for (std::size_t p = 0; p < ports.size(); ++p) side.inputs[p] = polynomials[ports[p].coupling.index()];
  Sampling samples;
  if (actual) {
    const std::size_t numbers = output_times_.size() * slot.recorded->dofs.size();
    slot.sample_q.resize(numbers);
    slot.sample_v.resize(numbers);
    samples = {output_times_, slot.recorded->dofs, slot.sample_q, slot.sample_v};
  }
  side.result = lane.advance(window_, side.inputs, samples);
  lane.outputs(side.outputs);
  if (actual) slot.reached_work = slot.actual->work();
}

void LaneSet::advance(const Window& window, std::span<const Polynomial> actual,
                      std::span<const Polynomial> compare, std::span<const double> output_times) {
  window_ = window;
  output_times_ = output_times;
  actual_ = actual;
  compare_ = compare;
  comparing_ = !compare.empty();
  snapshot_seconds_ = 0;
  if (!stages_.empty()) return run_stages();
  const std::size_t tasks = slots_.size() + (comparing_ ? compared_.size() : 0);
  auto task = [this](std::size_t i) { run_task(i); };
  pool_.run(tasks, task, advancing);
  transport_seconds_ = pool_.overhead();
  go_back_ = false;

  pool_.busy(thread_seconds_);
  const auto seconds = pool_.seconds();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    solve_seconds_[i] = seconds[i];
    work_[i] = slots_[i].reached_work - slots_[i].kept_work;
  }
  if (comparing_)
    for (std::size_t i = 0; i < compared_.size(); ++i) {
      double& longest = solve_seconds_[compared_[i]];
      longest = std::max(longest, seconds[slots_.size() + i]);
    }
}

void LaneSet::advance_in_stages(std::span<const int> stage) {
  COSIMO_CHECK(compared_.empty() && stage.size() == slots_.size(), "stages of lanes");
  stages_.clear();
  for (std::size_t i = 0; i < stage.size(); ++i) {
    const auto number = static_cast<std::size_t>(stage[i]);
    if (number >= stages_.size()) stages_.resize(number + 1);
    stages_[number].push_back(i);
  }
  if (stages_.size() < 2) stages_.clear();
  stage_seconds_.resize(thread_seconds_.size());
}

void LaneSet::run_stages() {
  std::fill(thread_seconds_.begin(), thread_seconds_.end(), 0.0);
  transport_seconds_ = 0;
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    const auto& stage = stages_[k];
    auto task = [&](std::size_t i) { run_task(stage[i]); };
    pool_.run(stage.size(), task, first_stage + static_cast<int>(k));
    transport_seconds_ += pool_.overhead();
    pool_.busy(stage_seconds_);
    for (std::size_t t = 0; t < thread_seconds_.size(); ++t) thread_seconds_[t] += stage_seconds_[t];
    const auto seconds = pool_.seconds();
    for (std::size_t i = 0; i < stage.size(); ++i) {
      solve_seconds_[stage[i]] = seconds[i];
      work_[stage[i]] = slots_[stage[i]].reached_work - slots_[stage[i]].kept_work;
    }
  }
  go_back_ = false;
}

PartId LaneSet::failed(StepResult& result) const {
  const auto fails = [&](std::size_t i) {
    const Slot& slot = slots_[i];
    result = slot.actual_side.result;
    if (result.status != StepStatus::ok) return true;
    if (!comparing_ || !slot.compare) return false;
    result = slot.compare_side.result;
    return result.status != StepStatus::ok;
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

void LaneSet::gather(bool comparison, CutStates& y) const {
  for (const Slot& slot : slots_) {
    const auto ports = slot.subsystem->ports();
    if (ports.empty()) continue;
    const auto& outputs = (comparison ? slot.compare_side : slot.actual_side).outputs;
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const std::size_t c = ports[p].coupling.index();
      const bool from = ports[p].side == CutSide::from;
      (from ? y.from_x : y.to_x)[c] = outputs[p].x;
      (from ? y.from_v : y.to_v)[c] = outputs[p].v;
    }
  }
}

void LaneSet::commit() {
  for (Slot& slot : slots_) slot.kept_work = slot.reached_work;
  save_all();
}

bool LaneSet::rewind() {
  if (!go_back_) return true;
  if (!repeatable_) return false;
  for (Slot& slot : slots_) slot.actual->restore(*slot.memory);
  go_back_ = false;
  return true;
}

void LaneSet::recorded_state(std::span<double> position, std::span<double> velocity) const {
  for (const Slot& slot : slots_) {
    const auto q = slot.actual->position(), v = slot.actual->velocity();
    for (std::size_t j = 0; j < slot.recorded->dofs.size(); ++j) {
      const auto dof = static_cast<std::size_t>(slot.recorded->dofs[j]);
      position[slot.recorded->columns[j]] = q[dof];
      velocity[slot.recorded->columns[j]] = v[dof];
    }
  }
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
