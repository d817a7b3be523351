#include "subsystem/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "core/checked_cast.hpp"
#include "mechanics/mechanism.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/overlap_load.hpp"

namespace cosimo {

struct OverlapLane::LoadSnapshot final : Snapshot {
  std::shared_ptr<Load> load;
  std::unique_ptr<Snapshot> memory;
};

OverlapSubsystem::OverlapSubsystem(const Model& model, const Part& core, PartId id,
                                   const Interface& interface, const IntegratorOptions& options,
                                   std::span<const double> breakpoints)
    : model_(model),
      core_(core),
      cut_ports_(ports_of(model, interface, id, core_.bodies)),
      ports_(plain_ports(cut_ports_)),
      inputs_(inputs_of(cut_ports_, CouplingVariables(interface))),
      angles_(angles_of(model, core_.bodies)),
      places_(places_of(model, core_.bodies)),
      remembered_(remembered_places(model, essential_memories(model, core_.elements))),
      options_(options),
      breakpoints_(breakpoints) {
  COSIMO_CHECK(options.method != Method::ida, "a multistep method cannot carry copies");
  for (const CutPort& port : cut_ports_) {
    COSIMO_CHECK(port.drive == Drive::force, "what is not carried must be driven by forces");
    const Coupling& coupling = interface.couplings[port.coupling.index()];
    beyond_.push_back(port.side == CutSide::from ? coupling.to.body : coupling.from.body);
  }
  if (!model.mechanism) return;
  const auto timed = [](const auto& each) { return std::isfinite(each->next_breakpoint(0)); };
  for (const auto& element : model.mechanism->elements)
    if (timed(element)) timed_elements_.push_back(element.get());
  for (const auto& constraint : model.mechanism->constraints)
    if (timed(constraint)) timed_constraints_.push_back(constraint.get());
  for (const auto& group : model.mechanism->groups)
    if (timed(group)) timed_groups_.push_back(group.get());
}

double OverlapSubsystem::next_event(double t) const {
  const auto load = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), t);
  double next = load == breakpoints_.end() ? std::numeric_limits<double>::infinity() : *load;
  for (const ForceElement* const element : timed_elements_)
    next = std::min(next, element->next_breakpoint(t));
  for (const Constraint* const constraint : timed_constraints_)
    next = std::min(next, constraint->next_breakpoint(t));
  for (const ForceGroup* const group : timed_groups_) next = std::min(next, group->next_breakpoint(t));
  return next;
}

std::unique_ptr<Lane> OverlapSubsystem::make_lane() const {
  return std::make_unique<OverlapLane>(*this);
}

OverlapLane::OverlapLane(const OverlapSubsystem& subsystem)
    : subsystem_(subsystem), sinks_(subsystem.ports().size()), sources_(subsystem.ports().size()) {
  OverlappingPart alone;
  alone.part = subsystem.core();
  alone.judged = alone.part.owned;
  wanted_ = std::make_shared<const OverlappingPart>(std::move(alone));
  load_ = make_load(0.0, subsystem.model_.bodies.x, subsystem.model_.bodies.v);
}

OverlapLane::~OverlapLane() = default;

/// A load for the wanted copies, from the states of all bodies at the instant t.
std::shared_ptr<OverlapLane::Load> OverlapLane::make_load(double t, std::span<const double> x,
                                                          std::span<const double> v) const {
  auto load = std::make_shared<Load>(*this, wanted_);
  const auto& places = load->places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    load->q[i] = x[places[i]];
    load->v[i] = v[places[i]];
  }
  const auto& memory = load->memory_places;
  if (!memory.empty() && memory.back() < x.size())
    for (std::size_t k = 0; k < memory.size(); ++k) load->remembered[k] = x[memory[k]];
  else if (!memory.empty())
    load->system->begin(load->q.data(), load->v.data(), load->remembered.data(),
                        load->remembered.data() + load->z().size());
  load->integrator->start(t, load->q, load->v, load->z(), load->s());
  if (load_) {
    load->integrator->inherit(*load_->integrator);
    load->work_before = work();
    load->counted_before = counted_work(load_->integrator->status().counters);
  }
  return load;
}

/// The copies become what their owners say.
void OverlapLane::take_copies() {
  Load& load = *load_;
  const auto& places = load.places;
  const Range owned = load.owned;
  if (owned.size() == places.size()) return;
  const auto take = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      load.q[i] = states_->x()[places[i]];
      load.v[i] = states_->v()[places[i]];
    }
  };
  take(0, owned.first);
  take(owned.last, places.size());
  if (!load.takes_memory) return load.integrator->overwrite(owned, load.q, load.v);
  load.recall();
  for (std::size_t k = 0; k < load.foreign.size(); ++k)
    if (load.foreign[k] != 0) load.remembered[k] = states_->x()[load.memory_places[k]];
  load.integrator->overwrite(owned, load.q, load.v, {load.z(), load.s(), load.foreign_roots});
}

