// A part of a model as a subsystem: the part's equations, driven at its cuts by coupling forces or by the
// motion of the bodies beyond them, integrated by the method its options name.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "integrator/integrator.hpp"
#include "model/model.hpp"
#include "network/component.hpp"
#include "partition/part.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/part_equations.hpp"

namespace cosimo {

class MultibodySubsystem final : public Component {
 public:
  /// `part` is number `id` of the partition that `interface` belongs to. A model that is a mechanism must
  /// outlive it.
  MultibodySubsystem(const Model& model, const Part& part, PartId id, const Interface& interface,
                     const IntegratorOptions& options);

  std::span<const BodyId> bodies() const override { return bodies_; }
  std::span<const std::size_t> places() const override { return places_; }
  std::span<const std::size_t> remembered() const override { return remembered_; }
  std::span<const std::uint8_t> angles() const override { return angles_; }
  std::span<const Port> ports() const override { return ports_; }
  std::span<const CutPort> cut_ports() const { return cut_ports_; }
  std::span<const std::size_t> inputs() const override { return inputs_; }
  bool cheap_snapshot() const override { return options_.method != Method::ida; }
  double next_event(double t) const override { return equations_->next_breakpoint(t); }
  std::unique_ptr<Lane> make_lane() const override;
  /// A lane that starts at another state; used for local references. `memory`: what the elements of the model
  /// remember (remembered() has the places), not a number where that is not known; empty: they begin.
  std::unique_ptr<Lane> make_lane(double t, std::span<const double> q, std::span<const double> v,
                                  std::span<const double> memory = {}) const;

 private:
  std::vector<BodyId> bodies_;
  std::vector<std::size_t> places_, remembered_;
  std::vector<std::uint8_t> angles_;
  std::unique_ptr<PartEquations> equations_;
  std::vector<CutPort> cut_ports_;
  std::vector<Port> ports_;
  std::vector<std::size_t> inputs_;
  IntegratorOptions options_;
};

}  // namespace cosimo
