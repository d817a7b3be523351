// One mass with linear springs and dampers to the ground, solved exactly: the subsystem of the two-mass
// oscillator (Fig. 2.2) on which the stability of coupling schemes is judged. With it a scheme's recurrence
// from macro point to macro point is free of solver errors, and linear in states and coupling variables.
//
//   LinearOscillator mass(model, part, id, interface);   // the arguments of a MultibodySubsystem
//   OscillatorLane lane(mass);
//   lane.set_state(x, v);
//   lane.advance(window, inputs, {}, &response);         // exact for every input polynomial
//
// Ports are driven by forces or by motion; the elements at motion-driven ports must be linear too. A Response
// is exact whatever method it asks for, except the series, which is what it is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "network/component.hpp"
#include "partition/part.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/oscillator_propagator.hpp"

namespace cosimo {

class LinearOscillator final : public Component {
 public:
  /// `part` is one body; it has no loads, and its elements join it to the ground.
  LinearOscillator(const Model& model, const Part& part, PartId id, const Interface& interface);

  std::span<const BodyId> bodies() const override { return bodies_; }
  std::span<const std::size_t> places() const override { return places_; }
  std::span<const Port> ports() const override { return ports_; }
  std::span<const std::size_t> inputs() const override { return inputs_; }
  bool cheap_snapshot() const override { return true; }
  /// An OscillatorLane in the initial state.
  std::unique_ptr<Lane> make_lane() const override;

 private:
  friend class OscillatorLane;
  std::vector<BodyId> bodies_;
  std::vector<std::size_t> places_;
  std::vector<CutPort> cut_ports_;
  std::vector<Port> ports_;
  std::vector<std::size_t> inputs_;
  // Per mass: stiffness and damping with the elements at motion-driven ports, and what every input does.
  double k_ = 0, c_ = 0;
  std::vector<double> effect_;
  OscillatorState initial_;
};

class OscillatorLane final : public Lane {
 public:
  explicit OscillatorLane(const LinearOscillator& oscillator)
      : oscillator_(oscillator), state_(oscillator.initial_) {}

  /// At the present instant.
  void set_state(double x, double v) { state_ = {x, v}; }

  using Lane::accelerations;
  using Lane::advance;
  StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Samples& samples,
                     Response* response) override;
  bool accelerations(double t, std::span<const double> inputs, std::span<const PortState> shift,
                     std::span<double> a) const override;
  void outputs(double t, std::span<const double> inputs, std::span<PortState> y) const override;
  void set_state(double /*t*/, std::span<const double> q, std::span<const double> v,
                 std::span<const double> /*z*/) override {
    set_state(q[0], v[0]);
  }
  std::span<const double> position() const override { return {&state_.x, 1}; }
  std::span<const double> velocity() const override { return {&state_.v, 1}; }
  std::unique_ptr<Snapshot> make_snapshot() const override;
  void save(Snapshot& snapshot) const override;
  void restore(const Snapshot& snapshot) override;
  void archive(Archive& a) override {
    a.section("oscillator lane");
    a(state_, steps_);
  }
  SolverStatus status() const override;
  double work() const override { return static_cast<double>(steps_); }

 private:
  void sample(const Window& window, const Polynomial& force, const Samples& samples) const;
  void respond(const Window& window, Response& response) const;
  OscillatorState unit_answer(const Window& window, const Response& response) const;

  const LinearOscillator& oscillator_;
  OscillatorState state_;
  std::int64_t steps_ = 0;
  OscillatorPropagator propagator_;  ///< over the last macro step
};

}  // namespace cosimo