/// Held forces at the far edges; polynomials or records at the cuts that are not carried.
void OverlapLane::drive(const Window& window, std::span<const Polynomial> inputs) {
  Load& load = *load_;
  load.system->hold_far_forces(window.begin, states_->x(), states_->v(), load.polynomials);
  for (const auto& [number, at] : load.driven_ports) {
    const CutPort& port = subsystem_.cut_ports()[number];
    if (sources_[number] != nullptr)
      load.system->drive_by_record(at, *sources_[number]);
    else
      std::copy_n(inputs.data() + port.input, port.inputs, load.polynomials.data() + load.inputs[at].input);
  }
  load.system->drive(load.polynomials);
}

Sampling OverlapLane::own_samples(const Samples& samples) {
  Sampling own{samples};
  const auto first = static_cast<std::int32_t>(load_->owned.first);
  sampled_.resize(samples.dofs.size());
  for (std::size_t i = 0; i < sampled_.size(); ++i) sampled_[i] = samples.dofs[i] + first;
  own.dofs = sampled_;
  sampled_memory_.resize(samples.states.size());
  for (std::size_t i = 0; i < sampled_memory_.size(); ++i)
    sampled_memory_[i] =
        static_cast<std::int32_t>(load_->own_memory[static_cast<std::size_t>(samples.states[i])]);
  own.states = sampled_memory_;
  return own;
}

StepResult OverlapLane::advance(const Window& window, std::span<const Polynomial> inputs,
                                const Samples& samples, Response* response) {
  COSIMO_CHECK(response == nullptr, "overlapping subsystems have no interface Jacobian");
  COSIMO_CHECK(states_ != nullptr, "an overlapping lane must be connected before it advances");
  if (wanted_ != load_->part)
    load_ = make_load(window.begin, states_->x(), states_->v());
  else
    take_copies();
  drive(window, inputs);

  Sampling own = own_samples(samples);
  trace_.dofs.clear();
  for (std::size_t p = 0; p < sinks_.size(); ++p) {
    if (sinks_[p] == nullptr) continue;
    COSIMO_CHECK(load_->copy_dof[p] >= 0, "only a force whose two bodies are carried can be recorded");
    const CutPort& port = subsystem_.cut_ports()[p];
    const std::int32_t body = load_->dof_of(port.body), other = load_->copy_dof[p];
    trace_.dofs.push_back(port.side == CutSide::from ? body : other);
    trace_.dofs.push_back(port.side == CutSide::from ? other : body);
  }
  if (!trace_.dofs.empty()) own.trace = &trace_;

  load_->integrator->use_grid(grid_);
  const AdvanceResult result = load_->integrator->advance(window.end, own);
  std::size_t column = 0;
  for (RecordedForce* sink : sinks_) {
    if (sink == nullptr) continue;
    if (result.ok)
      sink->record(trace_, column, column + 1);
    else
      sink->clear();
    column += 2;
  }
  if (!result.ok) {
    const Model& model = subsystem_.model_;
    const std::string_view complaint = model.mechanism ? model.mechanism->complaint(result.reached) : "";
    reason_ = reason_of(result, load_->system->system());
    return {StepStatus::failed, result.reached, complaint.empty() ? reason_ : complaint};
  }
  publish();
  return {StepStatus::ok, result.reached, {}};
}

void OverlapLane::publish() const {
  const auto& places = subsystem_.places_;
  const auto q = position(), v = velocity();
  auto &next_x = states_->next_x(), &next_v = states_->next_v();
  for (std::size_t i = 0; i < places.size(); ++i) {
    next_x[places[i]] = q[i];
    next_v[places[i]] = v[i];
  }
  if (load_->memory_places.empty()) return;
  load_->recall();
  for (std::size_t k = 0; k < load_->foreign.size(); ++k)
    if (load_->foreign[k] == 0) next_x[load_->memory_places[k]] = load_->remembered[k];
}

std::span<const double> OverlapLane::states() const {
  return own_memory().first(own_states());
}

std::span<const double> OverlapLane::memory() const {
  return own_memory().subspan(own_states());
}

/// How many of the numbers that its own elements remember are states.
std::size_t OverlapLane::own_states() const {
  const auto& own = load_->own_memory;
  const std::size_t all = load_->integrator->states().size();
  return static_cast<std::size_t>(std::ranges::count_if(own, [&](std::size_t k) { return k < all; }));
}

std::span<const double> OverlapLane::own_memory() const {
  own_remembered_.clear();
  if (load_->own_memory.empty()) return {};
  load_->recall();
  for (const std::size_t k : load_->own_memory) own_remembered_.push_back(load_->remembered[k]);
  return own_remembered_;
}

