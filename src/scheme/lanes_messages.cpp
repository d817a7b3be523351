// What the lanes of a rank tell the other ranks, and hear of them.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "core/archive.hpp"
#include "scheme/lanes.hpp"

namespace cosimo {

void LaneSet::plan_messages() {
  if (seam_->single()) return;
  early_.resize(slots_.size());
  for (std::size_t i = 0; i < slots_.size(); ++i) early_[i] = seam_->touches_others(i) ? 1 : 0;
  heard_.resize(seam_->foreign_coordinates());
  heard_beside_.resize(heard_.size());
  tell(-1);
  hear(-1);
}

void LaneSet::tell_others(std::vector<char> early, std::function<void()> tell) {
  early_ = std::move(early);
  tell_ = std::move(tell);
}

/// Four numbers per coordinate when there are lanes for comparison, otherwise two.
void LaneSet::tell(int stage) {
  if (tell_) return tell_();
  const bool comparing = with_beside_ && beside_ == Beside::comparison;
  const std::size_t width = comparing ? 4 : 2;
  own_.resize(width * seam_->own_coordinates());
  double* number = own_.data();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!seam_->whole() && early_[i] == 0) {  // its lane may be running
      number += width * slot.actual.outputs.size();
      continue;
    }
    for (std::size_t k = 0; k < slot.actual.outputs.size(); ++k) {
      *number++ = slot.actual.outputs[k].x;
      *number++ = slot.actual.outputs[k].v;
      if (!comparing) continue;
      *number++ = slot.beside.front().outputs[k].x;
      *number++ = slot.beside.front().outputs[k].v;
    }
  }
  seam_->start(own_, width, stage);
}

void LaneSet::hear(int stage) {
  if (tell_) return;
  const bool comparing = with_beside_ && beside_ == Beside::comparison;
  const std::size_t width = comparing ? 4 : 2;
  foreign_.resize(width * heard_.size());
  seam_->finish(foreign_);
  for (const Seam::End& end : seam_->foreign_ends()) {
    if (stage >= 0 && seam_->stage_of(end.part) != stage) continue;
    for (std::size_t k = end.first; k < end.first + end.coordinates; ++k) {
      heard_[k] = {foreign_[width * k], foreign_[width * k + 1]};
      if (comparing) heard_beside_[k] = {foreign_[width * k + 2], foreign_[width * k + 3]};
    }
  }
}

/// Counts the tasks that must be done before the others are told; tells them at once when there are none.
void LaneSet::await_early(std::size_t stage, std::size_t tasks, int told) {
  std::size_t left = 0;
  for (std::size_t i = 0; i < tasks; ++i) left += early_[tasks_[stage][i].slot] != 0 ? 1 : 0;
  early_left_ = left;
  if (left == 0) tell(told);
}

/// What happened on the rank that has something to tell.
void LaneSet::share_story(bool mine, StepResult& result) const {
  Exchange& exchange = seam_->exchange();
  std::int64_t teller = mine ? exchange.rank() : std::numeric_limits<std::int64_t>::max();
  exchange.min({&teller, 1});
  std::string reason(result.reason);
  Archive out;
  out(result.status, result.reached, reason);
  Bytes bytes = out.take();
  exchange.broadcast(static_cast<int>(teller), bytes);
  Archive in(bytes);
  in(result.status, result.reached, reason);
  told_reason_ = std::move(reason);
  result.reason = told_reason_;
}

PartId LaneSet::failed(StepResult& result) const {
  int stage = 0;
  const PartId here = failed_here(result, stage);
  if (seam_->single()) return here;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = here.valid() ? (std::int64_t{stage} << 32U) + seam_->global(here).value : none;
  const std::int64_t own = first;
  seam_->exchange().min({&first, 1});
  if (first == none) return {};
  const PartId part{static_cast<std::size_t>(first & 0xffffffff)};
  share_story(here.valid() && own == first, result);
  return part;
}

PartId LaneSet::earliest(double& reached) const {
  // Of equal instants the first subsystem: positive doubles are ordered as their bits are.
  std::array<std::int64_t, 2> first{std::numeric_limits<std::int64_t>::max(),
                                    std::numeric_limits<std::int64_t>::max()};
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const StepResult& result = slots_[i].actual.result;
    if (result.status != StepStatus::early) continue;
    const std::array<std::int64_t, 2> here{std::bit_cast<std::int64_t>(result.reached + 0.0),
                                           seam_->global(PartId{i}).value};
    first = std::min(first, here);
  }
  if (!seam_->single()) {
    const std::int64_t own = first[0];
    seam_->exchange().min({first.data(), 1});
    if (own != first[0]) first[1] = std::numeric_limits<std::int64_t>::max();
    seam_->exchange().min({first.data() + 1, 1});
  }
  if (first[0] == std::numeric_limits<std::int64_t>::max()) return {};
  reached = std::bit_cast<double>(first[0]);
  return PartId{static_cast<std::size_t>(first[1])};
}

bool LaneSet::fire(double t, PartId culprit) {
  bool jumped = false;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const bool decreed = culprit.valid() && seam_->global(PartId{i}) == culprit;
    jumped = slots_[i].actual.lane->fire(decreed) || jumped;
  }
  if (!seam_->any(jumped)) return false;
  adopt(t);
  return true;
}

void LaneSet::feed(double t, std::span<const double> u, CutStates& y) {
  for (Slot& slot : slots_) {
    if (!slot.subsystem->feeds()) continue;
    const auto variables = slot.subsystem->inputs();
    for (std::size_t i = 0; i < variables.size(); ++i) slot.actual.values[i] = u[variables[i]];
    slot.actual.lane->outputs(t, slot.actual.values, slot.actual.outputs);
  }
  if (!seam_->single()) {
    with_beside_ = false;
    tell(-1);
    hear(-1);
  }
  gather(Beside::none, y);
}

/// Those of the foreign ends come from their ranks.
void LaneSet::share_accelerations(std::span<double> a) const {
  if (seam_->single()) return;
  std::vector<double> own(seam_->own_coordinates()), foreign(seam_->foreign_coordinates());
  const auto place = [&](const Seam::End& end) { return layout_.joint_first(end.coupling, end.side); };
  for (const Seam::End& end : seam_->own_ends())
    for (std::size_t k = 0; k < end.coordinates; ++k) own[end.first + k] = a[place(end) + k];
  seam_->start(own, 1);
  seam_->finish(foreign);
  for (const Seam::End& end : seam_->foreign_ends())
    for (std::size_t k = 0; k < end.coordinates; ++k) a[place(end) + k] = foreign[end.first + k];
}

}  // namespace cosimo
