// The equations of a part of a mechanism: its dynamics, shared by all lanes, and its initial state.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mechanics/dynamics.hpp"
#include "subsystem/mechanism_part.hpp"
#include "subsystem/part_equations.hpp"

namespace cosimo {

class MechanismEquations final : public PartEquations {
 public:
  MechanismEquations(const Model& model, const Part& part);

  std::span<const double> initial_position() const override { return x_; }
  std::span<const double> initial_velocity() const override { return v_; }
  double next_breakpoint(double t) const override;
  std::unique_ptr<DrivenSystem> make_system(std::span<const CutPort> ports) const override {
    return std::make_unique<MechanismPart>(model_, dynamics_, ports, x_);
  }

 private:
  const Model& model_;
  Dynamics dynamics_;
  std::vector<double> x_, v_;
  std::vector<ElementId> cut_;  ///< elements between a body of the part and one outside
};

}  // namespace cosimo