bool OverlapLane::accelerations(double t, std::span<const double> inputs, std::span<const PortState> shift,
                                std::span<double> a) const {
  COSIMO_CHECK(shift.empty(), "overlaps are not asked for the answer to a shift");
  const Load& load = *load_;
  // The forces at the far edges do not act on the coupling bodies.
  std::vector<double> values(load.polynomials.size());
  for (const auto& [number, at] : load.driven_ports) {
    const CutPort& port = subsystem_.cut_ports()[number];
    std::copy_n(inputs.data() + port.input, port.inputs, values.data() + load.inputs[at].input);
  }
  const Integrator& at = *load.integrator;
  return load.system->accelerations(
      t, {at.position().data(), at.velocity().data(), at.states().data(), at.memory().data()}, values,
      load.output_dof, a);
}

void OverlapLane::outputs(double /*t*/, std::span<const double> /*inputs*/, std::span<PortState> y) const {
  const auto q = load_->integrator->position(), v = load_->integrator->velocity();
  const auto& dofs = load_->output_dof;
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    const auto dof = static_cast<std::size_t>(dofs[i]);
    y[i] = {q[dof], v[dof]};
  }
}

void OverlapLane::set_state(double /*t*/, std::span<const double> q, std::span<const double> v,
                            std::span<const double> z) {
  Load& load = *load_;
  std::copy(q.begin(), q.end(), load.q.begin() + static_cast<std::ptrdiff_t>(load.owned.first));
  std::copy(v.begin(), v.end(), load.v.begin() + static_cast<std::ptrdiff_t>(load.owned.first));
  const auto keep = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      load.q[i] = load.integrator->position()[i];
      load.v[i] = load.integrator->velocity()[i];
    }
  };
  keep(0, load.owned.first);
  keep(load.owned.last, load.places.size());
  if (load.memory_places.empty()) return load.integrator->overwrite({0, 0}, load.q, load.v);
  load.recall();
  for (std::size_t k = 0; k < z.size(); ++k) load.remembered[load.own_memory[k]] = z[k];
  load.integrator->overwrite({0, 0}, load.q, load.v, {.z = load.z(), .s = load.s()});
}

Copying::Behind OverlapLane::behind() const {
  return {load_->integrator->position().data(), load_->integrator->velocity().data(), load_->copy_dof};
}

void OverlapLane::lead(std::size_t port, Copying& follower, std::size_t far) {
  const ElementId element = subsystem_.cut_ports()[port].element;
  RecordedForce& force =
      *records_.emplace_back(std::make_unique<RecordedForce>(subsystem_.model_.elements.law(element)));
  record_force(port, force);
  checked_cast<OverlapLane>(follower).follow_force(far, force);
}

PortState OverlapLane::copy(std::size_t port) const {
  const BodyMotion motion = carried_motion(subsystem_.beyond(port));
  return {*motion.x, *motion.v};
}

BodyMotion OverlapLane::carried_motion(BodyId body) const {
  const auto dof = static_cast<std::size_t>(load_->dof_of(body));
  return {load_->integrator->position().data() + dof, load_->integrator->velocity().data() + dof};
}

std::size_t OverlapLane::carried() const {
  return load_->part->part.bodies.size();
}

std::span<const double> OverlapLane::position() const {
  return load_->integrator->position().subspan(load_->owned.first, load_->owned.size());
}

std::span<const double> OverlapLane::velocity() const {
  return load_->integrator->velocity().subspan(load_->owned.first, load_->owned.size());
}

std::unique_ptr<Snapshot> OverlapLane::make_snapshot() const {
  auto snapshot = std::make_unique<LoadSnapshot>();
  snapshot->memory = load_->integrator->make_snapshot();
  return snapshot;
}

void OverlapLane::save(Snapshot& snapshot) const {
  LoadSnapshot& own = checked_cast<LoadSnapshot>(snapshot);
  own.load = load_;
  load_->integrator->save(*own.memory);
}

void OverlapLane::restore(const Snapshot& snapshot) {
  const LoadSnapshot& own = checked_cast<LoadSnapshot>(snapshot);
  COSIMO_CHECK(own.load, "a snapshot that was saved");
  // Another lane may be working on its load at this moment: what is in it changes.
  load_ = own.load->lane == this ? own.load : same_load(*own.load);
  load_->integrator->restore(*own.memory);
}

/// What another lane of the subsystem works on, for this one.
std::shared_ptr<OverlapLane::Load> OverlapLane::same_load(const Load& other) const {
  auto load = std::make_shared<Load>(*this, other.part);
  load->work_before = other.work_before;
  load->counted_before = other.counted_before;
  return load;
}

SolverStatus OverlapLane::status() const {
  return load_->integrator->status();
}

double OverlapLane::work() const {
  const double counted = counted_work(load_->integrator->status().counters);
  return load_->work_before + static_cast<double>(load_->places.size()) * (counted - load_->counted_before);
}

}  // namespace cosimo
