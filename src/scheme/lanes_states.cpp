// Where the lanes are: kept, taken back, archived, set, and told.
#include <algorithm>
#include <vector>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "scheme/lanes.hpp"

namespace cosimo {

void LaneSet::commit() {
  for (Slot& slot : slots_) {
    slot.kept_work = slot.reached_work;
    slot.kept_steps = slot.reached_steps;
    slot.go_back = slot.moved = false;
  }
  save_all();
}

void LaneSet::adopt(double t) {
  for (Slot& slot : slots_) slot.actual.lane->outputs(t, slot.actual.values, slot.actual.outputs);
  with_beside_ = false;
  if (!seam_->single() && !tell_) {
    tell(-1);
    hear(-1);
  }
  commit();
}

bool LaneSet::set(double t, std::size_t place, bool rate, double value) {
  for (Slot& slot : slots_) {
    const auto places = slot.subsystem->places();
    const auto found = std::find(places.begin(), places.end(), place);
    if (found == places.end()) continue;
    Lane& lane = *slot.actual.lane;
    std::vector<double> q(lane.position().begin(), lane.position().end());
    std::vector<double> v(lane.velocity().begin(), lane.velocity().end());
    const std::vector<double> z(lane.states().begin(), lane.states().end());
    (rate ? v : q)[static_cast<std::size_t>(found - places.begin())] = value;
    lane.set_state(t, q, v, z);
    return true;
  }
  return false;
}

void LaneSet::archive(Archive& a, std::size_t number) {
  Slot& slot = slots_[number];
  COSIMO_CHECK(!slot.go_back, "lanes are archived where they were committed");
  slot.actual.lane->archive(a);
  a(slot.kept_work);
  slot.reached_work = slot.kept_work;
  slot.kept_steps = slot.reached_steps = slot.actual.lane->status().counters.steps;
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

void LaneSet::recorded_state(std::span<const double> u, std::span<double> position,
                             std::span<double> velocity) const {
  for (const Slot& slot : slots_) {
    const auto q = slot.actual.lane->position(), v = slot.actual.lane->velocity();
    for (std::size_t j = 0; j < slot.recorded->dofs.size(); ++j) {
      const auto dof = static_cast<std::size_t>(slot.recorded->dofs[j]);
      position[slot.recorded->columns[j]] = q[dof];
      velocity[slot.recorded->columns[j]] = v[dof];
    }
    const auto z = slot.actual.lane->states(), s = slot.actual.lane->memory();
    const auto& columns = slot.recorded->state_columns;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      position[columns[j]] = j < z.size() ? z[j] : s[j - z.size()];
      velocity[columns[j]] = 0;
    }
    const auto& inputs = slot.recorded->input_columns;
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      position[inputs[j]] = u[slot.subsystem->inputs()[slot.recorded->inputs[j]]];
      velocity[inputs[j]] = 0;
    }
  }
}

void LaneSet::remembered(std::span<double> all) const {
  for (const Slot& slot : slots_) {
    const auto z = slot.actual.lane->states(), s = slot.actual.lane->memory();
    const auto places = slot.subsystem->remembered();
    for (std::size_t k = 0; k < places.size(); ++k) all[places[k]] = k < z.size() ? z[k] : s[k - z.size()];
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
    const auto& remembered = slot.recorded->state_columns;
    for (std::size_t j = 0; j < remembered.size(); ++j) {
      position[remembered[j]] = slot.sample_state[k * remembered.size() + j];
      velocity[remembered[j]] = 0;
    }
    const auto& inputs = slot.recorded->input_columns;
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      position[inputs[j]] = slot.sample_input[k * inputs.size() + j];
      velocity[inputs[j]] = 0;
    }
  }
}

void LaneSet::state(std::span<double> q, std::span<double> v) const {
  for (const Slot& slot : slots_) {
    const auto places = slot.subsystem->places();
    const auto sq = slot.actual.lane->position();
    const auto sv = slot.actual.lane->velocity();
    for (std::size_t i = 0; i < sq.size(); ++i) {
      q[places[i]] = sq[i];
      v[places[i]] = sv[i];
    }
  }
}

}  // namespace cosimo
