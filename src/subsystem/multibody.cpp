#include "subsystem/multibody.hpp"

#include <cmath>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "core/check.hpp"
#include "mechanics/mechanism.hpp"
#include "subsystem/macro_states.hpp"
#include "subsystem/ports.hpp"

namespace cosimo {

namespace {

struct LaneSnapshot final : Snapshot {
  std::unique_ptr<Snapshot> memory;
  MacroStates states;
};

/// Once per macro step and lane: cheaper than a dynamic_cast.
template <class S>
auto& own(S& snapshot) {
  COSIMO_CHECK(typeid(snapshot) == typeid(LaneSnapshot), "a snapshot of another kind of lane");
  return static_cast<std::conditional_t<std::is_const_v<S>, const LaneSnapshot, LaneSnapshot>&>(snapshot);
}

class MultibodyLane final : public Lane {
 public:
  MultibodyLane(const PartEquations& equations, std::span<const Port> ports, const IntegratorOptions& options,
                double t, std::span<const double> q, std::span<const double> v,
                std::span<const double> memory)
      : equations_(equations),
        driven_(equations.make_system(ports)),
        system_(driven_->system()),
        integrator_(make_integrator(system_, options)) {
    for (const Port& port : ports)
      for (std::size_t k = 0; k < port.coordinates; ++k)
        directions_.dofs.push_back(port.dof + static_cast<std::int32_t>(k));
    const Extent extent = system_.extent();
    std::vector<double> z(extent.z), s(extent.s);
    driven_->begin(q.data(), v.data(), z.data(), s.data());
    for (std::size_t k = 0; k < memory.size(); ++k)
      if (!std::isnan(memory[k])) (k < z.size() ? z[k] : s[k - z.size()]) = memory[k];
    integrator_->start(t, q, v, z, s);
  }

  StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Sampling& samples,
                     Response* response) override {
    driven_->drive(inputs);
    tracking_ = tracking_ || (response != nullptr && response->method == ResponseMethod::rk);
    if (tracking_) states_.push(window.begin, position(), velocity());
    if (response == nullptr) return integrate(window, samples);

    if (response->method == ResponseMethod::sensitivity)
      return integrate_with_directions(window, samples, *response);
    if (!driven_->respond(window,
                          {position(), velocity(), states_, integrator_->states(), integrator_->memory()},
                          *response))
      return {StepStatus::discard, window.begin, "the variational equation has no solution"};
    return integrate(window, samples);
  }

  bool accelerations(double t, std::span<const double> inputs, std::span<const PortState> shift,
                     std::span<double> a) const override {
    Whole y{position().data(), velocity().data(), integrator_->states().data(), integrator_->memory().data()};
    if (shift.empty()) return driven_->accelerations(t, y, inputs, a);
    shifted_q_.assign(position().begin(), position().end());
    shifted_v_.assign(velocity().begin(), velocity().end());
    for (std::size_t i = 0; i < shift.size(); ++i) {  // several outputs may be of one body
      const auto dof = static_cast<std::size_t>(directions_.dofs[i]);
      shifted_q_[dof] = position()[dof] + shift[i].x;
      shifted_v_[dof] = velocity()[dof] + shift[i].v;
    }
    y.q = shifted_q_.data();
    y.v = shifted_v_.data();
    return driven_->accelerations(t, y, inputs, a);
  }

  void outputs(std::span<PortState> y) const override {
    const auto q = integrator_->position();
    const auto v = integrator_->velocity();
    for (std::size_t i = 0; i < directions_.dofs.size(); ++i) {
      const auto dof = static_cast<std::size_t>(directions_.dofs[i]);
      y[i] = {q[dof], v[dof]};
    }
  }

  std::span<const double> position() const override { return integrator_->position(); }
  std::span<const double> velocity() const override { return integrator_->velocity(); }
  std::span<const double> states() const override { return integrator_->states(); }
  std::span<const double> memory() const override { return integrator_->memory(); }

