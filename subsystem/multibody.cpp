#include "subsystem/multibody.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "subsystem/driven_part.hpp"

namespace cosimo {

namespace {

class MultibodyLane final : public Lane {
 public:
  MultibodyLane(const Equations& equations, std::span<const Port> ports, const IntegratorOptions& options,
                double t, std::span<const double> q, std::span<const double> v)
      : system_(equations, ports), ports_(ports), integrator_(make_integrator(system_, options)) {
    integrator_->start(t, q, v);
  }

  StepResult advance(const Window& window, std::span<const Polynomial> inputs,
                     const Sampling& samples) override {
    system_.drive(inputs);
    const AdvanceResult result = integrator_->advance(window.end, samples);
    return {result.ok ? StepStatus::ok : StepStatus::failed, result.reached, result.reason};
  }

  void outputs(std::span<PortState> y) const override {
    const auto q = integrator_->position();
    const auto v = integrator_->velocity();
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      const auto dof = static_cast<std::size_t>(ports_[i].dof);
      y[i] = {q[dof], v[dof]};
    }
  }

  std::span<const double> position() const override { return integrator_->position(); }
  std::span<const double> velocity() const override { return integrator_->velocity(); }
  std::unique_ptr<Snapshot> make_snapshot() const override { return integrator_->make_snapshot(); }
  void save(Snapshot& snapshot) const override { integrator_->save(snapshot); }
  void restore(const Snapshot& snapshot) override { integrator_->restore(snapshot); }
  Integrator::Status status() const override { return integrator_->status(); }
  double work() const override {
    return static_cast<double>(system_.size()) * counted_work(integrator_->status().counters);
  }

 private:
  DrivenPart system_;
  std::span<const Port> ports_;
  std::unique_ptr<Integrator> integrator_;
};

std::int32_t dof_of(std::span<const BodyId> bodies, BodyId body) {
  const auto found = std::find(bodies.begin(), bodies.end(), body);
  COSIMO_CHECK(found != bodies.end(), "a coupling body must belong to its part");
  return static_cast<std::int32_t>(found - bodies.begin());
}

}  // namespace

MultibodySubsystem::MultibodySubsystem(const Model& model, const Part& part, PartId id,
                                       const Interface& interface, const IntegratorOptions& options)
    : bodies_(part.bodies), equations_(model, part), options_(options) {
  for (std::size_t i = 0; i < interface.couplings.size(); ++i) {
    const Coupling& coupling = interface.couplings[i];
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? coupling.from : coupling.to;
      if (end.part == id) ports_.push_back({CouplingId{i}, side, end.body, dof_of(bodies_, end.body)});
    }
  }
}

std::unique_ptr<Lane> MultibodySubsystem::make_lane() const {
  return make_lane(0.0, equations_.initial_position(), equations_.initial_velocity());
}

std::unique_ptr<Lane> MultibodySubsystem::make_lane(double t, std::span<const double> q,
                                                    std::span<const double> v) const {
  return std::make_unique<MultibodyLane>(equations_, ports_, options_, t, q, v);
}

}  // namespace cosimo
