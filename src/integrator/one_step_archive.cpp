// The memory of the one-step methods as bytes.
#include <utility>

#include "integrator/one_step.hpp"

namespace cosimo {

/// A state, or that there is none. Of its accelerations only those that are `known` have a meaning.
void OneStepIntegrator::archive(Archive& a, StateRef& state, Range known) {
  bool there = static_cast<bool>(state);
  a(there);
  // Whoever shares the present state keeps it: what is loaded goes into another one.
  if (a.loading()) state = there ? pool_.spare() : StateRef();
  if (!there) return;
  State& s = state.edit();
  a(s.t, s.q, s.v, s.a.subspan(known.first, known.size()));
  if (extent_.states()) a(s.z, s.s);
  if (extent_.roots > 0) a(std::span(s.sides));
}

void OneStepIntegrator::archive(Archive& a, Memory& memory) {
  a(memory.known);
  if (memory.known.first > memory.known.last || memory.known.last > system_.size())
    throw ArchiveError("the data hold accelerations of degrees of freedom that do not exist");
  archive(a, memory.state, memory.known);
  archive(a, memory.previous, {});  // the next step looks at its position and velocity alone
  a(memory.at_breakpoint, memory.step, memory.left_step, memory.choice);
  a(memory.counters, memory.stiff_steps, memory.merson_steps, memory.last_step);
  a(memory.fastest, memory.cap, memory.since_look);
  bool followed = static_cast<bool>(memory.direction);
  a(followed);
  if (a.loading()) memory.direction = followed ? pool_.spare() : StateRef();
  if (!followed) return;
  State& direction = memory.direction.edit();
  const std::size_t n = constrained_->freedoms();  // the rest of it has no meaning
  a(direction.t, direction.q.subspan(0, n), direction.v.subspan(0, n));
}

void OneStepIntegrator::archive(Archive& a) {
  a.section("one-step integrator");
  for (const auto& stepper : steppers_) a.section(stepper->traits().name);
  if (!a.loading()) {
    archive(a, memory_);
    a(grid_steps_);
    return;
  }
  Memory loaded;
  std::int64_t grid_steps = 0;
  archive(a, loaded);
  a(grid_steps);
  memory_ = std::move(loaded);
  grid_steps_ = grid_steps;
}

}  // namespace cosimo