  std::unique_ptr<Snapshot> make_snapshot() const override {
    auto snapshot = std::make_unique<LaneSnapshot>();
    snapshot->memory = integrator_->make_snapshot();
    return snapshot;
  }
  void save(Snapshot& snapshot) const override {
    LaneSnapshot& to = own(snapshot);
    integrator_->save(*to.memory);
    if (!states_.empty() || !to.states.empty()) to.states = states_;
  }
  void restore(const Snapshot& snapshot) override {
    const LaneSnapshot& from = own(snapshot);
    integrator_->restore(*from.memory);
    if (!states_.empty() || !from.states.empty()) states_ = from.states;
  }

  /// The inputs are not part of it: every advance() and accelerations() brings its own.
  void archive(Archive& a) override {
    a.section("multibody lane");
    integrator_->archive(a);
    states_.archive(a, system_.size());
    a(tracking_);
  }

  Integrator::Status status() const override { return integrator_->status(); }
  double work() const override {
    return static_cast<double>(system_.size()) * counted_work(integrator_->status().counters);
  }

 private:
  StepResult integrate(const Window& window, const Sampling& samples) {
    const AdvanceResult result = integrator_->advance(window.end, samples);
    if (result.ok) return {StepStatus::ok, result.reached, result.reason};
    if (result.reason == interrupted_reason) return {StepStatus::failed, result.reached, result.reason};
    if (const std::string_view complaint = equations_.complaint(result.reached); !complaint.empty())
      return {StepStatus::failed, result.reached, complaint};
    reason_ = reason_of(result, system_) + driven_->explain(result.reached, position().data(),
                                                            equations_.initial_position().data(),
                                                            integrator_->status().method);
    return {StepStatus::failed, result.reached, reason_};
  }

  StepResult integrate_with_directions(const Window& window, const Sampling& samples, Response& response) {
    directions_.shape = response.shape;
    Sampling with = samples;
    with.directions = &directions_;
    const StepResult result = integrate(window, with);
    response.derivative.resize(system_.inputs() * directions_.dofs.size());
    if (result.status != StepStatus::ok) return result;
    for (std::size_t k = 0; k < response.derivative.size(); ++k)
      response.derivative[k] = {directions_.q[k], directions_.v[k]};
    return result;
  }

  const PartEquations& equations_;
  std::unique_ptr<DrivenSystem> driven_;
  const System& system_;
  std::unique_ptr<Integrator> integrator_;
  /// From the first time that their extrapolation is asked for. They go with the snapshots: a step taken
  /// back leaves none behind. That they are kept is remembered, since correctors need not ask again.
  MacroStates states_;
  bool tracking_ = false;
  Directions directions_;  ///< its dofs are the outputs
  std::string reason_;     ///< of the last failure
  mutable std::vector<double> shifted_q_, shifted_v_;
};

}  // namespace

MultibodySubsystem::MultibodySubsystem(const Model& model, const Part& part, PartId id,
                                       const Interface& interface, const IntegratorOptions& options)
    : bodies_(part.bodies),
      angles_(angles_of(model, bodies_)),
      equations_(make_part_equations(model, part, options.interrupt)),
      ports_(ports_of(model, interface, id, bodies_)),
      inputs_(inputs_of(ports_, CouplingVariables(interface))),
      options_(options) {
  if (!model.mechanism) return;
  for (const BodyId body : bodies_) {
    const Range own = model.coordinates(body);
    for (std::size_t i = own.first; i < own.last; ++i) coordinates_.push_back(i);
  }
  const std::vector<Extent> first = model.mechanism->memory_offsets();
  for (const ElementId e : part.elements)
    for (std::size_t k = first[e.index()].z; k < first[e.index() + 1].z; ++k) remembered_.push_back(k);
  for (const ElementId e : part.elements)
    for (std::size_t k = first[e.index()].s; k < first[e.index() + 1].s; ++k)
      remembered_.push_back(first.back().z + k);
}

std::unique_ptr<Lane> MultibodySubsystem::make_lane() const {
  return make_lane(0.0, equations_->initial_position(), equations_->initial_velocity());
}

std::unique_ptr<Lane> MultibodySubsystem::make_lane(double t, std::span<const double> q,
                                                    std::span<const double> v,
                                                    std::span<const double> memory) const {
  std::vector<double> own;
  for (std::size_t k = 0; k < remembered_.size() && !memory.empty(); ++k)
    own.push_back(memory[remembered_[k]]);
  return std::make_unique<MultibodyLane>(*equations_, ports_, options_, t, q, v, own);
}

}  // namespace cosimo
