// A part of a model that also integrates copies of its neighbours' bodies (overlap).
//
// Every lane works on a *load*: the part with the copies it carries at present, its equations and
// its integrator. At the beginning of an advance() the copies take the states that their owners
// published for T_N, the forces across the far edges are computed from the same states and held,
// and at the end the owned bodies' states are published for T_{N+1}:
//
//   lane.connect(states);          once
//   lane.carry(part);              new copies from the next advance() on
//   lane.use_grid(n);              every advance() in n equal micro steps, if the error allows
//   lane.advance(window, ...);
//   lane.copy(port);               what became of the copy behind a cut: compare it with its owner
//
// From a checkpoint: lane.archive(a) of all, lane.publish() of all, states.accept().
//
// Positions, velocities, ports and samples speak of the owned bodies only. A cut whose other body is
// not carried is driven from outside: by the polynomial of its port, or by the force that the other
// side recorded (subsystem/recorded_force.hpp). In a mechanism, bodies that constraints hold together are
// carried all or not at all (partition/halo.hpp), so that the copies take states that satisfy the
// constraints.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "integrator/integrator.hpp"
#include "model/model.hpp"
#include "network/body_states.hpp"
#include "network/component.hpp"
#include "network/overlapping.hpp"
#include "partition/part.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/recorded_force.hpp"

namespace cosimo {

class Constraint;
class ForceElement;
class ForceGroup;
class OverlapLane;

class OverlapSubsystem final : public Component {
 public:
  /// `core` is number `id` of the partition that `interface` belongs to, without copies; `breakpoints`
  /// are those of all loads of a scalar model (model/loads.hpp). Model and breakpoints must outlive it.
  OverlapSubsystem(const Model& model, const Part& core, PartId id, const Interface& interface,
                   const IntegratorOptions& options, std::span<const double> breakpoints);

  std::span<const BodyId> bodies() const override { return core_.bodies; }
  std::span<const std::size_t> places() const override { return places_; }
  std::span<const std::size_t> remembered() const override { return remembered_; }
  std::span<const std::uint8_t> angles() const override { return angles_; }
  std::span<const Port> ports() const override { return ports_; }
  std::span<const CutPort> cut_ports() const { return cut_ports_; }
  std::span<const std::size_t> inputs() const override { return inputs_; }
  bool cheap_snapshot() const override { return true; }
  double next_event(double t) const override;
  /// An OverlapLane in the initial state that carries nothing yet; connect() it before it advances.
  std::unique_ptr<Lane> make_lane() const override;

  const Part& core() const { return core_; }
  /// The body on the other side of the cut at a port.
  BodyId beyond(std::size_t port) const { return beyond_[port]; }

 private:
  friend class OverlapLane;
  const Model& model_;
  Part core_;
  std::vector<CutPort> cut_ports_;
  std::vector<Port> ports_;
  std::vector<std::size_t> inputs_;
  std::vector<BodyId> beyond_;
  std::vector<std::uint8_t> angles_;
  std::vector<std::size_t> places_;  ///< of the own coordinates among the model's
  std::vector<std::size_t> remembered_;
  IntegratorOptions options_;
  std::span<const double> breakpoints_;
  // Of a mechanism: whatever has breakpoints.
  std::vector<const ForceElement*> timed_elements_;
  std::vector<const Constraint*> timed_constraints_;
  std::vector<const ForceGroup*> timed_groups_;
};

class OverlapLane final : public Lane, public Copying {
 public:
  explicit OverlapLane(const OverlapSubsystem& subsystem);
  ~OverlapLane() override;

  Copying* copying() override { return this; }
  void connect(BodyStates& states) override { states_ = &states; }
  const Part& core() const override { return subsystem_.core(); }
  void carry(std::shared_ptr<const OverlappingPart> part) override { wanted_ = std::move(part); }
  void use_grid(std::int64_t steps) override { grid_ = steps; }
  /// The follower must be another OverlapLane of the same model, which is scalar.
  void lead(std::size_t port, Copying& follower, std::size_t far) override;
  /// This lane, which carries the body behind the port, tells what force it saw there.
  void record_force(std::size_t port, RecordedForce& force) { sinks_[port] = &force; }
  /// This lane, which does not carry it, is driven by that force.
  void follow_force(std::size_t port, const RecordedForce& force) { sources_[port] = &force; }

  using Lane::accelerations;
  using Lane::advance;
  /// Overlap has no interface Jacobian: `response` must be null.
  StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Samples& samples,
                     Response* response) override;
  /// Where the body behind a port is carried, its copy acts and not the input.
  bool accelerations(double t, std::span<const double> inputs, std::span<const PortState> shift,
                     std::span<double> a) const override;
  void outputs(double t, std::span<const double> inputs, std::span<PortState> y) const override;
  /// Of the owned bodies; the copies take what their owners publish.
  void set_state(double t, std::span<const double> q, std::span<const double> v,
                 std::span<const double> z) override;
  Behind behind() const override;
  BodyMotion carried_motion(BodyId body) const override;
  PortState copy(std::size_t port) const;  ///< of the body behind the port, its first coordinate
  std::size_t carried() const;             ///< all bodies, own ones included

  std::span<const double> position() const override;
  std::span<const double> velocity() const override;
  /// Of the elements among the owned bodies.
  std::span<const double> states() const override;
  std::span<const double> memory() const override;
  std::unique_ptr<Snapshot> make_snapshot() const override;
  void save(Snapshot& snapshot) const override;
  void restore(const Snapshot& snapshot) override;
  /// With the copies it carries and those it is to carry. What others own is not part of it: states, records.
  void archive(Archive& a) override;
  SolverStatus status() const override;
  double work() const override;

  void publish() const override;

 private:
  struct Load;
  struct LoadSnapshot;
  std::shared_ptr<Load> make_load(double t, std::span<const double> x, std::span<const double> v) const;
  std::shared_ptr<Load> same_load(const Load& other) const;
  void take_copies();
  void drive(const Window& window, std::span<const Polynomial> inputs);
  Sampling own_samples(const Samples& samples);
  void check(const OverlappingPart& part) const;
  std::size_t own_states() const;
  std::span<const double> own_memory() const;

  const OverlapSubsystem& subsystem_;
  BodyStates* states_ = nullptr;
  std::shared_ptr<const OverlappingPart> wanted_;
  std::shared_ptr<Load> load_;
  std::int64_t grid_ = 0;
  std::vector<std::unique_ptr<RecordedForce>> records_;  ///< of the cuts where it leads
  std::vector<RecordedForce*> sinks_;                    ///< per port
  std::vector<const RecordedForce*> sources_;            ///< per port
  Trace trace_;
  std::string reason_;  ///< of the last failure
  std::vector<std::int32_t> sampled_, sampled_memory_;
  mutable std::vector<double> own_remembered_;
};

}  // namespace cosimo
