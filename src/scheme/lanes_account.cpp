// What lanes tell about an advance: how far coordinates have come, and where the time went.
#include <algorithm>
#include <cmath>

#include "numerics/largest_motion.hpp"
#include "parallel/shares.hpp"
#include "scheme/lanes.hpp"

namespace cosimo {

/// How far and how fast the coordinates of the actual lane have come.
void LaneSet::measure(Slot& slot) {
  const auto q = slot.actual.lane->position(), v = slot.actual.lane->velocity();
  const std::span<const double> start = slot.start;
  const auto angles = slot.subsystem->angles();
  std::fill(slot.motion_of_member.begin(), slot.motion_of_member.end(), MotionSizes{});
  auto work = [&](Share& mine) {
    const auto [first, last] = mine.rows;
    MotionSizes& seen = slot.motion_of_member[mine.number];
    if (angles.empty())
      seen.length = largest_motion(q.subspan(first, last - first), start.subspan(first, last - first),
                                   v.subspan(first, last - first));
    for (std::size_t i = first; i < last && !angles.empty(); ++i) {
      MotionSize& own = angles[i] != 0 ? seen.angle : seen.length;
      own.position = std::max(own.position, std::fabs(q[i] - start[i]));
      own.velocity = std::max(own.velocity, std::fabs(v[i]));
    }
  };
  in_shares(slot.team, q.size(), work);
  slot.motion = {};
  for (const MotionSizes& seen : slot.motion_of_member) slot.motion.raise_to(seen);
  const auto& [length, angle] = slot.motion;
  if (std::max({length.position, length.velocity, angle.position, angle.velocity}) > largest_state &&
      slot.actual.result.status == StepStatus::ok)
    slot.actual.result = {StepStatus::failed, slot.actual.result.reached,
                          "a position or velocity is beyond 1e140, where double precision ends"};
}

MotionSizes LaneSet::motion() const {
  MotionSizes all;
  for (const Slot& slot : slots_) all.raise_to(slot.motion);
  return all;
}

/// Who advanced when, and which threads then had nothing to do until the last one was done.
void LaneSet::log_stage(std::size_t stage, double begin, double end) {
  std::vector<double> last(thread_seconds_.size(), begin);
  std::vector<char> worked(last.size(), 0);
  for (std::size_t i = 0; i < actual_tasks_[stage]; ++i) {
    const PhaseSpan& span = slots_[tasks_[stage][i].slot].span;
    phases_.add(span);
    const auto thread = static_cast<std::size_t>(span.thread);
    last[thread] = worked[thread] != 0 ? std::max(last[thread], span.end) : span.end;
    worked[thread] = 1;
  }
  for (std::size_t t = 0; t < last.size(); ++t)
    phases_.add({Phase::idle, last[t], end, static_cast<int>(t), -1});
}

/// What threads spent on saving and restoring is no solving.
void LaneSet::count_saving(std::size_t stage) {
  std::fill(stage_seconds_.begin(), stage_seconds_.end(), 0.0);
  for (std::size_t i = 0; i < actual_tasks_[stage]; ++i) {
    const Slot& slot = slots_[tasks_[stage][i].slot];
    const auto thread = static_cast<std::size_t>(slot.thread);
    stage_seconds_[thread] += slot.saving;
    thread_seconds_[thread] -= slot.saving;
  }
  for (std::size_t t = 0; t < stage_seconds_.size(); ++t)
    if (stage_seconds_[t] > 0) sections_.move(t, Section::integrate, Section::snapshot, stage_seconds_[t]);
  snapshot_seconds_ += *std::max_element(stage_seconds_.begin(), stage_seconds_.end());
}

}  // namespace cosimo
