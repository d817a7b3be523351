#include "native/lane.hpp"
#include "core/checked_cast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cosimo {

namespace {

struct LaneSnapshot final : Snapshot {
  std::unique_ptr<Snapshot> memory;
  MacroStates states;
};

class NativeLane final : public Lane {
 public:
  NativeLane(std::unique_ptr<DrivenSystem> driven, const IntegratorOptions& options, const LaneStart& start)
      : driven_(std::move(driven)),
        system_(driven_->system()),
        integrator_(make_integrator(system_, options)) {
    const auto dofs = driven_->output_dofs();
    directions_.dofs.assign(dofs.begin(), dofs.end());
    const Extent extent = system_.extent();
    std::vector<double> z(extent.z), s(extent.s);
    driven_->begin(start.q.data(), start.v.data(), z.data(), s.data());
    for (std::size_t k = 0; k < start.memory.size(); ++k)
      if (!std::isnan(start.memory[k])) (k < z.size() ? z[k] : s[k - z.size()]) = start.memory[k];
    integrator_->start(start.t, start.q, start.v, z, s);
  }

  StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Samples& samples,
                     Response* response) override {
    driven_->drive(inputs);
    size_ = window.size();
    tracking_ = tracking_ || (response != nullptr && response->method == ResponseMethod::rk);
    if (tracking_) states_.push(window.begin, position(), velocity());
    if (response == nullptr) return integrate(window, {samples});

    if (response->method == ResponseMethod::sensitivity)
      return integrate_with_directions(window, samples, *response);
    if (!driven_->respond(window,
                          {position(), velocity(), states_, integrator_->states(), integrator_->memory()},
                          *response))
      return {StepStatus::discard, window.begin, "the variational equation has no solution"};
    return integrate(window, {samples});
  }

  void outputs(double t, std::span<const double> inputs, std::span<PortState> y) const override {
    driven_->outputs(t, state(), inputs, y);
  }

  bool accelerations(double t, std::span<const double> inputs, std::span<const PortState> shift,
                     std::span<double> a) const override {
    Whole y = state();
    if (shift.empty()) return driven_->accelerations(t, y, inputs, a);
    shifted_q_.assign(position().begin(), position().end());
    shifted_v_.assign(velocity().begin(), velocity().end());
    for (std::size_t i = 0; i < directions_.dofs.size(); ++i) {  // several outputs may be of one body
      const auto dof = static_cast<std::size_t>(directions_.dofs[i]);
      shifted_q_[dof] = position()[dof] + shift[i].x;
      shifted_v_[dof] = velocity()[dof] + shift[i].v;
    }
    y.q = shifted_q_.data();
    y.v = shifted_v_.data();
    return driven_->accelerations(t, y, inputs, a);
  }

  std::span<const double> position() const override { return integrator_->position(); }
  std::span<const double> velocity() const override { return integrator_->velocity(); }
  std::span<const double> states() const override { return integrator_->states(); }
  std::span<const double> memory() const override { return integrator_->memory(); }

  bool fire(bool decreed) override {
    if (system_.extent().roots == 0) return false;
    if (!decreed) {
      const auto due = integrator_->due(event_at_end * size_);
      crossed_.assign(due.begin(), due.end());
    }
    if (std::all_of(crossed_.begin(), crossed_.end(), [](std::int8_t side) { return side == 0; }))
      return false;
    return integrator_->fire(crossed_) == Fired::outputs;
  }

  void set_state(double /*t*/, std::span<const double> q, std::span<const double> v,
                 std::span<const double> z) override {
    integrator_->overwrite({0, 0}, q, v, {.z = z});
    states_ = {};
  }

  std::unique_ptr<Snapshot> make_snapshot() const override {
    auto snapshot = std::make_unique<LaneSnapshot>();
    snapshot->memory = integrator_->make_snapshot();
    return snapshot;
  }
  void save(Snapshot& snapshot) const override {
    LaneSnapshot& to = checked_cast<LaneSnapshot>(snapshot);
    integrator_->save(*to.memory);
    if (!states_.empty() || !to.states.empty()) to.states = states_;
  }
  void restore(const Snapshot& snapshot) override {
    const LaneSnapshot& from = checked_cast<LaneSnapshot>(snapshot);
    integrator_->restore(*from.memory);
    if (!states_.empty() || !from.states.empty()) states_ = from.states;
  }

  /// The inputs are not part of it: every advance() and accelerations() brings its own.
  void archive(Archive& a) override {
    a.section("native lane");
    integrator_->archive(a);
    states_.archive(a, system_.size());
    a(tracking_);
  }

  SolverStatus status() const override { return integrator_->status(); }
  double work() const override {
    return static_cast<double>(system_.size() + system_.extent().z) *
           counted_work(integrator_->status().counters);
  }

 private:
  Whole state() const {
    return {position().data(), velocity().data(), integrator_->states().data(), integrator_->memory().data()};
  }

  StepResult integrate(const Window& window, const Sampling& samples) {
    const AdvanceResult result = integrator_->advance(window.end, samples);
    if (result.ok && result.early) {
      crossed_.assign(result.crossed.begin(), result.crossed.end());
      return {StepStatus::early, result.reached, {}};
    }
    if (result.ok) return {StepStatus::ok, result.reached, result.reason};
    if (result.reason == interrupted_reason) return {StepStatus::failed, result.reached, result.reason};
    if (const std::string_view complaint = driven_->complaint(result.reached); !complaint.empty())
      return {StepStatus::failed, result.reached, complaint};
    reason_ = reason_of(result, system_) +
              driven_->explain(result.reached, position().data(), integrator_->status().method);
    return {StepStatus::failed, result.reached, reason_};
  }

  StepResult integrate_with_directions(const Window& window, const Samples& samples, Response& response) {
    directions_.shape = response.shape;
    Sampling with{samples};
    with.directions = &directions_;
    const StepResult result = integrate(window, with);
    response.derivative.resize(system_.inputs() * directions_.dofs.size());
    if (result.status != StepStatus::ok) return result;
    for (std::size_t k = 0; k < response.derivative.size(); ++k)
      response.derivative[k] = {directions_.q[k], directions_.v[k]};
    return result;
  }

  std::unique_ptr<DrivenSystem> driven_;
  const System& system_;
  std::unique_ptr<Integrator> integrator_;
  double size_ = 0;  ///< of the last macro step
  /// From the first time that their extrapolation is asked for. They go with the snapshots: a step taken
  /// back leaves none behind. That they are kept is remembered, since correctors need not ask again.
  MacroStates states_;
  bool tracking_ = false;
  Directions directions_;             ///< its dofs are the outputs
  std::vector<std::int8_t> crossed_;  ///< roots of the event that ended the last advance() early
  std::string reason_;                ///< of the last failure
  mutable std::vector<double> shifted_q_, shifted_v_;
};

}  // namespace

void DrivenSystem::outputs(double /*t*/, const Whole& state, std::span<const double> /*inputs*/,
                           std::span<PortState> y) const {
  const auto dofs = output_dofs();
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    const auto dof = static_cast<std::size_t>(dofs[i]);
    y[i] = {state.q[dof], state.v[dof]};
  }
}

std::unique_ptr<Lane> make_native_lane(std::unique_ptr<DrivenSystem> driven, const IntegratorOptions& options,
                                       const LaneStart& start) {
  return std::make_unique<NativeLane>(std::move(driven), options, start);
}

}  // namespace cosimo
